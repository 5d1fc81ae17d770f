#!/usr/bin/env bash
# Installs the Debian package into a fresh root and runs it there as its unit does, as an ordinary
# user without capabilities: it starts, reports that it is ready, keeps an order over SIGKILL, and
# restarts. Needs root, and debootstrap with Debian's mirror for the root; otherwise the package is
# unpacked and run with the machine's own libraries, which proves less.
set -euo pipefail
cd "$(dirname "$0")/../.."
package=${1:-$(ls .build/deb/livetape_*.deb | tail -n 1)}
work=$(mktemp -d)
chmod 0755 "$work"
# As in the units: DynamicUser=, an empty CapabilityBoundingSet=, NoNewPrivileges=.
user=61184
unprivileged=()
if [ "$(id -u)" = 0 ]; then
  unprivileged=(setpriv --reuid "$user" --regid "$user" --clear-groups --inh-caps=-all --bounding-set=-all
    --no-new-privs)
fi
pid=
finish() {
  [ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null || true
  umount "$work/root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

dpkg-deb --info "$package" | sed -n '/Package:/,$p'
listing=$(dpkg-deb --contents "$package")
for path in ./usr/bin/livetape ./lib/systemd/system/livetape.service ./lib/systemd/system/livetape-read.service \
  ./lib/systemd/system/livetape-desk.service ./etc/livetape/livetape.toml \
  ./usr/share/man/man1/livetape.1.gz ./usr/share/bash-completion/completions/livetape; do
  grep -qxF "$path" <<<"$(awk '{print $6}' <<<"$listing")" || fail "$path is missing"
done
awk '$2 != "root/root" {exit 1}' <<<"$listing" || fail "owners"

dpkg-deb --control "$package" "$work/control"
units=$(sed -n 's|.*\./lib/systemd/system/||p' <<<"$listing")
for unit in $units; do
  dpkg-deb --fsys-tarfile "$package" | tar -xO "./lib/systemd/system/$unit" >"$work/unit"
  for line in LimitCORE=0 CapabilityBoundingSet= NoNewPrivileges=yes 'MemoryMax=[0-9]+[MG]' 'TasksMax=[0-9]+'; do
    grep -qxE "$line" "$work/unit" || fail "$unit lacks $line"
  done
  grep "systemctl try-restart .*\b$unit" "$work/control/postinst" >/dev/null || fail "an upgrade does not restart $unit"
  grep "systemctl disable --now .*\b$unit" "$work/control/prerm" >/dev/null || fail "a removal does not stop $unit"
done

root=$work/root
if [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null &&
  debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1; then
  echo "A fresh root by debootstrap."
  # systemd's folder, and a stub that records the calls of the package's scripts; minbase has no
  # systemd.
  mkdir -p "$root/run/systemd/system"
  printf '#!/bin/sh\necho "$@" >>/systemctl.log\n' >"$root/usr/bin/systemctl"
  chmod 0755 "$root/usr/bin/systemctl"
  cp "$package" "$root/tmp/livetape.deb"
  chroot "$root" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    /tmp/livetape.deb' >"$work/apt.log" 2>&1 || { tail "$work/apt.log"; fail "installing"; }
  chroot "$root" dpkg -s livetape | grep -qx 'Status: install ok installed' || fail "dpkg -s"
  for unit in $units; do
    grep "^try-restart .*\b$unit" "$root/systemctl.log" >/dev/null || fail "$unit was not restarted"
  done
  for name in environment read.environment desk.environment; do
    [ "$(stat -c '%a %U' "$root/etc/livetape/$name")" = "600 root" ] || fail "the mode of $name"
  done
  echo LIVETAPE_ACCESS_TOKEN=kept >"$root/etc/livetape/environment"
  chmod 0644 "$root/etc/livetape/environment"
  chroot "$root" dpkg -i /tmp/livetape.deb >"$work/apt.log" 2>&1 || fail "installing again"
  [ "$(stat -c %a "$root/etc/livetape/environment")" = 600 ] || fail "an upgrade leaves a token readable"
  grep -q kept "$root/etc/livetape/environment" || fail "an upgrade lost the token"
  # Swift programs read their arguments there.
  mount -t proc proc "$root/proc" || fail "no /proc in the fresh root"
  run=(chroot "$root" "${unprivileged[@]}" /usr/bin/livetape)
  prefix=
else
  echo "No debootstrap here: unpacked with dpkg -x, on this machine's libraries."
  [ -f "$work/debootstrap.log" ] && tail -n 3 "$work/debootstrap.log"
  rm -rf "$root" && mkdir -p "$root" && dpkg -x "$package" "$root"
  run=("${unprivileged[@]}" "$root/usr/bin/livetape")
  prefix=$root
fi
# The service's own configuration, except for a free port and, without a root, the folders.
for folder in livetape livetape-desk; do
  mkdir -p -m 0700 "$root/var/lib/$folder"
  [ "$(id -u)" = 0 ] && chown "$user:$user" "$root/var/lib/$folder"
done
config=$root/etc/livetape/livetape.toml
sed -e 's/^port = .*/port = 0/' -e "s|\"/var/lib|\"$prefix/var/lib|" "$config" >"$root/test.toml"
"${run[@]}" config check "$prefix/test.toml" || fail "config check"

# systemd's end of the notify socket: an abstract name, which works across roots.
python3 - "$work/said" <<'PYTHON' &
import socket, sys
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind("\0livetape-package-test")
open(sys.argv[1] + ".bound", "w").close()
with open(sys.argv[1], "ab", buffering=0) as said:
    while True:
        said.write(manager.recv(4096) + b"\n")
PYTHON
manager=$!
for _ in $(seq 600); do [ -e "$work/said.bound" ] && break; sleep 0.1; done
trap 'kill "$manager" 2>/dev/null || true; finish' EXIT

start() {
  : >"$work/said"
  env -i PATH="$PATH" HOME=/nonexistent NOTIFY_SOCKET=@livetape-package-test WATCHDOG_USEC=1000000 \
    "${run[@]}" serve --config "$prefix/test.toml" >"$work/out" 2>"$work/errors" &
  pid=$!
  for _ in $(seq 600); do
    grep -q READY=1 "$work/said" && break
    kill -0 "$pid" 2>/dev/null || { cat "$work/errors"; fail "it ended at its start"; }
    sleep 0.1
  done
  grep -q READY=1 "$work/said" || fail "it did not say that it is ready"
  address=$(sed -n 's/.*\(http[^ ]*\)\/$/\1/p' "$work/out")
  for _ in $(seq 600); do
    status=$(curl -s -o "$work/readyz" -w '%{http_code}' "$address/readyz") || true
    [ "$status" = 200 ] && break
    sleep 0.1
  done
  [ "$status" = 200 ] || { cat "$work/readyz"; fail "readyz"; }
}

start
# To a file: a reader that stops early would end curl with an error.
has() { curl -sf "$address/$1" >"$work/answer" && grep -q "${@:2}" "$work/answer"; }
has "" -i '<html' || fail "the page"
has metrics -x 'livetape_ready 1' || { grep '^livetape_ready' "$work/answer"; fail "metrics"; }
for _ in $(seq 100); do grep -q WATCHDOG=1 "$work/said" && break; sleep 0.1; done
grep -q WATCHDOG=1 "$work/said" || fail "no beat for the watchdog"
ls "$root/var/lib/livetape/orders.sqlite" >/dev/null || fail "no ledger"
timeout 60 Tests/PackageTests/order.py "${address#http://}" | grep -q '"ok": true' || fail "an order"
kill -KILL "$pid" && wait "$pid" 2>/dev/null || true
echo "It started, was ready, beat, took an order, and was killed."
start
"${run[@]}" ledger verify --data "$prefix/var/lib/livetape" | tee "$work/ledger" || fail "the ledger after SIGKILL"
grep -q '1 orders' "$work/ledger" || fail "the order was lost"
kill -TERM "$pid"
wait "$pid" && code=0 || code=$?
pid=
[ "$code" = 0 ] || fail "SIGTERM ended it with $code"
grep -q STOPPING=1 "$work/said" || fail "it did not say that it ends"
echo "It came back, its ledger has the order, and SIGTERM ended it with 0."

# A process without its broker: it runs, sends heartbeats, reports why it is not ready, and ends.
#   supervised NAME COMMAND…
supervised() {
  local name=$1 address code
  shift
  : >"$work/said"
  env -i PATH="$PATH" HOME=/nonexistent NOTIFY_SOCKET=@livetape-package-test WATCHDOG_USEC=1000000 \
    "${run[@]}" "$@" --bus nats://127.0.0.1:9 --health-port 0 >"$work/out" 2>"$work/errors" &
  pid=$!
  for _ in $(seq 600); do grep -q WATCHDOG=1 "$work/said" && break; sleep 0.1; done
  grep -q READY=1 "$work/said" || { cat "$work/errors"; fail "the $name did not say that it is up"; }
  grep -q WATCHDOG=1 "$work/said" || fail "no beat of the $name"
  address=$(sed -n 's/.*\(http[^ ]*\)\/readyz$/\1/p' "$work/out")
  curl -sf "$address/healthz" >/dev/null || fail "the $name's healthz"
  curl -s "$address/readyz" >"$work/answer" || true
  grep -q '"code":"bus_down"' "$work/answer" || fail "the $name's readyz"
  kill -TERM "$pid"
  wait "$pid" && code=0 || code=$?
  pid=
  [ "$code" = 0 ] || fail "SIGTERM ended the $name with $code"
  grep -q STOPPING=1 "$work/said" || fail "the $name did not say that it ends"
  echo "The $name ran, said that its bus is down, and ended with 0."
}
supervised reader read --venues live
supervised "order service" orders --data "$prefix/var/lib/livetape-desk"

# The container's command, except for a free port and, without a root, the folder.
python3 - packaging/Containerfile "$prefix" >"$work/command" <<'PYTHON'
import json, sys
lines = open(sys.argv[1]).read().splitlines()
command = next(line[4:] for line in lines if line.startswith("CMD "))
for word in json.loads(command) + ["--port", "0"]:
    print(sys.argv[2] + word if word.startswith("/") else word)
PYTHON
mapfile -t command <"$work/command"
env -i PATH="$PATH" HOME=/nonexistent "${run[@]}" "${command[@]}" >"$work/out" 2>"$work/errors" &
pid=$!
for _ in $(seq 600); do
  grep -q 'is running at' "$work/out" && break
  kill -0 "$pid" 2>/dev/null || { cat "$work/errors"; fail "the container's command ended"; }
  sleep 0.1
done
address=$(sed -n 's/.*\(http[^ ]*\)\/$/\1/p' "$work/out")
curl -sf "$address/healthz" >/dev/null || fail "the container's command answers nothing"
kill -TERM "$pid"
wait "$pid" || fail "SIGTERM and the container's command"
pid=
echo "The container's command starts and answers."

if [ -z "$prefix" ]; then
  : >"$root/systemctl.log"
  chroot "$root" dpkg -r livetape >/dev/null 2>&1 || fail "removing"
  for unit in $units; do
    grep "^disable --now .*\b$unit" "$root/systemctl.log" >/dev/null || fail "$unit was not stopped"
  done
  [ -e "$root/usr/bin/livetape" ] && fail "files stay after the removal"
  [ -e "$root/var/lib/livetape/orders.sqlite" ] || fail "orders went with the removal"
  echo "Removed; the orders stay."
fi
echo "The package passes."

#!/usr/bin/env bash
# Public clients of BitMEX and Kraken, unchanged but for the address, against `livetape simulate`.
# They are installed from PyPI into .build/clients. Not part of `make test`.
set -uo pipefail
cd "$(dirname "$0")/../.."
here=Proof/PublicClients
program=${LIVETAPE_BIN:-.build/debug/livetape}

# environment NAME PACKAGE… : a Python environment with these packages.
environment() {
  local folder=.build/clients/$1
  shift
  [ -x "$folder/bin/python" ] || python3 -m venv "$folder" || return 1
  echo "clients: installing $*"
  "$folder/bin/pip" -q --disable-pip-version-check install --no-compile "$@"
}

environment ccxt-4.5.70 ccxt==4.5.70 || exit 1
environment ccxt-4.5.90 ccxt==4.5.90 || exit 1
environment bitmex-ws bitmex-ws==1.5.0 || exit 1
environment cryptofeed cryptofeed==2.4.1 || exit 1

log=$(mktemp)
"$program" simulate --port 0 --exchange-port 0 --seed 7 >"$log" 2>&1 &
venues=$!
trap 'kill $venues 2>/dev/null; rm -f "$log"' EXIT
at=
for _ in $(seq 300); do
  at=$(grep -oE '127\.0\.0\.1:[0-9]+' "$log" | head -n 1)
  [ -n "$at" ] && break
  sleep 0.1
done
[ -n "$at" ] || { cat "$log"; exit 1; }

passed=0
failed=0
# client ENVIRONMENT SCRIPT
client() {
  if timeout 120 ".build/clients/$1/bin/python" "$here/$2" "$at"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "clients: $1 $2 FAILED"
  fi
}
client ccxt-4.5.70 bitmex_ccxt.py
client ccxt-4.5.90 kraken_ccxt.py
client bitmex-ws bitmex_ws.py
client cryptofeed bitmex_cryptofeed.py
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

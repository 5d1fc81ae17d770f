#!/usr/bin/env bash
# Installs the named Debian packages when they are missing, and reports it.
set -euo pipefail

missing=()
for package in "$@"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ]; then
  as_root=()
elif command -v sudo >/dev/null; then
  as_root=(sudo -n)
else
  echo "livetape: please install ${missing[*]} (neither root nor sudo here)" >&2
  exit 1
fi
echo "Installing Debian packages: ${missing[*]}"
# Another apt may be running, and a mirror may fail once.
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get
  -o DPkg::Lock::Timeout=300 -o Acquire::Retries=5 -qq)
"${apt[@]}" update
"${apt[@]}" install -y "${missing[@]}" </dev/null >/dev/null

#!/bin/sh
# Runs the browser tests against the real server in a real browser.
#   Tests/BrowserTests/run.sh [pytest arguments]
# LIVETAPE_BIN names the program (.build/debug/livetape); LIVETAPE_ADDRESS a server that already runs.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

if [ ! -x "$here/.venv/bin/python" ]; then
  echo "browser tests: making a Python environment in Tests/BrowserTests/.venv"
  python3 -m venv "$here/.venv"
fi
if ! cmp -s "$here/requirements.txt" "$here/.venv/installed.txt"; then
  echo "browser tests: installing $(tr '\n' ' ' < "$here/requirements.txt")"
  "$here/.venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$here/.venv/installed.txt"
fi

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ]; then sudo=""; else sudo="sudo -n"; fi
  echo "browser tests: chromium is missing; installing it with apt-get"
  $sudo apt-get update -q >/dev/null
  $sudo apt-get install -y -q chromium >/dev/null
fi

exec "$here/.venv/bin/python" -m pytest -q -p no:cacheprovider "$here" "$@"

#!/bin/sh
# Creates the Python environment of the browser tests and finds a browser; fast when everything is
# present.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

if ! "$here/.venv/bin/python" -m pip --version >/dev/null 2>&1; then
  echo "browser tests: making a Python environment in Tests/BrowserTests/.venv"
  rm -rf "$here/.venv"
  python3 -m venv "$here/.venv"
fi
if ! cmp -s "$here/requirements.txt" "$here/.venv/installed.txt"; then
  echo "browser tests: installing $(tr '\n' ' ' < "$here/requirements.txt")"
  "$here/.venv/bin/python" -m pip install --quiet --disable-pip-version-check --retries 5 -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$here/.venv/installed.txt"
fi
if [ -z "${CHROMIUM:-}" ] && ! command -v chromium-headless-shell >/dev/null 2>&1; then
  "$here/../../scripts/apt-install.sh" chromium-headless-shell || command -v chromium >/dev/null 2>&1
fi
# For the proxy with a shipped configuration; without it its tests are skipped and reported.
command -v nginx >/dev/null 2>&1 && command -v openssl >/dev/null 2>&1 \
  || "$here/../../scripts/apt-install.sh" nginx-light openssl || true
command -v caddy >/dev/null 2>&1 || "$here/../../scripts/apt-install.sh" caddy || true

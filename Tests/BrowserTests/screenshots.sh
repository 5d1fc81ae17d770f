#!/bin/sh
# Renders every screen at 360, 820 and 1440 px, light and dark, from the real server, a release
# build.
#   Tests/BrowserTests/screenshots.sh [OUTPUT_DIR]   (.build/screenshots by default)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
"$here/prepare.sh"
# The build of `make screenshots`.
export LIVETAPE_BIN="${LIVETAPE_BIN:-.build/release/livetape}"
exec "$here/.venv/bin/python" "$here/screenshots.py" "${1:-.build/screenshots}"

#!/bin/sh
# Runs the browser tests against the real server in a real browser.
#   Tests/BrowserTests/run.sh [pytest arguments]
# LIVETAPE_BIN names the program (.build/debug/livetape); LIVETAPE_ADDRESS a server that already runs;
# CHROMIUM a browser other than /usr/bin/chromium.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
"$here/prepare.sh"
exec "$here/.venv/bin/python" -m pytest -q -p no:cacheprovider "$here" "$@"

#!/bin/sh
# Runs the browser tests against the real server in a real browser.
#   Tests/BrowserTests/run.sh [pytest arguments]
# LIVETAPE_BIN names the program (.build/debug/livetape); LIVETAPE_ADDRESS a server that already runs;
# LIVETAPE_WORKERS how many run tests at a time (3; 0 for one process with everything on screen);
# CHROMIUM a browser other than Debian's chromium-headless-shell (browsers.py).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
"$here/prepare.sh"
# Each worker has a server and a browser of its own, and takes tests from the other when it is done.
exec "$here/.venv/bin/python" -m pytest -q -p no:cacheprovider -n "${LIVETAPE_WORKERS:-3}" \
  --dist worksteal "$here" "$@"

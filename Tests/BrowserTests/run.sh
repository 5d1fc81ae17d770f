#!/bin/sh
# Runs the browser tests against the real server in a real browser, always without capabilities.
# LIVETAPE_ALL=1 includes tests marked `thorough`, and every size, theme and language. Tests of
# several hosts create network namespaces, so root runs those as root.
#   Tests/BrowserTests/run.sh [pytest arguments]
# LIVETAPE_BIN names the program (.build/debug/livetape); LIVETAPE_ADDRESS a running server;
# LIVETAPE_WORKERS the number of workers (3; 0 for one process with all output on screen); CHROMIUM
# a browser other than Debian's chromium-headless-shell (browsers.py).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
"$here/prepare.sh"
# Each worker has its own server and browser, and takes tests from another when it is done.
set -- "$here/.venv/bin/python" -m pytest -q -p no:cacheprovider -n "${LIVETAPE_WORKERS:-3}" \
  --dist worksteal "$@"
[ "$(id -u)" = 0 ] || exec "$@" "$here"
status=0
scripts/unprivileged.sh "$@" --ignore "$here/test_bus_hosts.py" "$here" || status=$?
[ -z "${LIVETAPE_ALL:-}" ] || "$@" "$here/test_bus_hosts.py" || status=$?
exit "$status"

#!/bin/sh
# Runs the browser tests against the real server in a real browser, without capabilities whoever
# starts it. LIVETAPE_ALL=1 runs also those that are marked `thorough`, and every size, theme and
# language. Tests of several machines make network namespaces, so root runs those as root.
#   Tests/BrowserTests/run.sh [pytest arguments]
# LIVETAPE_BIN names the program (.build/debug/livetape); LIVETAPE_ADDRESS a server that already runs;
# LIVETAPE_WORKERS how many run tests at a time (3; 0 for one process with everything on screen);
# CHROMIUM a browser other than Debian's chromium-headless-shell (browsers.py).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
"$here/prepare.sh"
# Each worker has a server and a browser of its own, and takes tests from the other when it is done.
set -- "$here/.venv/bin/python" -m pytest -q -p no:cacheprovider -n "${LIVETAPE_WORKERS:-3}" \
  --dist worksteal "$@"
[ "$(id -u)" = 0 ] || exec "$@" "$here"
status=0
scripts/unprivileged.sh "$@" --ignore "$here/test_bus_hosts.py" "$here" || status=$?
[ -z "${LIVETAPE_ALL:-}" ] || "$@" "$here/test_bus_hosts.py" || status=$?
exit "$status"

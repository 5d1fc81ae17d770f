#!/usr/bin/env bash
# Runs a command as a user without capabilities, as a service or a container would:
#   scripts/unprivileged.sh COMMAND…
# Root becomes "nobody" in a user namespace, which keeps its files readable; without user
# namespaces, root drops its capabilities. Any other user runs the command unchanged.
set -euo pipefail

[ "$(id -u)" = 0 ] || exec "$@"
as_nobody=(unshare --user --map-user=65534 --map-group=65534 setpriv --no-new-privs)
without=(setpriv --inh-caps=-all --ambient-caps=-all --bounding-set=-all --no-new-privs)
for run in as_nobody without; do
  declare -n wrapper=$run
  if "${wrapper[@]}" grep -qE '^CapEff:\s+0+$' /proc/self/status 2>/dev/null; then
    exec "${wrapper[@]}" "$@"
  fi
done
echo "livetape: root can't drop its capabilities here (unshare and setpriv both failed)" >&2
exit 1

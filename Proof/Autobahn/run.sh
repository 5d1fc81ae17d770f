#!/usr/bin/env bash
# The Autobahn test suite, groups 1 to 7 and 10, against both ends of SocketTransport. Needs a
# Python 2.7 (PYTHON2 names it) and installs itself from PyPI into .build/autobahn. Not part of
# `make test`; its results are in docs/reliability.md.
set -uo pipefail
cd "$(dirname "$0")/../.."
here=Proof/Autobahn
out=.build/autobahn
echo_host=.build/debug/websocket-echo
python2=${PYTHON2:-$(command -v python2.7)}

if [ -z "$python2" ] || ! "$python2" --version >/dev/null 2>&1; then
  echo "autobahn: the suite runs on Python 2.7 only, and there is none; PYTHON2=… names one" >&2
  exit 2
fi
mkdir -p "$out"
if [ ! -x "$out/suite/bin/wstest" ]; then
  echo "autobahn: installing autobahntestsuite 0.8.2"
  python3 -m venv "$out/tools" \
    && "$out/tools/bin/pip" -q --disable-pip-version-check install virtualenv==20.21.1 \
    && "$out/tools/bin/virtualenv" -q -p "$python2" "$out/suite" \
    && "$out/suite/bin/pip" -q install autobahntestsuite==0.8.2 2>/dev/null || exit 1
fi

children=()
trap 'for child in "${children[@]}"; do kill "$child" 2>/dev/null; done' EXIT

# until LOG PATTERN: waits for a line of a child's output.
until_said() {
  for _ in $(seq 300); do
    grep -q "$2" "$1" && return 0
    sleep 0.1
  done
  cat "$1"
  return 1
}

cases='"cases": ["1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "10.*"], "exclude-cases": [], "exclude-agent-cases": {}'

"$echo_host" server 0 >"$out/server.log" 2>&1 &
children+=($!)
until_said "$out/server.log" "listening on" || exit 1
port=$(grep -oE '[0-9]+$' "$out/server.log" | head -n 1)
rm -rf "$out/reports"
cat >"$out/against-server.json" <<JSON
{"outdir": "$out/reports/server", "servers": [{"agent": "server", "url": "ws://127.0.0.1:$port"}], $cases}
JSON
"$out/suite/bin/wstest" -m fuzzingclient -s "$out/against-server.json" >"$out/wstest-client.log" 2>&1

fuzzer=$((20000 + RANDOM % 10000))
cat >"$out/against-client.json" <<JSON
{"outdir": "$out/reports/client", "url": "ws://127.0.0.1:$fuzzer", $cases}
JSON
PYTHONUNBUFFERED=1 "$out/suite/bin/wstest" -m fuzzingserver -s "$out/against-client.json" >"$out/wstest-server.log" 2>&1 &
children+=($!)
until_said "$out/wstest-server.log" "Fuzzing Server (Port" || exit 1
timeout 300 "$echo_host" client "ws://127.0.0.1:$fuzzer" client >"$out/client.log" 2>&1

python3 "$here/results.py" "$out/reports/server/index.json" "$out/reports/client/index.json"

#!/usr/bin/env bash
# Runs the Swift tests of the last build, each target in a separate process, longest first. Tests
# within a process run one after another, since many block a thread while they wait for another one.
#   scripts/swift-tests.sh FOLDER [TARGET…]    leaves a log for each target in FOLDER; prints failures
# LIVETAPE_JOBS sets the number of concurrent processes (6).
set -uo pipefail
cd "$(dirname "$0")/.."
folder=$1
shift
bundle=$(swift build --show-bin-path)/livetapePackageTests.xctest
# Longest first. Suites that mostly wait run in a separate process.
long=(EndToEndTests EndToEndTests.WatchTableTests EndToEndTests.CommandTests EndToEndTests.FaultTests
  SharedLedgerTests.LedgerIdentityTests PhoneAppTests VenueSimulatorTests MessageBusTests
  OrderLedgerTests MarketSimulationTests HistoryStoreTests PhonePreviewsTests RepositoryRulesTests)
targets=$(swift package describe --type json 2>/dev/null |
  python3 -c 'import json, sys; print(*(t["name"] for t in json.load(sys.stdin)["targets"] if t["type"] == "test"), sep="\n")')
[ $# -eq 0 ] || targets=$(printf '%s\n' "$@" | grep -xF "$targets")
suites=$(printf '%s\n' "${long[@]}" | grep -F .)
run() {
  # Tests that wait for real sockets and processes go before those that compute.
  local unit=$2 skip=() nice=(nice -n 5)
  [ "${unit%%.*}" != EndToEndTests ] || nice=()
  for suite in $suites; do [ "${suite%.*}" != "$unit" ] || skip+=(--skip "^$suite/"); done
  "${nice[@]}" timeout --kill-after=30 1800 "$bundle" --testing-library swift-testing --no-parallel \
    --filter "^${unit/./\\.}[./]" "${skip[@]}" >"$1/$unit.log" 2>&1 || echo "$unit" >>"$1/failed"
}
export -f run
export bundle suites
{
  for unit in "${long[@]}"; do grep -qxF "${unit%.*}" <<<"$targets" && echo "$unit"; done
  grep -vxFf <(printf '%s\n' "${long[@]}") <<<"$targets"
} | xargs -P "${LIVETAPE_JOBS:-6}" -I{} bash -c 'run "$0" "$1"' "$folder" {}
[ -e "$folder/failed" ] || exit 0
while read -r target; do
  echo "$target:"
  grep -avE '^[^A-Za-z]*(Test|Suite|Test case) .*(started|passed)' "$folder/$target.log"
done <"$folder/failed"
exit 1

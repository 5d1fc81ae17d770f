#!/usr/bin/env bash
# Runs the Swift tests of the last build, each target in a process of its own, longest first. Tests
# of one process run one after another, since many block a thread while they wait for another one.
#   scripts/swift-tests.sh FOLDER [JOBS]    leaves a log for each target in FOLDER
set -uo pipefail
cd "$(dirname "$0")/.."
folder=$1
bundle=$(swift build --show-bin-path)/livetapePackageTests.xctest
# Those that take half a minute and more.
long=(EndToEndTests OrderLedgerTests RepositoryRulesTests MarketSimulationTests FeedConnectionsTests
  PhoneAppTests HistoryStoreTests PhonePreviewsTests SharedLedgerTests LivetapeServerTests)
targets=$(swift package describe --type json 2>/dev/null |
  python3 -c 'import json, sys; print(*(t["name"] for t in json.load(sys.stdin)["targets"] if t["type"] == "test"), sep="\n")')
run() {
  timeout --kill-after=30 1800 "$bundle" --testing-library swift-testing --no-parallel \
    --filter "^$2\\." >"$1/$2.log" 2>&1 || echo "$2" >>"$1/failed"
}
export -f run
export bundle
{
  printf '%s\n' "${long[@]}" | grep -xF "$targets"
  grep -vxFf <(printf '%s\n' "${long[@]}") <<<"$targets"
} | xargs -P "${2:-3}" -I{} bash -c 'run "$0" "$1"' "$folder" {}
[ ! -e "$folder/failed" ]

#!/usr/bin/env bash
# All tests, in the order of their speed; the closing line counts them.
set -uo pipefail
cd "$(dirname "$0")/.."
exec </dev/null
# The runners' lines begin with signs outside ASCII.
export LC_ALL=C.UTF-8
scripts/require-swift.sh || exit 1
log=$(mktemp -d) || exit 1
trap 'rm -rf "$log"' EXIT
failed=0

echo "== Formatting and documentation"
scripts/lint.sh || failed=$((failed + 1))

echo "== Swift tests"
scripts/apt-install.sh libsqlite3-dev libssl-dev || exit 1
scripts/apt-install.sh nats-server ||
  echo "nats-server: NOT INSTALLED, so the tests against a real broker are skipped" >&2
scripts/apt-install.sh iproute2 ||
  echo "iproute2: NOT INSTALLED, so the tests of several machines are skipped" >&2
python3 -c 'import ensurepip, venv' 2>/dev/null || scripts/apt-install.sh python3-venv || exit 1
scripts/build-wasm.sh || exit 1
scripts/build-page.sh || exit 1
# A registry that fails once is asked again.
for attempt in 1 2 3; do
  swift package resolve && break
  [ "$attempt" = 3 ] || sleep 10
done
# Compilers give way to the pages that are tested beside them.
build() {
  nice -n 19 swift build "$@" >"$log/build" 2>&1
  local status=$?
  grep -aE 'error:|warning:' "$log/build" | head -n 40
  tail -n 5 "$log/build"
  if [ "$status" -ne 0 ]; then
    [ -n "${browser-}" ] && kill "$browser"
    echo "0 passed, 1 failed"
    exit 1
  fi
}
# The browser waits more than it works: it begins once there is a server, beside the rest of the
# build, the programs to fuzz and the Swift tests.
build --product livetape
timeout --kill-after=30 3000 Tests/BrowserTests/run.sh >"$log/browser" 2>&1 &
browser=$!
build --build-tests
nice -n 19 Fuzz/run.sh 0 build-smoke >"$log/fuzz-build" 2>&1 &
fuzz_build=$!
timeout --kill-after=30 2400 scripts/unprivileged.sh swift test --skip-build --no-parallel 2>&1 |
  tee "$log/swift" | grep -avE '^[^A-Za-z]*(Test|Suite) .*(started|passed)'
swift_status=${PIPESTATUS[0]}

echo "== Fuzzing"
wait "$fuzz_build" || cat "$log/fuzz-build"
timeout --kill-after=30 1200 Fuzz/run.sh 1 smoke >"$log/fuzz" 2>&1
fuzz_status=$?
cat "$log/fuzz"

echo "== Browser tests"
wait "$browser"
browser_status=$?
cat "$log/browser"

count() { grep -aoE "$2" "$1" | tail -n 1 | grep -oE '[0-9]+' | head -n 1; }
sum() { grep -aE '^[^ ].* in [0-9.]+s' "$1" | grep -oE "$2" | awk '{n += $1} END {print n + 0}'; }
swift_ran=$(count "$log/swift" 'Test run with [0-9]+ test')
swift_failed=$(grep -acE '^[^A-Za-z]*Test ".*" .*failed after' "$log/swift")
browser_passed=$(sum "$log/browser" '[0-9]+ passed')
browser_failed=$(sum "$log/browser" '[0-9]+ failed')
browser_errors=$(sum "$log/browser" '[0-9]+ error')
fuzz_ran=$(count "$log/fuzz" '^fuzz: [0-9]+ targets')
fuzz_failed=$(count "$log/fuzz" '[0-9]+ with findings')
[ "$swift_status" -ne 0 ] && [ "$swift_failed" -eq 0 ] && swift_failed=1
# Without its closing line it was not built, or took too long.
[ "$fuzz_status" -ne 0 ] && [ "${fuzz_failed:-0}" -eq 0 ] && fuzz_failed=1
failed=$((failed + swift_failed + ${browser_failed:-0} + ${browser_errors:-0} + ${fuzz_failed:-0}))
[ "$browser_status" -ne 0 ] && [ "$failed" -eq 0 ] && failed=1
fuzz_passed=$((${fuzz_ran:-0} > ${fuzz_failed:-0} ? ${fuzz_ran:-0} - ${fuzz_failed:-0} : 0))
passed=$((${swift_ran:-0} - swift_failed + ${browser_passed:-0} + fuzz_passed))
echo "Swift tests: ${swift_ran:-0} ran; browser tests: ${browser_passed:-0} passed;" \
  "fuzz targets: $fuzz_passed without findings"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

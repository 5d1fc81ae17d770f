#!/usr/bin/env bash
# Runs the tests; the closing line counts them.
#   scripts/test.sh        what `make test` runs
#   scripts/test.sh all    everything, with full counts of kills, seeds and faults, and the fuzz targets
set -uo pipefail
cd "$(dirname "$0")/.."
exec </dev/null
# The runners' lines begin with characters outside ASCII.
export LC_ALL=C.UTF-8
scripts/preflight.sh 4 || exit 1
log=$(mktemp -d) || exit 1
trap 'rm -rf "$log"' EXIT
failed=0
[ "${1-}" = all ] && export LIVETAPE_ALL=1

# Runs a part of the work and records its duration.
part() {
  local name=$1 start=$SECONDS status=0
  shift
  "$@" || status=$?
  printf '%5d s  %s\n' $((SECONDS - start)) "$name" >>"$log/parts"
  return "$status"
}

build() {
  swift build "$@" >"$log/build" 2>&1
  local status=$?
  grep -aE 'error:|warning:' "$log/build" | head -n 40
  tail -n 5 "$log/build"
  if [ "$status" -ne 0 ]; then
    echo "0 passed, 1 failed"
    exit 1
  fi
}

resolve() {
  # A registry may fail once.
  for attempt in 1 2 3; do
    swift package resolve && return
    [ "$attempt" = 3 ] || sleep 10
  done
}

echo "== Build"
scripts/apt-install.sh libsqlite3-dev libssl-dev || exit 1
scripts/apt-install.sh nats-server ||
  echo "nats-server: NOT INSTALLED, so the tests against a real broker are skipped" >&2
scripts/apt-install.sh iproute2 ||
  echo "iproute2: NOT INSTALLED, so the tests of several machines are skipped" >&2
python3 -c 'import ensurepip, venv' 2>/dev/null || scripts/apt-install.sh python3-venv || exit 1
# The page is embedded in the program, so it is built along with the dependencies, before the
# program.
{
  part "page and its WebAssembly" eval 'scripts/build-wasm.sh && scripts/build-page.sh' &&
    part "browser and its Python" Tests/BrowserTests/prepare.sh
} >"$log/page" 2>&1 &
page=$!
part "download of the dependencies" resolve
part "build of the dependencies" build --target SocketServer
wait "$page" || failed=$((failed + 1))
cat "$log/page"
part "format, documentation, types" scripts/lint.sh >"$log/lint" 2>&1 &
lint=$!
part "build of program and tests" build --build-tests
wait "$lint" || failed=$((failed + 1))
cat "$log/lint"
if [ -n "${LIVETAPE_ALL-}" ]; then
  nice -n 19 Proof/Fuzz/run.sh 0 build-smoke >"$log/fuzz-build" 2>&1 &
  fuzz_build=$!
fi

echo "== Tests"
# Both wait more than they work, so they run concurrently.
part "browser tests" timeout --kill-after=30 3000 Tests/BrowserTests/run.sh --durations=10 \
  >"$log/browser" 2>&1 &
browser=$!
mkdir "$log/swift"
part "Swift tests" scripts/unprivileged.sh scripts/swift-tests.sh "$log/swift"
swift_status=$?
wait "$browser"
browser_status=$?
cat "$log/browser"

if [ -n "${LIVETAPE_ALL-}" ]; then
  echo "== Availability for iOS 17"
  part "availability for iOS 17" scripts/ios-availability.sh || failed=$((failed + 1))
  echo "== Branches of Apple's systems"
  part "branches of Apple's systems" scripts/apple-branches.sh || failed=$((failed + 1))
fi

if [ -n "${fuzz_build-}" ]; then
  echo "== Fuzzing"
  wait "$fuzz_build" || cat "$log/fuzz-build"
  part "fuzzing" timeout --kill-after=30 1200 Proof/Fuzz/run.sh 1 smoke >"$log/fuzz" 2>&1
  fuzz_status=$?
  cat "$log/fuzz"
fi

# sum FILE… PATTERN: adds up the numbers in front of the pattern.
sum() { grep -ahoE "[0-9]+ ${*: -1}" "${@:1:$#-1}" | awk '{n += $1} END {print n + 0}'; }
grep -aE '^[0-9]+ .* in [0-9.]+s' "$log/browser" >"$log/browser-ends"
swift_ran=$(grep -ah 'Test run with' "$log"/swift/*.log | grep -oE 'with [0-9]+ test' | awk '{n += $2} END {print n + 0}')
swift_failed=$(cat "$log"/swift/*.log | grep -acE '^[^A-Za-z]*Test ".*" .*failed after')
browser_passed=$(sum "$log/browser-ends" passed)
browser_failed=$(($(sum "$log/browser-ends" failed) + $(sum "$log/browser-ends" 'errors?')))
fuzz_ran=0 fuzz_failed=0
if [ -n "${fuzz_status-}" ]; then
  fuzz_ran=$(sum "$log/fuzz" targets)
  fuzz_failed=$(sum "$log/fuzz" 'with findings')
  [ "$fuzz_status" -ne 0 ] && [ "$fuzz_failed" -eq 0 ] && fuzz_failed=1
fi
# Without its closing line a part was not built, crashed or took too long.
[ "$swift_status" -ne 0 ] && [ "$swift_failed" -eq 0 ] && swift_failed=1
[ "$browser_status" -ne 0 ] && [ "$browser_failed" -eq 0 ] && browser_failed=1
failed=$((failed + swift_failed + browser_failed + fuzz_failed))
passed=$((swift_ran - swift_failed + browser_passed + (fuzz_ran > fuzz_failed ? fuzz_ran - fuzz_failed : 0)))

echo "== Time"
cat "$log/parts"
echo "The ten slowest Swift tests:"
cat "$log"/swift/*.log | sed -nE 's/^[^A-Za-z]*Test (".*") (with .* )?(passed|failed) after ([0-9.]+) seconds.*/\4 s  \1/p' |
  sort -rn | head -n 10
echo "Swift tests: $swift_ran ran; browser tests: $browser_passed passed;" \
  "fuzz targets: $fuzz_ran ran"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

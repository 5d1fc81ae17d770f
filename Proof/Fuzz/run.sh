#!/usr/bin/env bash
# Fuzzes each target for a while; a crash leaves its input in .build/fuzz/findings.
#   Proof/Fuzz/run.sh [SECONDS] [TARGET…]  without targets all; `parsers` and `stack` are all of a kind
#   FUZZ_RUNS=N                            ends each target after N executions, if that is sooner
#   FUZZ_JOBS=N                            runs N targets at a time (1)
# `smoke` runs all from their seeds alone, one a processor at a time, for scripts/test.sh; builds
# without optimisation, which takes a fraction of the time. `build-smoke` only builds them.
set -euo pipefail
cd "$(dirname "$0")/../.."
parsers=(json json-values json-plain decimal utf8 http-date bitmex-decoder kraken-decoder bitmex-session kraken-session
  coinbase-decoder coinbase-session coinbase-history
  okx-decoder okx-session okx-history bybit-decoder bybit-session bybit-linear-session bybit-history
  binance-decoder binance-session binance-history
  coinbase-list okx-list bybit-list bybit-linear-list binance-list
  bitmex-book kraken-book isin-message isin-session bux-message bux-session bux-http echo-message
  echo-session tick-line tick-session kraken-history bitmex-history kraken-tickers book-rows
  recording nats nats-info nats-link nats-address tape-record tape-pulse tape-wants tape-reply tape-question
  tape-answer tape-pieces tape-lines ledger-command ledger-response ledger-notices page-request
  script-request script-socket script-topic lists alerts truth faults link ledger)
stack=(bitmex kraken tick page isin bux product history echo)

# The program of a target.
program_of() {
  case $1 in
    json | json-values | json-plain | decimal) echo json ;;
    utf8 | http-date) echo text ;;
    recording | ledger) echo "$1" ;;
    page-request | script-* | lists | alerts | truth | faults | link) echo server ;;
    nats* | tape-* | ledger-*) echo bus ;;
    bitmex | kraken | tick | page | isin | bux | product | history | echo) echo topics ;;
    *) echo venues ;;
  esac
}

# Its dictionary, next to the common one.
dictionary_of() {
  case $1 in
    bitmex-history | kraken-history | coinbase-history | kraken-tickers | history) echo history ;;
    bitmex*) echo bitmex ;;
    kraken*) echo kraken ;;
    coinbase*) echo coinbase ;;
    okx-history | bybit-history | binance-history) echo history ;;
    binance*) echo binance ;;
    bybit*) echo bybit ;;
    okx*) echo okx ;;
    tick*) echo tick ;;
    bux-http | product) echo products ;;
    isin* | bux* | echo*) echo quotes ;;
    page*) echo page ;;
    lists | alerts | truth) echo kept ;;
    nats*) echo nats ;;
    tape-*) echo tape ;;
    script-*) echo scripts ;;
    ledger-*) echo ledger ;;
    utf8 | http-date) echo text ;;
    recording | faults | link | ledger) echo "$1" ;;
    *) echo common ;;
  esac
}

seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=()
is_smoke=no
is_build=no
for name in "$@"; do
  case $name in
    parsers) targets+=("${parsers[@]}") ;;
    stack) targets+=("${stack[@]}") ;;
    smoke | build-smoke)
      is_smoke=yes
      [ "$name" = build-smoke ] && is_build=yes
      targets+=("${parsers[@]}" "${stack[@]}")
      ;;
    *) targets+=("$name") ;;
  esac
done
[ ${#targets[@]} -eq 0 ] && targets=("${parsers[@]}" "${stack[@]}")

out="$PWD/.build/fuzz"
jobs_at_once=${FUZZ_JOBS:-1}
if [ "$is_smoke" = yes ]; then
  out="$PWD/.build/fuzz-smoke"
  export FUZZ_OPTIMIZE=-Onone
  jobs_at_once=${FUZZ_JOBS:-$(nproc)}
fi
mapfile -t programs < <(for target in "${targets[@]}"; do program_of "$target"; done | sort -u)
FUZZ_OUT="$out" Proof/Fuzz/build.sh "${programs[@]}"
[ "$is_build" = yes ] && exit
python3 Proof/Fuzz/seeds.py "$out/seeds"
mkdir -p "$out/findings"
corpus="$out/corpus"
if [ "$is_smoke" = yes ]; then
  corpus=$(mktemp -d)
  trap 'rm -rf "$corpus"' EXIT
fi
# Swift's own crash handler would conflict with AddressSanitizer's.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS="detect_leaks=0:quarantine_size_mb=16:${ASAN_OPTIONS:-}"

# Runs one target; leaves its line of figures and its status in files.
run_target() {
  local target=$1 began status=0 ran milliseconds
  mkdir -p "$corpus/$target" "$out/seeds/$target"
  cat Proof/Fuzz/dictionaries/{common,"$(dictionary_of "$target")"}.txt | sort -u >"$out/$target.dict"
  began=$(date +%s%N)
  FUZZ_TARGET=$target timeout --kill-after=10 $((seconds + 60)) \
    "$out/fuzz-$(program_of "$target")" -max_total_time="$seconds" -runs="${FUZZ_RUNS:--1}" \
    -dict="$out/$target.dict" -artifact_prefix="$out/findings/$target-" -print_final_stats=1 \
    -timeout=10 -rss_limit_mb=2048 -max_len=16384 "$corpus/$target" "$out/seeds/$target" \
    >"$out/$target.log" 2>&1 </dev/null || status=$?
  ran=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$target.log")
  milliseconds=$((($(date +%s%N) - began) / 1000000))
  echo "$status ${ran:-0}" >"$out/$target.result"
  printf 'fuzz: %-16s %12d executions %8d a second\n' "$target" "${ran:-0}" \
    $((${ran:-0} * 1000 / (milliseconds + 1)))
}

running=0
for target in "${targets[@]}"; do
  rm -f "$out/$target.result"
  if [ "$running" -ge "$jobs_at_once" ]; then
    wait -n
    running=$((running - 1))
  fi
  run_target "$target" &
  running=$((running + 1))
done
wait
failed=0
total=0
for target in "${targets[@]}"; do
  read -r status ran <"$out/$target.result"
  total=$((total + ran))
  if [ "$status" -ne 0 ]; then
    failed=$((failed + 1))
    echo "fuzz: $target FAILED with status $status"
    grep -avE '^#[0-9]+|^INFO|^ParseDictionary' "$out/$target.log" | tail -n 30
  fi
done
echo "fuzz: ${#targets[@]} targets, $total executions, $failed with findings"
[ "$failed" -eq 0 ]

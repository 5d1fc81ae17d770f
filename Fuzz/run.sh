#!/usr/bin/env bash
# Fuzzes each target for a while; a crash leaves its input in .build/fuzz/findings.
#   Fuzz/run.sh [SECONDS] [TARGET…]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=("$@")
[ ${#targets[@]} -eq 0 ] && targets=(bitmex kraken tick page isin bux product history echo ledger)
Fuzz/build.sh
out="$PWD/.build/fuzz"
python3 Fuzz/seeds.py "$out/seeds"
mkdir -p "$out/findings"
failed=0
for target in "${targets[@]}"; do
  mkdir -p "$out/corpus/$target" "$out/seeds/$target"
  program="$out/fuzz-topics"
  [ "$target" = ledger ] && program="$out/fuzz-ledger"
  echo "== fuzz: $target for $seconds s"
  if ! FUZZ_TARGET=$target "$program" -max_total_time="$seconds" -dict=Fuzz/dictionary.txt \
    -artifact_prefix="$out/findings/$target-" -print_final_stats=1 -timeout=10 -rss_limit_mb=2048 \
    -max_len=16384 "$out/corpus/$target" "$out/seeds/$target" >"$out/$target.log" 2>&1; then
    failed=$((failed + 1))
    echo "== fuzz: $target FAILED"
    tail -n 30 "$out/$target.log"
  fi
  grep -E 'number_of_executed_units|Done ' "$out/$target.log" || true
done
echo "fuzz: ${#targets[@]} targets, $failed with findings"
[ "$failed" -eq 0 ]

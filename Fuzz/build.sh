#!/usr/bin/env bash
# Builds the pure modules, the page's topics and the two harnesses with libFuzzer's coverage and
# AddressSanitizer. Build products go to .build/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
out="$PWD/.build/fuzz"
mkdir -p "$out"
flags=(-sanitize=fuzzer,address -O -g -parse-as-library -swift-version 6
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility
  -I "$out" -package-name livetape -enable-testing)

# module NAME FILE… : an object and its module.
module() {
  local name=$1
  shift
  echo "fuzz: building $name"
  (cd "$out" && swiftc "${flags[@]}" -wmo -module-name "$name" -emit-module \
    -emit-module-path "$out/$name.swiftmodule" -c -o "$out/$name.o" "$@")
}

sources() { find "$PWD/Sources/$1" -name '*.swift' | sort; }

modules=(MarketModel WireJSON OrderBook PaperTrading ChartModel MarketHistory VenueProtocols
  MarketStreams AppState)
for name in "${modules[@]}"; do
  mapfile -t files < <(sources "$name")
  module "$name" "${files[@]}"
done
# What the page's topics need of the ledger, without SQLite.
module OrderLedger "$PWD/Fuzz/LedgerErrorStandIn.swift"
module OrderService "$PWD/Sources/OrderService/ClientCommand.swift"
mapfile -t files < <(sources LivetapeServer/Topics; sources LivetapeServer/PageProtocol
  find "$PWD/Sources/LivetapeServer/Lists" -name ListCommand.swift)
module LivetapeServer "${files[@]}"

echo "fuzz: linking"
objects=("${modules[@]/#/$out/}")
objects=("${objects[@]/%/.o}")
swiftc "${flags[@]}" -module-name FuzzTopics "$PWD"/Fuzz/{Harness,Rig}.swift "${objects[@]}" \
  "$out"/{OrderLedger,OrderService,LivetapeServer}.o -o "$out/fuzz-topics"
swiftc "${flags[@]}" -module-name FuzzLedger "$PWD/Fuzz/LedgerHarness.swift" \
  "$PWD"/Sources/OrderLedger/EventCodec*.swift "$PWD/Sources/OrderLedger/PayloadReader.swift" \
  "$out"/{MarketModel,WireJSON,PaperTrading}.o -o "$out/fuzz-ledger"

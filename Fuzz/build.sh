#!/usr/bin/env bash
# Builds what is fuzzed, with libFuzzer's coverage and AddressSanitizer, into .build/fuzz. Modules
# that are newer than their sources are kept; as many are built at a time as there are processors.
#   Fuzz/build.sh [PROGRAM…]       without one all: json text venues recording server topics ledger
set -euo pipefail
cd "$(dirname "$0")/.."
out="$PWD/.build/fuzz"
mkdir -p "$out"
programs=("$@")
[ ${#programs[@]} -eq 0 ] && programs=(json text venues recording server topics ledger)
flags=(-sanitize=fuzzer,address -O -gline-tables-only -parse-as-library -swift-version 6
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility
  -I "$out" -package-name livetape -enable-testing -suppress-warnings)

sources() { find "${@/#/$PWD/Sources/}" -name '*.swift' | sort; }

# module NAME FILE…: an object and its module, unless all its files, and all modules that are there,
# are older.
module() {
  local name=$1
  shift
  [ -e "$out/$name.o" ] \
    && [ -z "$(find "$@" -newer "$out/$name.o" -print -quit)" ] \
    && { [ ${#uses[@]} -eq 0 ] \
      || [ -z "$(find "${uses[@]/#/$out/}" -newer "$out/$name.o" -print -quit)" ]; } \
    && return
  echo "fuzz: building $name"
  (cd "$out" && swiftc "${flags[@]}" -wmo -module-name "$name" -emit-module \
    -emit-module-path "$out/$name.swiftmodule" -c -o "$out/$name.o" "$@")
  # The compiler leaves an object that stays the same as it is, with its time.
  touch "$out/$name.o"
}

# What a module is made of. Where nothing but a few types is needed, only their files are taken, so
# that neither NIO nor SQLite has to be built.
make_module() {
  local files
  case $1 in
    FeedConnections) files=$(sources FeedConnections/Alerts/AlertCommand.swift) ;;
    VenueSimulator) files="$PWD/Fuzz/Stack/ResponseFaultStandIn.swift
      $(sources VenueSimulator/Faults/Fault{Spec,Order,Reader,Plan}.swift)" ;;
    SimulatorServer) files=$(sources SimulatorServer/VenueFaults.swift) ;;
    SocketTransport) files=$(sources SocketTransport/HTTPDate.swift \
      SocketTransport/WebSocket/UTF8Checker.swift) ;;
    OrderLedger) files="$PWD/Fuzz/Stack/LedgerErrorStandIn.swift" ;;
    OrderService) files=$(sources OrderService/ClientCommand.swift) ;;
    LivetapeServer) files=$(sources LivetapeServer/{Topics,PageProtocol,Truth,Alerts,Latency} \
      LivetapeServer/Kept/KeptValues.swift LivetapeServer/Lists/ListCommand.swift \
      LivetapeServer/Faults/{FaultCommand,FaultsTopic,TopicServer+faults}.swift \
      LivetapeServer/ScriptAPI/{PageValue+scripts,ScriptProblem,ScriptSocketMessage}.swift \
      LivetapeServer/ScriptAPI/{ScriptTopics,ScriptObjects,ScriptObjects+orders,ScriptPositions}.swift \
      LivetapeServer/ScriptAPI/TopicServer+scripts.swift) ;;
    *) files=$(sources "$1") ;;
  esac
  # shellcheck disable=SC2086
  module "$1" $files
}

jobs_at_once=${FUZZ_JOBS:-$(nproc)}
uses=()
# step MODULE…: modules that do not need each other.
step() {
  local name pids=()
  for name in "$@"; do
    make_module "$name" &
    pids+=($!)
    if [ ${#pids[@]} -ge "$jobs_at_once" ]; then
      wait "${pids[0]}"
      pids=("${pids[@]:1}")
    fi
  done
  for name in "${pids[@]}"; do wait "$name"; done
  uses+=("${@/%/.swiftmodule}")
}

# program NAME MODULES FILE…: links one, unless it is newer than all that is in it.
program() {
  local name=$1 objects=() module
  for module in $2; do objects+=("$out/$module.o"); done
  shift 2
  local files=("${@/#/$PWD/}")
  [ -e "$out/fuzz-$name" ] \
    && [ -z "$(find "${files[@]}" "${objects[@]}" -newer "$out/fuzz-$name" -print -quit)" ] \
    && return
  echo "fuzz: linking fuzz-$name"
  (cd "$out" && swiftc "${flags[@]}" -wmo -module-name "Fuzz_$name" "${files[@]}" "${objects[@]}" \
    -o "$out/fuzz-$name" 2> >(grep -v "Cannot export local symbol '__asan" >&2))
  touch "$out/fuzz-$name"
}

wants() { [[ " ${programs[*]} " == *" $1 "* ]]; }

venues="MarketModel WireJSON OrderBook VenueProtocols"
server="$venues PaperTrading ChartModel PriceAlerts MarketHistory MarketStreams AppState
  FeedConnections VenueSimulator SimulatorServer OrderLedger OrderService LivetapeServer"
common="Fuzz/Failing.swift Fuzz/Parsers/Entry.swift"

step MarketModel
step WireJSON OrderBook
if wants text; then step SocketTransport; fi
if wants venues || wants recording || wants server || wants topics; then step VenueProtocols; fi
if wants ledger || wants server || wants topics; then step PaperTrading; fi
if wants server || wants topics; then
  step ChartModel PriceAlerts VenueSimulator OrderLedger
  step MarketHistory SimulatorServer OrderService
  step MarketStreams
  step AppState FeedConnections
  step LivetapeServer
fi

# shellcheck disable=SC2086
for name in "${programs[@]}"; do
  case $name in
    json) program json "MarketModel WireJSON" $common Fuzz/Parsers/JSONTargets.swift ;;
    text) program text SocketTransport $common Fuzz/Parsers/TextTargets.swift ;;
    venues) program venues "$venues" $common Fuzz/Checks.swift \
      Fuzz/Parsers/{VenueTargets,BookTargets}.swift ;;
    recording) program recording "$venues" $common Fuzz/Checks.swift \
      Fuzz/Parsers/RecordingTarget.swift Sources/livetape/Output/{RecordedLines,CommandFailure}.swift ;;
    server) program server "$server" $common Fuzz/Parsers/ServerTargets.swift ;;
    topics) program topics "$server" Fuzz/{Failing,Checks}.swift Fuzz/Stack/{Harness,Rig}.swift ;;
    ledger) program ledger "MarketModel WireJSON PaperTrading" Fuzz/Failing.swift \
      Fuzz/Stack/LedgerHarness.swift Sources/OrderLedger/EventCodec{,+reading,+writing}.swift \
      Sources/OrderLedger/PayloadReader.swift ;;
  esac
done

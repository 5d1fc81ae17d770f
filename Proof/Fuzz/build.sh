#!/usr/bin/env bash
# Builds the fuzz programs with libFuzzer's coverage and AddressSanitizer into .build/fuzz. Keeps
# what is newer than its sources; builds as many at a time as there are processors.
#   Proof/Fuzz/build.sh [PROGRAM…]  without one all: json text venues recording bus server topics ledger
#   FUZZ_OUT=FOLDER FUZZ_OPTIMIZE=-Onone   another folder, another optimisation
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${FUZZ_OUT:-$PWD/.build/fuzz}
mkdir -p "$out"
wanted=("$@")
[ ${#wanted[@]} -eq 0 ] && wanted=(json text venues recording bus server topics ledger)
jobs_at_once=${FUZZ_JOBS:-$(nproc)}
common=(-sanitize=fuzzer,address "${FUZZ_OPTIMIZE:--O}" -gline-tables-only -parse-as-library -wmo
  -I "$out" -I "$PWD/Sources/Core/CWireJSON/include" -suppress-warnings -enable-upcoming-feature MemberImportVisibility)
flags=("${common[@]}" -swift-version 6 -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature InternalImportsByDefault -package-name livetape -enable-testing)
nio_flags=("${common[@]}" -swift-version 5 -enable-experimental-feature Lifetimes
  -package-name swift-nio)
nio=$PWD/.build/checkouts/swift-nio/Sources

# The modules that each needs, all of them: nothing else makes it old.
book="MarketModel WireJSON OrderBook VenueCatalogue VenueProtocols"
buffers="_NIOBase64 NIOCore"
state="$book ChartModel PaperTrading PriceAlerts MarketHistory MarketStreams"
server="$state AppState FeedConnections VenueSimulator SimulatorServer OrderLedger OrderService
  $buffers NIOHTTP1 LivetapeServer"
streams="$book ChartModel MarketHistory MarketStreams"
bus="$streams $buffers SocketTransport MessageBus VenueTape PaperTrading OrderLedger OrderService
  SharedLedger"
declare -A needs=(
  [MarketModel]="" [_NIOBase64]="" [NIOCore]="_NIOBase64" [NIOHTTP1]="$buffers"
  [WireJSON]="MarketModel" [OrderBook]="MarketModel" [ChartModel]="MarketModel"
  [PaperTrading]="MarketModel" [OrderLedger]="" [PriceAlerts]="MarketModel WireJSON"
  [VenueCatalogue]="MarketModel"
  [VenueProtocols]="MarketModel WireJSON OrderBook VenueCatalogue"
  [VenueSimulator]="$book" [SimulatorServer]="$book VenueSimulator"
  [OrderService]="MarketModel PaperTrading OrderLedger"
  [MarketHistory]="MarketModel ChartModel" [MarketStreams]="$book ChartModel MarketHistory"
  [AppState]="$state" [FeedConnections]="$state"
  [LivetapeServer]="${server% LivetapeServer}" [SocketTransport]="$buffers"
  [MessageBus]="MarketModel WireJSON $buffers SocketTransport"
  [VenueTape]="$streams $buffers SocketTransport MessageBus"
  [SharedLedger]="$book $buffers PaperTrading OrderLedger OrderService"
  [fuzz-json]="MarketModel WireJSON" [fuzz-text]="$buffers SocketTransport" [fuzz-venues]="$book"
  [fuzz-recording]="$book" [fuzz-bus]="$bus" [fuzz-server]="$server" [fuzz-topics]="$server"
  [fuzz-ledger]="MarketModel WireJSON PaperTrading")

# The Swift files of folders and files of targets, in any house.
sources() {
  local IFS=
  find ${@/#/"$PWD"/Sources/*/} -name '*.swift' | sort
}

# The source files of a program. Where only a few types are needed, only their files are used, so
# that neither NIO's channels nor SQLite are built.
files_of() {
  local entry="Proof/Fuzz/Failing.swift Proof/Fuzz/Parsers/Entry.swift"
  case $1 in
    _NIOBase64) ls "$nio"/_NIOBase64/*.swift ;;
    NIOCore) ls Proof/Fuzz/Stack/NIOStandIn.swift \
      "$nio"/NIOCore/{IntegerTypes,IntegerBitPacking,CircularBuffer}.swift \
      "$nio"/NIOCore/ByteBuffer-{core,aux,int,views,conversions,hex}.swift \
      "$nio"/NIOCore/ByteBuffer-{lengthPrefix,binaryEncodedLengthPrefix}.swift ;;
    NIOHTTP1) ls "$nio"/NIOHTTP1/{HTTPTypes,ByteCollectionUtils}.swift ;;
    FeedConnections) sources FeedConnections/Alerts/AlertCommand.swift ;;
    VenueSimulator) ls Proof/Fuzz/Stack/ResponseFaultStandIn.swift
      sources VenueSimulator/Faults/Fault{Spec,Order,Reader,Plan}.swift ;;
    SimulatorServer) sources SimulatorServer/VenueFaults.swift ;;
    SocketTransport) sources SocketTransport/{HTTPDate,IPAddress,Endpoint}.swift \
      SocketTransport/WebSocket/UTF8Checker.swift ;;
    MessageBus) sources MessageBus/Nats/Nats{Address,Encoder,Error,Info,Message,Parser,Protocol}.swift \
      MessageBus/BusPulse.swift ;;
    VenueTape) sources VenueTape/Records ;;
    SharedLedger) sources SharedLedger/Records/{FlatObject,SentCommand,OrderResponse+bus}.swift \
      SharedLedger/Records/LedgerNotices.swift ;;
    OrderLedger) ls Proof/Fuzz/Stack/LedgerStandIns.swift ;;
    OrderService) sources OrderService/ClientCommand.swift ;;
    LivetapeServer) sources LivetapeServer/{Topics,PageProtocol,Truth,Latency} \
      LivetapeServer/Alerts/AlertTopic.swift \
      LivetapeServer/Kept/KeptValues.swift \
      LivetapeServer/Faults/{FaultCommand,FaultsTopic}.swift \
      LivetapeServer/ScriptAPI/{ScriptProblem,ScriptSocketMessage}.swift \
      LivetapeServer/ScriptAPI/{ScriptTopics,ScriptObjects}.swift \
      LivetapeServer/ScriptAPI/{ScriptPositions,ScriptRoute,ScriptRequest}.swift \
      LivetapeServer/ScriptAPI/TopicServer+scripts.swift ;;
    fuzz-json) ls $entry Proof/Fuzz/Parsers/JSONTargets.swift \
      Tests/WireJSONTests/{PlainJSONReader,ReaderComparison}.swift ;;
    fuzz-text) ls $entry Proof/Fuzz/Parsers/TextTargets.swift ;;
    fuzz-venues) ls $entry Proof/Fuzz/Checks.swift Proof/Fuzz/Parsers/{VenueTargets,BookTargets}.swift ;;
    fuzz-recording) ls $entry Proof/Fuzz/Checks.swift Proof/Fuzz/Parsers/RecordingTarget.swift \
      Sources/Server/livetape/Output/{RecordedLines,CommandFailure}.swift ;;
    fuzz-bus) ls $entry Proof/Fuzz/Parsers/{Bus,Tape,LedgerRecord}Targets.swift ;;
    fuzz-server) ls $entry Proof/Fuzz/Parsers/{ServerTargets,ScriptTargets}.swift ;;
    fuzz-topics) ls Proof/Fuzz/{Failing,Checks}.swift Proof/Fuzz/Stack/{Harness,Rig}.swift ;;
    fuzz-ledger) ls Proof/Fuzz/Failing.swift Proof/Fuzz/Stack/LedgerHarness.swift \
      Sources/Trading/OrderLedger/EventCodec.swift Sources/Trading/OrderLedger/PayloadReader.swift ;;
    *) sources "$1" ;;
  esac
}

# build NAME: an object and its module, or a program, unless it is newer than its sources.
build() {
  local name=$1 used=() objects=() file
  mapfile -t files < <(files_of "$name" | sed "s|^\([^/]\)|$PWD/\1|")
  for file in ${needs[$name]-}; do
    used+=("$out/$file.swiftmodule")
    objects+=("$out/$file.o")
  done
  local product=$out/$name
  [[ $name == fuzz-* ]] && used+=("${objects[@]}") || product+=.o
  [ -e "$product" ] \
    && [ -z "$(find "${files[@]}" "${used[@]}" -newer "$product" -print -quit)" ] && return
  echo "fuzz: building $name"
  local own=("${flags[@]}")
  case $name in
    *NIO*) own=("${nio_flags[@]}") ;;
  esac
  case $name in
    fuzz-*) (cd "$out" && swiftc "${own[@]}" -module-name "${name/-/_}" "${files[@]}" "${objects[@]}" \
      -o "$product" 2> >(grep -v "Cannot export local symbol '__asan" >&2)) ;;
    *) (cd "$out" && swiftc "${own[@]}" -module-name "$name" -emit-module \
      -emit-module-path "$out/$name.swiftmodule" -c -o "$product" "${files[@]}") ;;
  esac
  # The compiler leaves unchanged outputs with their old time.
  touch "$product"
}

# Everything that the programs need, each once and after its own dependencies.
declare -A state_of=()
waiting=()
want() {
  local name
  [ -n "${state_of[$1]-}" ] && return
  state_of[$1]=waiting
  for name in ${needs[$1]-}; do want "$name"; done
  waiting+=("$1")
}
for name in "${wanted[@]}"; do want "fuzz-$name"; done
if [ -n "${state_of[NIOCore]-}" ] && [ ! -d "$nio/NIOCore" ]; then swift package resolve; fi

is_ready() {
  local name
  for name in ${needs[$1]-}; do [ "${state_of[$name]}" = done ] || return 1; done
}
declare -A running=()
while [ ${#waiting[@]} -gt 0 ] || [ ${#running[@]} -gt 0 ]; do
  later=()
  for name in "${waiting[@]}"; do
    if [ ${#running[@]} -lt "$jobs_at_once" ] && is_ready "$name"; then
      build "$name" &
      running[$!]=$name
    else
      later+=("$name")
    fi
  done
  waiting=("${later[@]}")
  wait -n -p finished "${!running[@]}"
  state_of[${running[$finished]}]=done
  unset "running[$finished]"
done

#!/usr/bin/env bash
# Compiles the page's shared Swift code with the toolchain's Embedded Swift: the chart (BrowserCore)
# to Web/page/assets/core.wasm, the order ticket (BrowserTicket) to ticket.wasm and the proof of
# books (BrowserProof) to proof.wasm. Three files, so that no chart waits for the ticket and no book
# for the chart. Takes seconds; does nothing when all are up to date.
#   scripts/build-wasm.sh --force    builds in any case
#   scripts/build-wasm.sh --replay   builds the recording replayer for a test instead, which the
#                                    page does not load, to .build-wasm-replay/replay.wasm
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-none-wasm
assets=Web/page/assets
work=.build-wasm
modules=(MarketModel ChartModel TicketModel)
sources=(Sources/*/{MarketModel,ChartModel,TicketModel,BrowserCore,BrowserTicket,BrowserProof})
outputs=(core.wasm ticket.wasm proof.wasm)
if [ "${1:-}" = "--replay" ]; then
  work=.build-wasm-replay
  assets=$work
  modules=(MarketModel OrderBook WireJSON VenueCatalogue VenueProtocols)
  sources=(Sources/*/{MarketModel,OrderBook,WireJSON,VenueCatalogue,VenueProtocols}
    Tests/BrowserTests/replay)
  outputs=(replay.wasm)
fi

fail() {
  echo "build-wasm: $1" >&2
  exit 1
}

is_new() {
  [ -f "$assets/$1" ] && [ -z "$(find "${sources[@]}" "$0" -newer "$assets/$1" -print -quit)" ]
}

are_new() {
  local output
  for output in "${outputs[@]}"; do is_new "$output" || return 1; done
}

if [ "${1:-}" != "--force" ] && are_new; then exit 0; fi

command -v swiftc >/dev/null || fail "swiftc is missing; install Swift 6.3 from https://www.swift.org/install"
# The compiler's folder: swiftc may be a link, or a launcher that chooses a toolchain.
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
tools=$(cd "$resources/../../bin" 2>/dev/null && pwd) || fail "found no toolchain beside swiftc"
for tool in clang wasm-ld; do
  [ -x "$tools/$tool" ] \
    || fail "$tool is missing in $tools; it is part of the Swift 6.3 toolchain for Linux"
done
can_shrink=yes
if [ "$work" = .build-wasm-replay ]; then
  can_shrink=no
elif ! command -v wasm-opt >/dev/null && ! scripts/apt-install.sh binaryen; then
  echo "build-wasm: wasm-opt is missing; the page's code is a tenth larger" >&2
  can_shrink=no
fi
[ -e "$resources/embedded/Swift.swiftmodule/$target.swiftmodule" ] \
  || fail "this toolchain has no Embedded Swift for $target; Swift 6.3 for Linux has it"

# Always the same folder: its path decides some bytes of the result.
rm -rf "$work"
mkdir -p "$work"
flags=(-target "$target" -enable-experimental-feature Embedded -enable-experimental-feature Extern
  -swift-version 6 -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
  -warnings-as-errors -wmo -parse-as-library -Xfrontend -disable-stack-protector
  -module-cache-path "$work/cache" -I "$work")

# The files of a module; of VenueProtocols only the books', since the rest needs what Embedded Swift
# lacks.
files_of() {
  case $1 in
    VenueCatalogue) ls Sources/Venues/VenueCatalogue/BookInstrument.swift ;;
    VenueProtocols)
      find Sources/Venues/VenueProtocols/{BookVenue,Kraken,BitMEX,*.swift} -maxdepth 1 \
        -name "*.swift" ! -name "KrakenSession.swift" ! -name "BitMEXHistory.swift" \
        ! -name "BitMEXSession.swift"
      ;;
    *) find Sources/*/"$1" -name "*.swift" ;;
  esac
}

# Only the last module becomes machine code: Embedded Swift compiles the used parts of the others
# with it.
for module in "${modules[@]}"; do
  swiftc "${flags[@]}" -module-name "$module" -emit-module \
    -emit-module-path "$work/$module.swiftmodule" $(files_of "$module")
done
"$tools/clang" --target="$target" -O2 -fno-builtin -mbulk-memory -nostdlib -Wall -Werror \
  -c Sources/Screens/BrowserCore/Runtime/runtime.c -o "$work/runtime.o"

# shrink FILE: in place, by a fifth; a tenth after compression.
shrink() {
  [ "$can_shrink" = yes ] || return 0
  wasm-opt -Oz --converge --enable-bulk-memory --enable-mutable-globals \
    --enable-nontrapping-float-to-int --enable-sign-ext "$1" -o "$1"
}

# link FOLDER OUTPUT LIMIT OPTIMISATION [LIBRARY]
link() {
  local module
  module=$(basename "$1")
  swiftc "${flags[@]}" "$4" -module-name "$module" -c $(find "$1" -name "*.swift") \
    -o "$work/$module.o"
  "$tools/wasm-ld" --no-entry --gc-sections --strip-all -z stack-size=65536 \
    "$work/$module.o" "$work/runtime.o" "${@:5}" -o "$work/$2.new"
  shrink "$work/$2.new"
  local size
  size=$(wc -c < "$work/$2.new")
  [ "$size" -le "$3" ] || fail "$2 has $size bytes; the page's limit is $3"
  mv "$work/$2.new" "$assets/$2"
  echo "build-wasm: $assets/$2, $size bytes"
}

if [ "$work" = .build-wasm-replay ]; then
  # No page loads it; the limit only detects a large addition.
  link Tests/BrowserTests/replay replay.wasm 524288 -Osize \
    "$resources/embedded/$target/libswiftUnicodeDataTables.a"
  exit 0
fi

# Studies, scales, orders and drawn lines are a quarter of it; all of it runs once a frame.
link Sources/Screens/BrowserCore core.wasm 131072 -Osize
# Sentences and numbers need Swift's strings, a third of it. Nothing in it runs every frame.
link Sources/Screens/BrowserTicket ticket.wasm 196608 -Osize
# Loaded with every book, before the first row can be shown as proven.
link Sources/Screens/BrowserProof proof.wasm 16384 -Osize

#!/usr/bin/env bash
# Compiles what the page shares with the apps, with the toolchain's own Embedded Swift: the chart
# (BrowserCore) to Web/page/assets/core.wasm, the order ticket (BrowserTicket) to ticket.wasm and the
# proof of books (BrowserProof) to proof.wasm. Three files, so that no chart waits for the ticket and
# no book for the chart. Takes seconds; does nothing when all are up to date.
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-none-wasm
assets=Web/page/assets
work=.build-wasm
modules=(MarketModel ChartModel TicketModel)
sources=(Sources/MarketModel Sources/ChartModel Sources/TicketModel Sources/BrowserCore
  Sources/BrowserTicket Sources/BrowserProof)

fail() {
  echo "build-wasm: $1" >&2
  exit 1
}

is_new() {
  [ -f "$assets/$1" ] && [ -z "$(find "${sources[@]}" "$0" -newer "$assets/$1" -print -quit)" ]
}

if [ "${1:-}" != "--force" ] && is_new core.wasm && is_new ticket.wasm \
  && is_new proof.wasm; then
  exit 0
fi

command -v swiftc >/dev/null || fail "swiftc is missing; install Swift 6.3 from https://www.swift.org/install"
# Where the compiler itself lies: swiftc may be a link, or a launcher that chooses a toolchain.
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
tools=$(cd "$resources/../../bin" 2>/dev/null && pwd) || fail "found no toolchain beside swiftc"
for tool in clang wasm-ld; do
  [ -x "$tools/$tool" ] \
    || fail "$tool is missing in $tools; it is part of the Swift 6.3 toolchain for Linux"
done
[ -e "$resources/embedded/Swift.swiftmodule/$target.swiftmodule" ] \
  || fail "this toolchain has no Embedded Swift for $target; Swift 6.3 for Linux has it"

rm -rf "$work"
mkdir -p "$work"
flags=(-target "$target" -enable-experimental-feature Embedded -enable-experimental-feature Extern
  -swift-version 6 -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
  -warnings-as-errors -wmo -parse-as-library -Xfrontend -disable-stack-protector
  -module-cache-path "$work/cache" -I "$work")

# Only the last module becomes machine code: Embedded Swift compiles what it uses of the others with
# it.
for module in "${modules[@]}"; do
  swiftc "${flags[@]}" -module-name "$module" -emit-module \
    -emit-module-path "$work/$module.swiftmodule" $(find Sources/"$module" -name "*.swift")
done
"$tools/clang" --target="$target" -O2 -fno-builtin -mbulk-memory -nostdlib -Wall -Werror \
  -c Sources/BrowserCore/Runtime/runtime.c -o "$work/runtime.o"

# link MODULE OUTPUT LIMIT OPTIMISATION
link() {
  swiftc "${flags[@]}" "$4" -module-name "$1" -c $(find Sources/"$1" -name "*.swift") \
    -o "$work/$1.o"
  "$tools/wasm-ld" --no-entry --gc-sections --strip-all -z stack-size=65536 \
    "$work/$1.o" "$work/runtime.o" -o "$work/$2"
  local size
  size=$(wc -c < "$work/$2")
  [ "$size" -le "$3" ] || fail "$2 has $size bytes; the page's limit is $3"
  mv "$work/$2" "$assets/$2"
  echo "build-wasm: $assets/$2, $size bytes"
}

# Studies, scales, orders and drawn lines brought a quarter of it; all of it runs once a frame.
link BrowserCore core.wasm 131072 -Osize
# Sentences and numbers bring Swift's texts along, a third of it. Nothing in it is done per frame.
link BrowserTicket ticket.wasm 196608 -Osize
# Loaded with every book, before the first row can be called proven.
link BrowserProof proof.wasm 16384 -Osize

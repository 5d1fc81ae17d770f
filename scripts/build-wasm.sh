#!/usr/bin/env bash
# Compiles the core for the page: MarketModel, ChartModel and BrowserCore to
# Web/page/assets/core.wasm, with the toolchain's own Embedded Swift. Takes seconds; does nothing
# when the file is up to date.
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-none-wasm
output=Web/page/assets/core.wasm
largest=98304
work=.build-wasm
modules=(MarketModel ChartModel)
sources=(Sources/MarketModel Sources/ChartModel Sources/BrowserCore)

fail() {
  echo "build-wasm: $1" >&2
  exit 1
}

if [ "${1:-}" != "--force" ] && [ -f "$output" ] \
  && [ -z "$(find "${sources[@]}" "$0" -newer "$output" -print -quit)" ]; then
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
swiftc "${flags[@]}" -O -module-name BrowserCore -c Sources/BrowserCore/*.swift -o "$work/BrowserCore.o"
"$tools/clang" --target="$target" -O2 -fno-builtin -mbulk-memory -nostdlib -Wall -Werror \
  -c Sources/BrowserCore/Runtime/runtime.c -o "$work/runtime.o"
"$tools/wasm-ld" --no-entry --gc-sections --strip-all -z stack-size=65536 \
  "$work"/*.o -o "$work/core.wasm"

size=$(wc -c < "$work/core.wasm")
[ "$size" -le "$largest" ] || fail "core.wasm has $size bytes; the page's limit is $largest"
mv "$work/core.wasm" "$output"
echo "build-wasm: $output, $size bytes"

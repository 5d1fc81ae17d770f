#!/usr/bin/env bash
# Compiles the targets of the iOS apps that import only Swift's own library for iOS 17, whose
# availability Linux does not check. A sample that needs a later iOS must be refused.
#   scripts/ios-availability.sh [TARGET…]   (all by default)
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
tools=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
interfaces=$tools/lib/swift/linux
target=x86_64-apple-ios17.0-simulator
work=$root/.build/ios-availability/$(swiftc --version 2>/dev/null | cksum | cut -d' ' -f1)
mkdir -p "$work/library" "$work/modules" "$work/cache"
cd "$work" || exit 1

# In the order in which they import each other.
all=(
  MarketModel WireJSON OrderBook OrderMatching ChartModel VenueCatalogue VenueProtocols
  MarketHistory MarketStreams PaperTrading TicketModel PriceAlerts AppState VenueSimulator
)

frontend() {
  nice swiftc -frontend -target "$target" -disable-objc-interop -I library -sdk library \
    -module-cache-path cache -resource-dir "$tools/lib/swift" "$@"
}

# Compiles a module of Swift's library from its text, without the back deployment that this
# compiler has no bodies for.
library() {
  local module=$1 text=$1.swiftinterface lines
  [ -f "library/$module.swiftmodule" ] && return
  sed "s/-target x86_64-unknown-linux-gnu/-target $target/" \
    "$interfaces/$module.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface" >"$text"
  for _ in 1 2 3 4 5 6; do
    frontend -compile-module-from-interface "$text" -module-name "$module" -parse-stdlib \
      -disable-availability-checking -o "library/$module.swiftmodule" >"$module.log" 2>&1 && return
    lines=$(sed -nE "s/^$text:([0-9]+):[0-9]+: error: '@backDeployed' requires.*/\1/p" \
      "$module.log" | sort -u)
    [ -n "$lines" ] || break
    for line in $lines; do sed -E -i "${line}s/@backDeployed\([^)]*\)//" "$text"; done
  done
  grep -E 'error:' "$module.log" | head -n 5
  return 1
}

compile() {
  local module=$1
  shift
  frontend -O -emit-module -o "modules/$module.swiftmodule" -module-name "$module" \
    -parse-as-library -I modules -swift-version 6 -package-name livetape \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility \
    -Xcc -ffreestanding -Xcc "-fmodule-map-file=$root/Sources/Core/CWireJSON/include/module.modulemap" \
    "$@" >"$module.log" 2>&1
}

for module in Swift _Concurrency _StringProcessing SwiftOnoneSupport; do
  library "$module" || { echo "ios-availability: $module can't be compiled" >&2; exit 1; }
done

failed=0
cat >Later.swift <<'END'
func arraySpan(_ bytes: [UInt8]) -> Int { bytes.span.count }
func inlineArray() -> Int {
  let numbers: InlineArray<3, Int> = [1, 2, 3]
  return numbers[0]
}
func wide() -> Int128 { 1 }
END
compile Later Later.swift
found=$(grep -cE 'error: .* is only available in iOS' Later.log)
if [ "$found" -lt 3 ]; then
  echo "ios-availability: of the sample's 3 later declarations $found were refused" >&2
  cat Later.log >&2
  failed=1
fi

checked=0
for module in "${all[@]}"; do
  [ $# -eq 0 ] || [[ " $* " == *" $module "* ]] || continue
  folder=$(cd "$root" && echo Sources/*/"$module")
  # Foundation of Apple's systems is not here; the files that import it are left out.
  mapfile -t files < <(cd "$root" && find "$folder" -name '*.swift' -print0 |
    xargs -0 grep -LE '^(public |package )?import Foundation' | sed "s|^|$root/|")
  checked=$((checked + 1))
  if ! compile "$module" "${files[@]}"; then
    echo "ios-availability: $module is not for iOS 17" >&2
    sed "s|$root/||" "$module.log" | grep -E 'error:' | head -n 20 >&2
    failed=1
  fi
done
[ "$failed" -eq 0 ] && echo "$checked targets compile for iOS 17, and the sample is refused"
exit "$failed"

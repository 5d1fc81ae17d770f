#!/usr/bin/env bash
# Runs the tests of threaded code under ThreadSanitizer: order service and ledger, history store,
# sockets, feed hub. They are built separately, in .build-tsan, without OrderMatching and its
# dependents: Swift 6.3.1 crashes when it compiles that for ThreadSanitizer.
#   scripts/thread-sanitizer.sh [ARGUMENT…]      for `swift test`, like --filter LedgerTests
set -euo pipefail
cd "$(dirname "$0")/.."
package="$PWD/.build-tsan/package"
mkdir -p "$package"
for folder in Sources Apps Proof Tests Web; do ln -sfn "$PWD/$folder" "$package/$folder"; done
[ -e Package.resolved ] && cp Package.resolved "$package/"

# The manifest without what these tests don't need.
manifest=$(mktemp)
trap 'rm -f "$manifest"' EXIT
cp Package.swift "$manifest"
cat >>"$manifest" <<'SWIFT'

var kept: Set<String> = []
@MainActor func keep(_ name: String) {
  guard let target = targets.first(where: { $0.name == name }), kept.insert(name).inserted
  else { return }
  for dependency in target.dependencies {
    switch dependency {
    case .byNameItem(let name, _), .targetItem(let name, _): keep(name)
    default: break
    }
  }
}
for name in ["OrderLedgerTests", "HistoryStoreTests", "FeedConnectionsTests", "SocketServerTests"] {
  keep(name)
}
package.targets.removeAll { !kept.contains($0.name) }
package.products = []
SWIFT
cmp -s "$manifest" "$package/Package.swift" || cp "$manifest" "$package/Package.swift"

# A finding ends its process with a report.
export TSAN_OPTIONS="halt_on_error=1:${TSAN_OPTIONS:-}"
swift test --package-path "$package" --scratch-path "$PWD/.build-tsan/build" --sanitize=thread "$@"

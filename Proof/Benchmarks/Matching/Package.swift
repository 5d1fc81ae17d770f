// swift-tools-version: 6.2
// Compares the matching engine with its plain oracle on a flow of orders like an exchange's; a
// separate package, so that the product builds without it. In this folder:
//   swift run -c release MatchingBenchmark                        1,000,000 seeded commands
//   swift run -c release MatchingBenchmark --commands 10000000 --runs 3
//   swift run -c release MatchingBenchmark --csv FILE             a flow and its expected hashes
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "matching-benchmark",
  platforms: [.macOS(.v26)],
  targets: [
    .target(name: "MarketModel", path: "Product/Core/MarketModel", swiftSettings: strict),
    // The oracle is a file of the tests, which uses internal declarations.
    .target(
      name: "OrderMatching", dependencies: ["MarketModel"], path: "Product/Core/OrderMatching",
      swiftSettings: strict + [.unsafeFlags(["-enable-testing"])]),
    .executableTarget(
      name: "MatchingBenchmark", dependencies: ["OrderMatching", "MarketModel"],
      swiftSettings: strict),
  ])

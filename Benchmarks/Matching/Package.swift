// swift-tools-version: 6.2
// The matching engines on a flow of orders like an exchange's. A package of its own, so that the
// product builds without it. In this folder:
//   swift run -c release MatchingBenchmark                        1,000,000 seeded commands
//   swift run -c release MatchingBenchmark --commands 10000000 --runs 3
//   swift run -c release MatchingBenchmark --csv FILE             a flow and its expected hashes
import PackageDescription

let package = Package(
  name: "matching-benchmark",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "livetape", path: "../..")],
  targets: [
    .executableTarget(
      name: "MatchingBenchmark",
      dependencies: [
        .product(name: "OrderMatching", package: "livetape"),
        .product(name: "MarketModel", package: "livetape"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ])

// swift-tools-version: 6.2
// The size of a stored history on disk, and the time of writing and reading. A separate package, so
// that the other benchmarks build without a database. In this folder:
//   swift run -c release HistoryBenchmark          a year of minutes of one instrument
//   swift run -c release HistoryBenchmark 50 36    36 days of minutes of 50 instruments in turn
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "history-benchmark",
  platforms: [.macOS(.v26)],
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")],
  targets: [
    .target(name: "MarketModel", path: "Product/Core/MarketModel", swiftSettings: strict),
    .target(
      name: "ChartModel", dependencies: ["MarketModel"], path: "Product/Core/ChartModel",
      swiftSettings: strict),
    .target(
      name: "HistoryStore",
      dependencies: [
        "MarketModel", "ChartModel", .product(name: "GRDB", package: "GRDB.swift"),
      ], path: "Product/Market/HistoryStore", swiftSettings: strict),
    .executableTarget(
      name: "HistoryBenchmark", dependencies: ["HistoryStore", "ChartModel", "MarketModel"],
      swiftSettings: strict),
  ])

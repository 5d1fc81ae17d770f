// swift-tools-version: 6.2
// Benchmarks of the core in a separate package, which builds without a network library. `Product`
// is a link to the product's sources, so the shipped code is measured.
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "livetape-benchmarks",
  platforms: [.macOS(.v26)],
  targets: [
    .target(name: "MarketModel", path: "Product/Core/MarketModel", swiftSettings: strict),
    .target(
      name: "OrderBook", dependencies: ["MarketModel"], path: "Product/Core/OrderBook",
      swiftSettings: strict),
    .target(name: "CWireJSON", path: "Product/Core/CWireJSON"),
    .target(
      name: "WireJSON", dependencies: ["CWireJSON", "MarketModel"], path: "Product/Core/WireJSON",
      swiftSettings: strict),
    .target(
      name: "VenueCatalogue", dependencies: ["MarketModel"],
      path: "Product/Venues/VenueCatalogue", swiftSettings: strict),
    .target(
      name: "VenueProtocols",
      dependencies: ["MarketModel", "OrderBook", "VenueCatalogue", "WireJSON"],
      path: "Product/Venues/VenueProtocols", swiftSettings: strict),
    .executableTarget(
      name: "MarketBenchmarks", dependencies: ["MarketModel", "OrderBook", "VenueProtocols"],
      swiftSettings: strict),
    .target(
      name: "OrderMatching", dependencies: ["MarketModel"], path: "Product/Core/OrderMatching",
      swiftSettings: strict),
    .target(
      name: "VenueSimulator",
      dependencies: ["MarketModel", "OrderMatching", "VenueProtocols", "WireJSON"],
      path: "Product/Venues/VenueSimulator", swiftSettings: strict),
    .executableTarget(
      name: "SimulatedMarketBenchmark",
      dependencies: ["MarketModel", "Measuring", "OrderMatching"],
      swiftSettings: strict),
    .target(
      name: "ChartModel", dependencies: ["MarketModel"], path: "Product/Core/ChartModel",
      swiftSettings: strict),
    .target(
      name: "MarketHistory", dependencies: ["MarketModel", "ChartModel"],
      path: "Product/Market/MarketHistory", swiftSettings: strict),
    .target(
      name: "MarketStreams",
      dependencies: ["MarketModel", "ChartModel", "MarketHistory", "VenueProtocols"],
      path: "Product/Market/MarketStreams", swiftSettings: strict),
    .target(name: "Measuring", swiftSettings: strict),
    .target(
      name: "BookMessages", dependencies: ["MarketModel", "VenueProtocols", "VenueSimulator"],
      swiftSettings: strict),
    .target(
      name: "PaperTrading", dependencies: ["MarketModel"], path: "Product/Trading/PaperTrading",
      swiftSettings: strict),
    .executableTarget(
      name: "OrdersBenchmark", dependencies: ["MarketModel", "Measuring", "PaperTrading"],
      swiftSettings: strict),
    .executableTarget(
      name: "LadderBenchmark",
      dependencies: [
        "BookMessages", "MarketModel", "MarketStreams", "Measuring", "OrderBook",
        "VenueProtocols",
      ], swiftSettings: strict),
    .executableTarget(
      name: "VenueBenchmark",
      dependencies: ["BookMessages", "MarketModel", "Measuring", "VenueProtocols"],
      swiftSettings: strict),
    .executableTarget(
      name: "KrakenBenchmark",
      dependencies: [
        "BookMessages", "MarketModel", "Measuring", "OrderBook", "VenueProtocols",
      ],
      swiftSettings: strict),
  ]
)

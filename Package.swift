// swift-tools-version: 6.2
// Livetape: one deterministic market core and its two faces. The folder of each target and what it
// may import are described in docs/ARCHITECTURE.md and checked by RepositoryRulesTests.
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func nio(_ product: String) -> Target.Dependency { .product(name: product, package: "swift-nio") }

/// `Combine`, `SwiftUI` and `UIKit` under their own names: Apple's where they exist; on Linux
/// OpenCombine and stand-ins for tests, each behind a module alias of the targets that import it.
var combine: [Target.Dependency] = []
var combineSettings: [SwiftSetting] = strict
var swiftUI: [Target.Dependency] = []
var phoneSettings: [SwiftSetting] = strict
var uiKit: [Target.Dependency] = []
var stocksSettings: [SwiftSetting] = strict
var platformDependencies: [Package.Dependency] = []
var platformTargets: [Target] = []
#if os(Linux)
  platformDependencies = [
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0")
  ]
  combine = ["LinuxCombine"]
  func aliased(_ modules: String...) -> [SwiftSetting] {
    let aliases = modules.flatMap { ["-module-alias", "\($0)=Linux\($0)"] }
    // Previews and fixtures look inside the apps in release builds, too.
    return strict + [
      .unsafeFlags(aliases), .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
    ]
  }
  combineSettings = aliased("Combine")
  swiftUI = ["LinuxSwiftUI"]
  phoneSettings = aliased("Combine", "SwiftUI")
  uiKit = ["LinuxUIKit"]
  stocksSettings = aliased("Combine", "UIKit")
  platformTargets = [
    .target(
      name: "LinuxCombine",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
      ],
      path: "StandIns/LinuxCombine", swiftSettings: strict),
    .target(
      name: "LinuxSwiftUI", dependencies: ["LinuxCombine"], path: "StandIns/LinuxSwiftUI",
      swiftSettings: combineSettings),
    .target(name: "LinuxUIKit", path: "StandIns/LinuxUIKit", swiftSettings: strict),
    .testTarget(
      name: "StandInsTests", dependencies: ["LinuxSwiftUI", "LinuxUIKit", "LinuxCombine"],
      exclude: ["Rejected", "Accepted"], swiftSettings: phoneSettings),
    // The feeds that tests and previews play to the apps.
    .target(
      name: "PhoneAppFixtures",
      dependencies: ["PhoneApp", "AppState", "MarketModel", nio("NIOConcurrencyHelpers")] + combine
        + swiftUI, path: "Tests/PhoneAppFixtures", swiftSettings: phoneSettings),
    .target(
      name: "StocksAppFixtures",
      dependencies: ["StocksApp", "AppState", "MarketModel", "LinuxUIKit", "LinuxCombine"],
      path: "Tests/StocksAppFixtures", swiftSettings: combineSettings),
    // These look at screens through the stand-ins, so they are not for Apple's platforms.
    .testTarget(
      name: "PhoneAppTests",
      dependencies: [
        "PhoneApp", "PhoneAppFixtures", "FeedConnections", "SocketTransport", "VenueProtocols",
        "AppState", "ChartModel", "PaperTrading", "OrderLedger",
        "MarketModel", nio("NIOCore"), nio("NIOEmbedded"), nio("NIOConcurrencyHelpers"),
        .product(name: "Logging", package: "swift-log"),
      ] + combine + swiftUI, swiftSettings: phoneSettings),
    // The stand-in by its own name: beside Testing, a module called UIKit makes the compiler look
    // for an overlay that Linux lacks.
    .testTarget(
      name: "StocksAppTests",
      dependencies: [
        "StocksApp", "StocksAppFixtures", "FeedConnections", "SocketTransport", "VenueProtocols",
        "AppState", "MarketModel", "LinuxUIKit", "LinuxCombine", nio("NIOCore"),
        nio("NIOEmbedded"), .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: combineSettings),
    // `make ios-previews`: every screen of the apps as a page.
    .target(
      name: "PhonePreviews",
      dependencies: [
        "PhoneApp", "PhoneAppFixtures", "StocksAppFixtures", "StocksApp", "AppState",
        "PaperTrading", "OrderLedger", "MarketModel", "LinuxUIKit",
      ] + swiftUI, path: "Tests/PhonePreviews", resources: [.copy("Page")],
      swiftSettings: phoneSettings),
    .executableTarget(
      name: "ios-previews", dependencies: ["PhonePreviews"], path: "Tests/PhonePreviewsCommand",
      exclude: ["pictures.py"], swiftSettings: strict),
    .testTarget(
      name: "PhonePreviewsTests",
      dependencies: ["PhonePreviews", "PhoneApp", "PhoneAppFixtures", "AppState"] + swiftUI,
      swiftSettings: phoneSettings),
    // The apps' shells are compiled here as well as by Xcode.
    .executableTarget(
      name: "LivetapeShell", dependencies: ["PhoneApp"] + swiftUI, path: "Apps/Livetape",
      exclude: ["Info.plist", "Assets.xcassets"], swiftSettings: phoneSettings),
    .executableTarget(
      name: "LivetapeStocksShell", dependencies: ["StocksApp"] + uiKit,
      path: "Apps/LivetapeStocks", exclude: ["Info.plist", "Assets.xcassets"],
      swiftSettings: stocksSettings),
  ]
#endif

let package = Package(
  name: "livetape",
  platforms: [.macOS(.v26), .iOS(.v17)],
  products: [
    .executable(name: "livetape", targets: ["livetape"]),
    .library(name: "MarketModel", targets: ["MarketModel"]),
    .library(name: "OrderMatching", targets: ["OrderMatching"]),
    .library(name: "PhoneApp", targets: ["PhoneApp"]),
    .library(name: "StocksApp", targets: ["StocksApp"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.2.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ] + platformDependencies,
  targets: [
    .target(name: "MarketModel", swiftSettings: strict),
    .target(name: "OrderBook", dependencies: ["MarketModel"], swiftSettings: strict),
    .target(name: "OrderMatching", dependencies: ["MarketModel"], swiftSettings: strict),
    .target(name: "PaperTrading", dependencies: ["MarketModel"], swiftSettings: strict),
    .target(
      name: "OrderLedger",
      dependencies: [
        "MarketModel", "PaperTrading",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "ledger-crash-writer", dependencies: ["OrderLedger", "PaperTrading", "MarketModel"],
      path: "Tests/LedgerCrashWriter", swiftSettings: strict),
    .target(
      name: "VenueProtocols", dependencies: ["MarketModel", "OrderBook"], swiftSettings: strict),
    .target(
      name: "VenueSimulator",
      dependencies: ["MarketModel", "OrderBook", "OrderMatching", "VenueProtocols"],
      swiftSettings: strict),
    .target(name: "ChartModel", dependencies: ["MarketModel"], swiftSettings: strict),
    .target(
      name: "AppState",
      dependencies: ["MarketModel", "OrderBook", "ChartModel", "PaperTrading"],
      swiftSettings: strict),
    .target(
      name: "SocketTransport",
      dependencies: [
        nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .target(
      name: "FeedConnections",
      dependencies: [
        "MarketModel", "OrderBook", "VenueProtocols", "SocketTransport",
        nio("NIOCore"), nio("NIOPosix"), nio("NIOConcurrencyHelpers"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Logging", package: "swift-log"),
      ] + combine, swiftSettings: combineSettings),
    .target(
      name: "PhoneApp",
      dependencies: [
        "MarketModel", "VenueProtocols", "AppState", "ChartModel", "PaperTrading", "OrderLedger",
        "SocketTransport", "FeedConnections",
        nio("NIOPosix"), .product(name: "Logging", package: "swift-log"),
      ] + combine + swiftUI, swiftSettings: phoneSettings),
    .target(
      name: "StocksApp",
      dependencies: [
        "MarketModel", "VenueProtocols", "AppState", "SocketTransport", "FeedConnections",
        nio("NIOPosix"), .product(name: "Logging", package: "swift-log"),
      ] + combine + uiKit, swiftSettings: stocksSettings),
    .target(
      name: "LivetapeWeb", path: "Web", resources: [.copy("page")], swiftSettings: strict),
    .target(
      name: "LivetapeServer",
      dependencies: [
        "MarketModel", "OrderBook", "VenueProtocols", "VenueSimulator", "AppState", "ChartModel",
        "PaperTrading", "OrderLedger", "SocketTransport", "FeedConnections", "LivetapeWeb",
        nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "livetape",
      dependencies: [
        "MarketModel", "OrderBook", "VenueProtocols", "AppState", "PaperTrading", "OrderLedger",
        "FeedConnections", "SocketTransport", "LivetapeServer", nio("NIOCore"), nio("NIOPosix"),
        nio("NIOConcurrencyHelpers"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
    // What tests of several targets need: children, ports, patience.
    .target(
      name: "TestSupport", dependencies: ["SocketTransport"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "MarketModelTests", dependencies: ["MarketModel"], swiftSettings: strict),
    .testTarget(
      name: "OrderBookTests", dependencies: ["OrderBook", "MarketModel"], swiftSettings: strict),
    .testTarget(
      name: "OrderMatchingTests", dependencies: ["OrderMatching", "MarketModel"],
      swiftSettings: strict),
    .testTarget(
      name: "PaperTradingTests", dependencies: ["PaperTrading", "OrderBook", "MarketModel"],
      swiftSettings: strict),
    .testTarget(
      name: "OrderLedgerTests",
      dependencies: [
        "OrderLedger", "PaperTrading", "MarketModel", "ledger-crash-writer", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: strict),
    .testTarget(
      name: "VenueProtocolsTests", dependencies: ["VenueProtocols", "OrderBook", "MarketModel"],
      resources: [.copy("Payloads")], swiftSettings: strict),
    .testTarget(
      name: "VenueSimulatorTests",
      dependencies: ["VenueSimulator", "VenueProtocols", "OrderBook", "MarketModel"],
      swiftSettings: strict),
    .testTarget(
      name: "ChartModelTests", dependencies: ["ChartModel", "MarketModel"], swiftSettings: strict),
    .testTarget(
      name: "AppStateTests",
      dependencies: ["AppState", "ChartModel", "MarketModel", "OrderBook", "PaperTrading"],
      swiftSettings: strict),
    .testTarget(
      name: "FeedConnectionsTests",
      dependencies: [
        "FeedConnections", "SocketTransport", "VenueProtocols", "OrderBook", "MarketModel",
        "TestSupport",
        nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"), nio("NIOEmbedded"),
        nio("NIOConcurrencyHelpers"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Logging", package: "swift-log"),
      ] + combine, swiftSettings: combineSettings),
    .testTarget(
      name: "LivetapeServerTests",
      dependencies: [
        "LivetapeServer", "FeedConnections", "SocketTransport", "VenueSimulator",
        "VenueProtocols", "AppState", "ChartModel", "PaperTrading", "OrderLedger", "OrderBook",
        "MarketModel",
        nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"), nio("NIOEmbedded"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "LivetapeServer", "FeedConnections", "SocketTransport", "VenueSimulator",
        "VenueProtocols", "OrderLedger", "PaperTrading", "OrderBook", "MarketModel", "TestSupport",
        nio("NIOCore"), nio("NIOPosix"), nio("NIOConcurrencyHelpers"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
    .testTarget(name: "RepositoryRulesTests", swiftSettings: strict),
  ] + platformTargets
)

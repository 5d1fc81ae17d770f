// swift-tools-version: 6.2
// Livetape: one deterministic market core and its two faces. The folder of each target and what it
// may import are described in docs/ARCHITECTURE.md and checked by RepositoryRulesTests.
import Foundation
import PackageDescription

// A newer compiler's new warning must not keep anyone from building, so only CI treats warnings as
// errors.
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  + (ProcessInfo.processInfo.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// Optimised in debug builds too: unoptimised, these modules take most of the test time.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]
let hot = strict + optimised

/// Previews, app shells, the simulation's command and tests of the stand-ins: `make test-all` sets
/// LIVETAPE_ALL to build them, too, and so do the scripts that need one of them.
let isWhole = ProcessInfo.processInfo.environment["LIVETAPE_ALL"] != nil

// Exact versions and no lock file: docs/decisions/0014-dependencies-are-few-and-exact.md.
var dependencies: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
  .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
  .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
  .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
  .package(
    url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
]

func nio(_ product: String) -> Target.Dependency { .product(name: product, package: "swift-nio") }
let tls = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let sqlite = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let services = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")

/// `Combine`, `SwiftUI` and `UIKit` under their own names: Apple's where they exist; on Linux
/// OpenCombine and the stand-ins of `Apps/StandIns`, each behind a module alias of the targets that
/// import it.
#if os(Linux)
  func aliased(_ modules: String...) -> [SwiftSetting] {
    let aliases = modules.flatMap { ["-module-alias", "\($0)=Linux\($0)"] }
    // Previews and fixtures look inside the apps in release builds, too.
    return strict + [
      .unsafeFlags(aliases), .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
    ]
  }
  let combine: [Target.Dependency] = ["LinuxCombine"]
  let swiftUI: [Target.Dependency] = ["LinuxSwiftUI"]
  let uiKit: [Target.Dependency] = ["LinuxUIKit"]
  let combineSettings = aliased("Combine")
  let phoneSettings = aliased("Combine", "SwiftUI")
  let stocksSettings = aliased("Combine", "UIKit")
#else
  let combine: [Target.Dependency] = []
  let swiftUI: [Target.Dependency] = []
  let uiKit: [Target.Dependency] = []
  let combineSettings = strict
  let phoneSettings = strict
  let stocksSettings = strict
#endif

/// Hashes and keys: CryptoKit on Apple's systems, the system's libcrypto elsewhere.
#if os(Linux)
  let libCrypto: [Target.Dependency] = ["CLibCrypto"]
#else
  let libCrypto: [Target.Dependency] = []
#endif

// MARK: The core, the connections, the server and the command

var targets: [Target] = [
  .target(name: "MarketModel", swiftSettings: hot),
  .target(name: "OrderBook", dependencies: ["MarketModel"], swiftSettings: hot),
  .target(name: "OrderMatching", dependencies: ["MarketModel"], swiftSettings: hot),
  .target(name: "PaperTrading", dependencies: ["MarketModel"], swiftSettings: strict),
  .target(name: "ChartModel", dependencies: ["MarketModel"], swiftSettings: hot),
  .target(name: "TicketModel", dependencies: ["MarketModel"], swiftSettings: strict),
  // What scripts/build-wasm.sh makes for the page; here so that every build checks it.
  .target(
    name: "BrowserCore", dependencies: ["MarketModel", "ChartModel"], exclude: ["Runtime"],
    swiftSettings: strict),
  .target(
    name: "BrowserTicket", dependencies: ["MarketModel", "TicketModel"], swiftSettings: strict),
  .target(name: "BrowserProof", dependencies: ["MarketModel"], swiftSettings: strict),
  .target(name: "CWireJSON"),
  .target(
    name: "WireJSON", dependencies: ["CWireJSON", "MarketModel"], swiftSettings: hot),
  .target(
    name: "PriceAlerts", dependencies: ["MarketModel", "WireJSON"], swiftSettings: strict),
  .target(
    name: "VenueProtocols", dependencies: ["MarketModel", "OrderBook", "WireJSON"],
    swiftSettings: hot),
  .target(
    name: "VenueSimulator",
    dependencies: ["MarketModel", "OrderMatching", "VenueProtocols", "WireJSON"],
    swiftSettings: hot),
  .target(
    name: "MarketHistory", dependencies: ["MarketModel", "ChartModel"], swiftSettings: strict),
  .target(name: "DataFiles", dependencies: ["MarketModel"], swiftSettings: strict),
  .target(
    name: "HistoryStore", dependencies: ["MarketModel", "ChartModel", "DataFiles", sqlite],
    swiftSettings: strict),
  .target(
    name: "MarketStreams",
    dependencies: ["MarketModel", "ChartModel", "MarketHistory", "VenueProtocols"],
    swiftSettings: strict),
  .target(
    name: "AppState",
    dependencies: [
      "MarketModel", "MarketStreams", "PaperTrading", "PriceAlerts", "VenueProtocols", "WireJSON",
    ], swiftSettings: strict),
  .target(
    name: "OrderLedger",
    dependencies: ["MarketModel", "PaperTrading", "WireJSON", "Digest", "DataFiles", sqlite],
    swiftSettings: strict),
  .target(
    name: "OrderService", dependencies: ["MarketModel", "PaperTrading", "OrderLedger"],
    swiftSettings: strict),
  .target(
    name: "SocketTransport",
    dependencies: [
      nio("NIOCore"), nio("NIOConcurrencyHelpers"), nio("NIOPosix"), nio("NIOHTTP1"),
      nio("NIOWebSocket"), tls,
    ], swiftSettings: strict),
  // What processes of one installation say to each other.
  .target(
    name: "MessageBus",
    dependencies: [
      "MarketModel", "WireJSON", "SocketTransport", nio("NIOCore"),
      logging,
    ], swiftSettings: strict),
  .target(
    name: "FeedConnections",
    dependencies: [
      "MarketModel", "ChartModel", "VenueProtocols", "MarketHistory", "MarketStreams",
      "HistoryStore", "PriceAlerts", "SocketTransport", nio("NIOCore"),
      nio("NIOConcurrencyHelpers"), logging,
    ] + combine, swiftSettings: combineSettings),
  // What one process reads of a venue, for all others.
  .target(
    name: "VenueTape",
    dependencies: [
      "MarketModel", "VenueProtocols", "MarketHistory", "MarketStreams", "SocketTransport",
      "FeedConnections", "MessageBus", nio("NIOCore"), logging,
    ], swiftSettings: strict),
  // One ledger for several servers.
  .target(
    name: "SharedLedger",
    dependencies: [
      "MarketModel", "WireJSON", "VenueProtocols", "PaperTrading", "OrderLedger", "OrderService",
      "MessageBus", nio("NIOCore"), logging,
    ], swiftSettings: strict),
  .target(
    name: "LivetapeWeb", dependencies: ["Digest"], path: "Web",
    exclude: ["types", "jsconfig.json"],
    resources: [.copy("page")], swiftSettings: strict),
  // What the page's server and the simulator's have in common.
  .target(
    name: "SocketServer",
    dependencies: [
      "SocketTransport", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
      .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"), httpTypes, hummingbird,
      hummingbirdCore, services, logging,
    ], swiftSettings: strict),
  .target(
    name: "SimulatorServer",
    dependencies: [
      "MarketModel", "WireJSON", "VenueProtocols", "VenueSimulator", "SocketTransport",
      "SocketServer", "FeedConnections", nio("NIOCore"), nio("NIOHTTP1"),
      nio("NIOWebSocket"), httpTypes, hummingbird, hummingbirdCore, services, logging,
    ], swiftSettings: strict),
  .target(
    name: "LivetapeServer",
    dependencies: [
      "MarketModel", "WireJSON", "VenueProtocols", "MarketHistory", "MarketStreams",
      "HistoryStore", "AppState", "ChartModel", "DataFiles", "PaperTrading", "PriceAlerts",
      "OrderLedger",
      "OrderService", "SocketTransport", "SocketServer", "SimulatorServer", "FeedConnections",
      "LivetapeWeb", "MessageBus", "VenueTape", "SharedLedger", "Digest", nio("NIOCore"),
      nio("NIOConcurrencyHelpers"),
      nio("NIOHTTP1"), httpTypes, hummingbird, hummingbirdCore, services, logging, metrics,
    ], swiftSettings: strict),
  // Everything under one clock and one seed.
  .target(
    name: "MarketSimulation",
    dependencies: [
      "MarketModel", "WireJSON", "VenueProtocols", "VenueSimulator", "MarketStreams", "AppState",
      "PaperTrading", "OrderLedger", "OrderService", "SocketTransport", "FeedConnections",
      "LivetapeServer", nio("NIOCore"), nio("NIOEmbedded"), nio("NIOConcurrencyHelpers"), logging,
    ], swiftSettings: strict),
  .executableTarget(
    name: "livetape",
    dependencies: [
      "MarketModel", "WireJSON", "VenueProtocols", "ChartModel", "MarketHistory", "MarketStreams",
      "HistoryStore", "AppState", "PaperTrading", "OrderLedger", "FeedConnections",
      "SocketTransport", "SocketServer", "SimulatorServer", "LivetapeServer", "MessageBus",
      nio("NIOCore"), nio("NIOPosix"), nio("NIOConcurrencyHelpers"), services,
      .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      .product(name: "ArgumentParser", package: "swift-argument-parser"), logging,
    ], swiftSettings: strict),
]

#if os(Linux)
  targets.append(
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]))
#endif
targets.append(.target(name: "Digest", dependencies: libCrypto, swiftSettings: strict))

// MARK: Tests

targets += [
  // What tests of several targets need: children, ports, patience.
  .target(
    name: "TestSupport", dependencies: ["SocketTransport"], path: "Tests/TestSupport",
    swiftSettings: strict),
  .executableTarget(
    name: "ledger-crash-writer", dependencies: ["OrderLedger", "PaperTrading", "MarketModel"],
    path: "Tests/LedgerCrashWriter", swiftSettings: strict),
  .executableTarget(
    name: "history-crash-writer", dependencies: ["HistoryStore", "ChartModel", "MarketModel"],
    path: "Tests/HistoryCrashWriter", swiftSettings: strict),
  .testTarget(
    name: "SharedLedgerTests",
    dependencies: [
      "SharedLedger", "MessageBus", "OrderService", "OrderLedger", "PaperTrading", "MarketModel",
      nio("NIOCore"), logging,
    ], swiftSettings: strict),
  .testTarget(
    name: "VenueTapeTests",
    dependencies: [
      "VenueTape", "MessageBus", "MarketSimulation", "MarketModel", "VenueProtocols",
      "VenueSimulator", "MarketStreams", "FeedConnections", "SocketTransport", nio("NIOCore"),
      logging,
    ], swiftSettings: strict),
  .testTarget(name: "DigestTests", dependencies: ["Digest"], swiftSettings: strict),
  .testTarget(
    name: "WireJSONTests", dependencies: ["WireJSON", "MarketModel"], swiftSettings: strict),
  .testTarget(
    name: "MarketModelTests", dependencies: ["MarketModel", "TestSupport"], swiftSettings: strict),
  .testTarget(
    name: "OrderBookTests", dependencies: ["OrderBook", "MarketModel"], swiftSettings: strict),
  .testTarget(
    name: "OrderMatchingTests", dependencies: ["OrderMatching", "MarketModel", "TestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "PaperTradingTests", dependencies: ["PaperTrading", "MarketModel"],
    swiftSettings: strict),
  .testTarget(
    name: "PriceAlertsTests", dependencies: ["PriceAlerts", "MarketModel", "WireJSON"],
    swiftSettings: strict),
  .testTarget(
    name: "OrderLedgerTests",
    dependencies: [
      "OrderLedger", "OrderService", "PaperTrading", "MarketModel", "WireJSON", "Digest",
      "DataFiles", "ledger-crash-writer", "TestSupport", sqlite,
    ], swiftSettings: strict),
  .testTarget(
    name: "VenueProtocolsTests",
    dependencies: ["VenueProtocols", "WireJSON", "OrderBook", "MarketModel"],
    resources: [.copy("Payloads")], swiftSettings: strict),
  .testTarget(
    name: "VenueSimulatorTests",
    dependencies: [
      "VenueSimulator", "VenueProtocols", "WireJSON", "OrderMatching", "OrderBook", "MarketModel",
      "TestSupport",
    ],
    swiftSettings: strict),
  .testTarget(
    name: "ChartModelTests", dependencies: ["ChartModel", "MarketModel"], swiftSettings: strict),
  .testTarget(
    name: "TicketModelTests", dependencies: ["TicketModel", "MarketModel"],
    swiftSettings: strict),
  .testTarget(
    name: "MarketHistoryTests",
    dependencies: ["MarketHistory", "ChartModel", "MarketModel", "VenueProtocols"],
    resources: [.copy("Payloads")], swiftSettings: strict),
  .testTarget(
    name: "HistoryStoreTests",
    dependencies: [
      "HistoryStore", "ChartModel", "DataFiles", "MarketModel", "history-crash-writer",
      "TestSupport", sqlite,
    ], swiftSettings: strict),
  .testTarget(
    name: "AppStateTests",
    dependencies: [
      "AppState", "MarketStreams", "MarketHistory", "MarketModel", "PaperTrading",
      "VenueProtocols", "WireJSON",
    ], swiftSettings: strict),
  .testTarget(
    name: "MarketStreamsTests",
    dependencies: [
      "MarketStreams", "MarketHistory", "ChartModel", "MarketModel", "VenueProtocols",
    ], swiftSettings: strict),
  .testTarget(
    name: "FeedConnectionsTests",
    dependencies: [
      "FeedConnections", "SocketTransport", "VenueProtocols", "MarketModel", "PriceAlerts",
      "TestSupport", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"),
      nio("NIOEmbedded"), nio("NIOConcurrencyHelpers"), nio("NIOTLS"), tls, logging,
    ] + combine, swiftSettings: combineSettings),
  .testTarget(
    name: "MessageBusTests",
    dependencies: [
      "MessageBus", "MarketModel", "SocketTransport", "TestSupport", nio("NIOCore"),
      nio("NIOPosix"), nio("NIOEmbedded"), nio("NIOConcurrencyHelpers"), logging,
    ], swiftSettings: strict),
  .testTarget(
    name: "SocketServerTests",
    dependencies: [
      "SocketServer", nio("NIOCore"), nio("NIOHTTP1"), nio("NIOEmbedded"), hummingbird, logging,
    ], swiftSettings: strict),
  .testTarget(
    name: "SimulatorServerTests",
    dependencies: [
      "SimulatorServer", "FeedConnections", "SocketTransport", "VenueSimulator", "VenueProtocols",
      "MarketModel", nio("NIOCore"), nio("NIOEmbedded"), nio("NIOWebSocket"),
    ], swiftSettings: strict),
  .testTarget(
    name: "LivetapeServerTests",
    dependencies: [
      "LivetapeServer", "SocketServer", "VenueProtocols", "WireJSON", "MarketStreams",
      "MarketHistory", "AppState", "ChartModel", "PaperTrading", "PriceAlerts", "OrderService",
      "MarketModel", "LivetapeWeb", "Digest", "SimulatorServer", "MessageBus", "VenueTape",
      nio("NIOCore"), nio("NIOHTTP1"), nio("NIOConcurrencyHelpers"), nio("NIOEmbedded"), httpTypes,
      hummingbird, "SocketTransport", "TestSupport", metrics,
    ], swiftSettings: strict),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "LivetapeServer", "SimulatorServer", "SocketServer", "FeedConnections", "SocketTransport",
      "VenueProtocols", "OrderLedger", "PaperTrading", "MarketModel", "TestSupport", nio("NIOCore"),
      nio("NIOPosix"), nio("NIOConcurrencyHelpers"), hummingbird,
      services, logging,
    ], swiftSettings: strict),
  .testTarget(
    name: "MarketSimulationTests",
    dependencies: ["MarketModel", "MarketSimulation", "TestSupport"],
    swiftSettings: strict),
  // Reads every character of the repository, which takes a minute without optimisation.
  .testTarget(
    name: "RepositoryRulesTests", swiftSettings: strict + [.unsafeFlags(["-O"])]),
]

if isWhole {
  targets += [
    .executableTarget(
      name: "livetape-simulation",
      dependencies: [
        "MarketModel", "MarketSimulation", nio("NIOCore"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "websocket-echo", dependencies: ["SocketTransport", nio("NIOCore"), nio("NIOPosix")],
      path: "Tests/Autobahn/WebSocketEcho", swiftSettings: strict),
  ]
}

// MARK: The apps for iPhone and iPad

targets += [
  .target(
    name: "PhoneApp",
    dependencies: [
      "MarketModel", "VenueProtocols", "MarketStreams", "MarketHistory", "HistoryStore",
      "AppState", "ChartModel", "TicketModel", "PaperTrading", "OrderLedger", "OrderService",
      "SocketTransport", "FeedConnections", nio("NIOPosix"), logging,
    ] + combine + swiftUI, swiftSettings: phoneSettings),
  .target(
    name: "StocksApp",
    dependencies: [
      "MarketModel", "AppState", "SocketTransport", "FeedConnections",
      nio("NIOPosix"), logging,
    ] + combine + uiKit, swiftSettings: stocksSettings),
]

#if os(Linux)
  // What lets the apps' code be compiled, run and looked at without a Mac; ships with nothing.
  dependencies.append(.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"))
  targets += [
    .target(
      name: "LinuxCombine",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
      ],
      path: "Apps/StandIns/LinuxCombine", swiftSettings: strict),
    .target(
      name: "LinuxSwiftUI", dependencies: combine, path: "Apps/StandIns/LinuxSwiftUI",
      swiftSettings: combineSettings + optimised),
    .target(name: "LinuxUIKit", path: "Apps/StandIns/LinuxUIKit", swiftSettings: strict),
    // The feeds that tests and previews play to the apps.
    .target(
      name: "PhoneAppFixtures",
      dependencies: [
        "PhoneApp", "VenueProtocols", "AppState", "MarketModel", "MarketStreams", "MarketHistory",
        "ChartModel", nio("NIOConcurrencyHelpers"),
      ] + combine + swiftUI, path: "Apps/Fixtures/PhoneAppFixtures", swiftSettings: phoneSettings),
    .target(
      name: "StocksAppFixtures",
      dependencies: ["StocksApp", "MarketModel"] + combine + uiKit,
      path: "Apps/Fixtures/StocksAppFixtures", swiftSettings: combineSettings),
    .testTarget(
      name: "PhoneAppTests",
      dependencies: [
        "PhoneApp", "PhoneAppFixtures", "FeedConnections", "SocketTransport", "VenueProtocols",
        "MarketStreams", "AppState", "ChartModel", "PaperTrading", "OrderLedger",
        "OrderBook", "OrderService", "MarketModel", nio("NIOCore"), nio("NIOEmbedded"),
        nio("NIOConcurrencyHelpers"), logging,
      ] + combine + swiftUI, path: "Apps/Tests/PhoneAppTests", swiftSettings: phoneSettings),
    // The stand-in by its own name: beside Testing, a module called UIKit makes the compiler look
    // for an overlay that Linux lacks.
    .testTarget(
      name: "StocksAppTests",
      dependencies: [
        "StocksApp", "StocksAppFixtures", "FeedConnections", "SocketTransport", "VenueProtocols",
        "AppState", "MarketModel", nio("NIOCore"), nio("NIOEmbedded"), logging,
      ] + combine + uiKit, path: "Apps/Tests/StocksAppTests", swiftSettings: combineSettings),
    .testTarget(
      name: "XcodeProjectTests", path: "Apps/Tests/XcodeProjectTests", swiftSettings: strict),
  ]
  if isWhole {
    targets += [
      .testTarget(
        name: "StandInsTests", dependencies: combine + swiftUI + uiKit,
        path: "Apps/Tests/StandInsTests", exclude: ["Rejected", "Accepted"],
        swiftSettings: phoneSettings),
      // `make ios-previews`: every screen of the apps as a page.
      .target(
        name: "PhonePreviews",
        dependencies: [
          "PhoneApp", "PhoneAppFixtures", "StocksAppFixtures", "VenueProtocols",
          "AppState", "PaperTrading", "OrderService", "MarketModel",
        ] + swiftUI + uiKit, path: "Apps/Previews/PhonePreviews", resources: [.copy("Page")],
        swiftSettings: phoneSettings),
      .executableTarget(
        name: "ios-previews", dependencies: ["PhonePreviews"],
        path: "Apps/Previews/PhonePreviewsCommand", exclude: ["pictures.py"],
        swiftSettings: strict),
      .testTarget(
        name: "PhonePreviewsTests",
        dependencies: ["PhonePreviews", "PhoneApp", "AppState", "MarketModel"]
          + swiftUI, path: "Apps/Tests/PhonePreviewsTests", swiftSettings: phoneSettings),
      // The apps' shells are compiled here as well as by Xcode.
      .executableTarget(
        name: "LivetapeShell", dependencies: ["PhoneApp"] + swiftUI, path: "Apps/Livetape",
        exclude: ["Info.plist", "Assets.xcassets"], swiftSettings: phoneSettings),
      .executableTarget(
        name: "LivetapeStocksShell", dependencies: ["StocksApp"] + uiKit,
        path: "Apps/LivetapeStocks", exclude: ["Info.plist", "Assets.xcassets"],
        swiftSettings: stocksSettings),
    ]
  }
#endif

// Debug information takes a tenth of the compile time of tests.
for target in targets where target.type == .test {
  target.swiftSettings? += [
    .unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .debug))
  ]
}

let package = Package(
  name: "livetape",
  platforms: [.macOS(.v26), .iOS(.v17)],
  products: [
    .executable(name: "livetape", targets: ["livetape"]),
    .library(name: "PhoneApp", targets: ["PhoneApp"]),
    .library(name: "StocksApp", targets: ["StocksApp"]),
  ],
  dependencies: dependencies,
  targets: targets
)

// swift-tools-version: 6.2
// Livetape: one deterministic market core and its two faces. docs/ARCHITECTURE.md describes the
// houses; RepositoryRulesTests checks that a target imports what it lists here and nothing else.
import Foundation
import PackageDescription

// Warnings are errors with the toolchain the project is developed with. A newer compiler's new
// warning, or one of Apple's SDKs, must not keep anyone from building.
#if os(Linux) && !compiler(>=6.4)
  let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
  let warnings: [SwiftSetting] = []
#endif
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + warnings

/// Optimised in debug builds too: unoptimised, these modules take most of the test time.
let optimised: [SwiftSetting] = [
  .unsafeFlags(["-O", "-Xfrontend", "-gnone"], .when(configuration: .debug))
]
let hot = strict + optimised
/// In batches the compiler reads each module several times, which costs a clean build a fifth.
let wholeModules: [SwiftSetting] = [
  .unsafeFlags(["-wmo", "-num-threads", "2", "-disable-batch-mode"], .when(configuration: .debug))
]
/// Debug information takes a tenth of the compile time of tests; a separate job for their module
/// files, which nothing imports, takes a fifth.
let testsOnly: [SwiftSetting] = [
  .unsafeFlags(
    ["-Xfrontend", "-gnone", "-no-emit-module-separately-wmo"], .when(configuration: .debug))
]

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

var targets: [Target] = []

/// Adds the targets of one folder.
///
/// Unless it sets them itself, a target has a subfolder by its own name as its path, and the strict
/// settings.
@MainActor func house(_ folder: String, _ members: Target...) {
  for target in members {
    target.path = target.path ?? "\(folder)/\(target.name)"
    guard target.type != .system else { continue }
    target.swiftSettings = target.swiftSettings ?? strict
    target.swiftSettings? += wholeModules
    if target.type == .test { target.swiftSettings? += testsOnly }
  }
  targets += members
}

house(
  "Sources/Core",
  .target(name: "MarketModel", swiftSettings: hot),
  .target(name: "CWireJSON"),
  .target(name: "WireJSON", dependencies: ["CWireJSON", "MarketModel"], swiftSettings: hot),
  .target(name: "OrderBook", dependencies: ["MarketModel"], swiftSettings: hot),
  .target(name: "OrderMatching", dependencies: ["MarketModel"], swiftSettings: hot),
  .target(name: "ChartModel", dependencies: ["MarketModel"], swiftSettings: hot),
  .target(name: "Digest", dependencies: libCrypto))

#if os(Linux)
  house(
    "Sources/Core",
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]))
#endif

house(
  "Sources/Venues",
  .target(name: "VenueCatalogue", dependencies: ["MarketModel"], swiftSettings: hot),
  .target(
    name: "VenueProtocols",
    dependencies: ["MarketModel", "OrderBook", "VenueCatalogue", "WireJSON"]),
  .target(
    name: "VenueSimulator",
    dependencies: [
      "MarketModel", "OrderMatching", "VenueCatalogue", "VenueProtocols", "WireJSON",
    ], swiftSettings: hot),
  .target(
    name: "SimulatorHost",
    dependencies: [
      "MarketModel", "VenueCatalogue", "VenueProtocols", "VenueSimulator", "SocketTransport",
      "FeedConnections", nio("NIOCore"), logging,
    ]),
  .target(
    name: "SimulatorServer",
    dependencies: [
      "MarketModel", "WireJSON", "VenueCatalogue", "VenueSimulator", "SimulatorHost",
      "SocketTransport",
      "SocketServer", "FeedConnections", nio("NIOCore"), nio("NIOHTTP1"), nio("NIOWebSocket"),
      httpTypes, hummingbird, hummingbirdCore, services, logging,
    ]))

house(
  "Sources/Market",
  .target(
    name: "SocketTransport",
    dependencies: [
      nio("NIOCore"), nio("NIOConcurrencyHelpers"), nio("NIOPosix"), nio("NIOHTTP1"),
      nio("NIOWebSocket"), tls,
    ]),
  .target(
    name: "FeedConnections",
    dependencies: [
      "MarketModel", "ChartModel", "VenueCatalogue", "VenueProtocols", "MarketHistory",
      "MarketStreams",
      "HistoryStore", "PriceAlerts", "SocketTransport", nio("NIOCore"),
      nio("NIOConcurrencyHelpers"), logging,
    ] + combine, swiftSettings: combineSettings),
  .target(
    name: "MarketStreams",
    dependencies: [
      "MarketModel", "ChartModel", "MarketHistory", "VenueCatalogue", "VenueProtocols",
    ]),
  .target(name: "MarketHistory", dependencies: ["MarketModel", "ChartModel"]),
  .target(
    name: "HistoryStore", dependencies: ["MarketModel", "ChartModel", "DataFiles", sqlite]),
  .target(name: "DataFiles", dependencies: ["MarketModel"]))

house(
  "Sources/Trading",
  .target(name: "PaperTrading", dependencies: ["MarketModel"]),
  .target(
    name: "OrderLedger",
    dependencies: ["MarketModel", "PaperTrading", "WireJSON", "Digest", "DataFiles", sqlite]),
  .target(name: "OrderService", dependencies: ["MarketModel", "PaperTrading", "OrderLedger"]),
  .target(name: "TicketModel", dependencies: ["MarketModel"]),
  .target(name: "PriceAlerts", dependencies: ["MarketModel", "WireJSON"]))

house(
  "Sources/Screens",
  .target(
    name: "AppState",
    dependencies: [
      "MarketModel", "MarketStreams", "PaperTrading", "VenueCatalogue", "WireJSON",
    ]),
  // What scripts/build-wasm.sh makes for the page; here so that every build checks it.
  .target(
    name: "BrowserCore", dependencies: ["MarketModel", "ChartModel"], exclude: ["Runtime"]),
  .target(name: "BrowserTicket", dependencies: ["MarketModel", "TicketModel"]),
  .target(name: "BrowserProof", dependencies: ["MarketModel"]))

house(
  "Sources/Cluster",
  .target(
    name: "MessageBus",
    dependencies: ["MarketModel", "WireJSON", "SocketTransport", nio("NIOCore"), logging]),
  .target(
    name: "VenueTape",
    dependencies: [
      "MarketModel", "WireJSON", "VenueCatalogue", "VenueProtocols", "MarketHistory",
      "MarketStreams", "SocketTransport", "FeedConnections", "MessageBus", nio("NIOCore"), logging,
    ]),
  .target(
    name: "SharedLedger",
    dependencies: [
      "MarketModel", "WireJSON", "PaperTrading", "OrderLedger", "OrderService",
      "MessageBus", nio("NIOCore"), logging,
    ]))

house(
  "Sources/Server",
  .target(
    name: "SocketServer",
    dependencies: [
      "SocketTransport", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
      .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"), httpTypes, hummingbird,
      hummingbirdCore, services, logging,
    ]),
  .target(
    name: "LivetapeWeb", dependencies: ["Digest"], path: "Web",
    exclude: ["types", "jsconfig.json"], resources: [.copy("page")]),
  .target(
    name: "LivetapeServer",
    dependencies: [
      "MarketModel", "WireJSON", "VenueCatalogue", "MarketHistory", "MarketStreams",
      "HistoryStore", "AppState", "ChartModel", "DataFiles", "PaperTrading", "PriceAlerts",
      "OrderLedger", "OrderService", "SocketTransport", "SocketServer", "SimulatorServer",
      "FeedConnections", "LivetapeWeb", "MessageBus", "VenueTape", "SharedLedger", "Digest",
      nio("NIOCore"), nio("NIOConcurrencyHelpers"), nio("NIOHTTP1"), httpTypes, hummingbird,
      hummingbirdCore, services, logging, metrics,
    ]),
  .executableTarget(
    name: "livetape",
    dependencies: [
      "MarketModel", "WireJSON", "VenueCatalogue", "VenueProtocols", "ChartModel", "MarketHistory",
      "MarketStreams",
      "HistoryStore", "AppState", "PaperTrading", "OrderLedger", "FeedConnections",
      "SocketTransport", "SocketServer", "SimulatorServer", "LivetapeServer", "MessageBus",
      nio("NIOCore"), nio("NIOPosix"), nio("NIOConcurrencyHelpers"), services,
      .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      .product(name: "ArgumentParser", package: "swift-argument-parser"), logging,
    ]))

house(
  "Apps",
  // PhoneApp without its views.
  .target(
    name: "PhoneStores",
    dependencies: [
      "MarketModel", "VenueCatalogue", "MarketStreams", "MarketHistory", "HistoryStore",
      "AppState", "ChartModel", "TicketModel", "PaperTrading", "OrderLedger", "OrderService",
      "PriceAlerts", "SocketTransport", "FeedConnections", "SimulatorHost", nio("NIOCore"),
      nio("NIOPosix"), logging,
    ] + combine, swiftSettings: combineSettings),
  .target(
    name: "PhoneApp",
    dependencies: [
      "PhoneStores", "MarketModel", "VenueCatalogue", "MarketStreams", "MarketHistory", "AppState",
      "ChartModel", "TicketModel", "PaperTrading", "OrderLedger", "OrderService", "PriceAlerts",
      "FeedConnections",
    ] + combine + swiftUI, swiftSettings: phoneSettings),
  .target(
    name: "StocksApp",
    dependencies: [
      "MarketModel", "AppState", "FeedConnections", "SimulatorHost", nio("NIOCore"),
      nio("NIOPosix"), logging,
    ] + combine + uiKit, swiftSettings: stocksSettings))

// Tests of the phone without its views, on Linux and in Xcode.
house(
  "Apps/Fixtures",
  .target(
    name: "PhoneStoresFixtures",
    dependencies: [
      "PhoneStores", "VenueCatalogue", "VenueProtocols", "AppState", "MarketModel",
      "MarketStreams", "MarketHistory", "ChartModel", "FeedConnections",
      nio("NIOConcurrencyHelpers"),
    ] + combine, swiftSettings: combineSettings))
house(
  "Apps/Tests",
  .testTarget(
    name: "PhoneStoresTests",
    dependencies: [
      "PhoneStores", "PhoneStoresFixtures", "FeedConnections", "SocketTransport", "VenueCatalogue",
      "VenueProtocols",
      "MarketStreams", "AppState", "TicketModel", "PaperTrading", "OrderBook",
      "MarketModel",
    ] + combine, swiftSettings: combineSettings))

#if os(Linux)
  dependencies.append(.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"))
  house(
    "Apps/StandIns",
    .target(
      name: "LinuxCombine",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
      ]),
    .target(
      name: "LinuxSwiftUI", dependencies: combine, swiftSettings: combineSettings + optimised),
    .target(name: "LinuxUIKit"))
  house(
    "Apps/Fixtures",
    // The flows of Xcode's UI tests.
    .target(
      name: "LivetapeUITests", path: "Apps/LivetapeUITests", exclude: ["BriefFlowTests.swift"]),
    // The apps on feeds that tests and previews play to them.
    .target(
      name: "PhoneAppFixtures",
      dependencies: [
        "PhoneApp", "PhoneStores", "PhoneStoresFixtures", "AppState", "MarketModel",
        "FeedConnections", nio("NIOEmbedded"),
      ] + swiftUI, swiftSettings: phoneSettings),
    .target(
      name: "StocksAppFixtures", dependencies: ["StocksApp", "MarketModel"] + combine + uiKit,
      swiftSettings: combineSettings))
  house(
    "Apps/Tests",
    .testTarget(
      name: "PhoneAppTests",
      dependencies: [
        "PhoneApp", "PhoneStores", "PhoneAppFixtures", "PhoneStoresFixtures", "LivetapeUITests",
        "FeedConnections", "SocketTransport",
        "VenueCatalogue", "VenueProtocols",
        "MarketStreams", "AppState", "ChartModel", "PaperTrading", "OrderLedger",
        "OrderService", "PriceAlerts", "MarketModel", nio("NIOCore"), nio("NIOPosix"),
        nio("NIOEmbedded"), nio("NIOConcurrencyHelpers"), logging,
      ] + combine + swiftUI, swiftSettings: phoneSettings),
    // The stand-in by its own name: beside Testing, a module called UIKit makes the compiler look
    // for an overlay that Linux lacks.
    .testTarget(
      name: "StocksAppTests",
      dependencies: [
        "StocksApp", "StocksAppFixtures", "FeedConnections", "SocketTransport", "VenueCatalogue",
        "VenueProtocols",
        "AppState", "MarketModel", nio("NIOCore"), nio("NIOPosix"), nio("NIOEmbedded"), logging,
      ] + uiKit, swiftSettings: combineSettings),
    .testTarget(name: "XcodeProjectTests"))
  func briefShell(_ name: String) -> Target {
    .executableTarget(
      name: "\(name)Shell", dependencies: ["PhoneApp"] + swiftUI, path: "Apps/Briefs/\(name)",
      swiftSettings: phoneSettings)
  }
  if isWhole {
    house(
      "Apps/Previews",
      // `make ios-previews`: every screen of the apps as a page.
      .target(
        name: "PhonePreviews",
        dependencies: [
          "PhoneApp", "PhoneStores", "PhoneAppFixtures", "PhoneStoresFixtures",
          "StocksAppFixtures", "VenueCatalogue", "VenueProtocols",
          "AppState", "PaperTrading", "OrderService", "MarketModel",
        ] + swiftUI + uiKit, resources: [.copy("Page")], swiftSettings: phoneSettings),
      .executableTarget(
        name: "ios-previews", dependencies: ["PhonePreviews"],
        path: "Apps/Previews/PhonePreviewsCommand", exclude: ["pictures.py"]))
    house(
      "Apps",
      // The apps' shells are compiled here as well as by Xcode.
      .executableTarget(
        name: "LivetapeShell", dependencies: ["PhoneApp"] + swiftUI, path: "Apps/Livetape",
        exclude: ["Info.plist"], swiftSettings: phoneSettings),
      briefShell("Exchange"), briefShell("OrderBook"), briefShell("Product"),
      briefShell("Tracker"),
      .executableTarget(
        name: "LivetapeStocksShell", dependencies: ["StocksApp"] + uiKit,
        path: "Apps/LivetapeStocks",
        exclude: ["Info.plist", "Assets.xcassets", "PrivacyInfo.xcprivacy", "Settings.bundle"],
        swiftSettings: stocksSettings))
    house(
      "Apps/Tests",
      .testTarget(
        name: "StandInsTests", dependencies: combine + swiftUI + uiKit,
        exclude: ["Rejected", "Accepted"], swiftSettings: phoneSettings),
      .testTarget(
        name: "PhonePreviewsTests",
        dependencies: [
          "PhonePreviews", "PhoneApp", "PhoneStores", "PhoneAppFixtures", "PhoneStoresFixtures",
          "AppState", "MarketModel",
          "VenueCatalogue",
        ] + swiftUI,
        swiftSettings: phoneSettings))
  }
#endif

house(
  "Proof",
  .target(
    name: "MarketSimulation",
    dependencies: [
      "MarketModel", "WireJSON", "VenueCatalogue", "VenueProtocols", "VenueSimulator",
      "MarketStreams", "AppState",
      "PaperTrading", "OrderLedger", "OrderService", "SocketTransport", "FeedConnections",
      "LivetapeServer", nio("NIOCore"), nio("NIOEmbedded"), nio("NIOConcurrencyHelpers"), logging,
    ]))
if isWhole {
  house(
    "Proof",
    .executableTarget(
      name: "livetape-simulation",
      dependencies: [
        "MarketModel", "MarketSimulation", nio("NIOCore"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "websocket-echo", dependencies: ["SocketTransport", nio("NIOCore"), nio("NIOPosix")],
      path: "Proof/Autobahn/WebSocketEcho"))
}

house(
  "Tests",
  // What tests of several targets need: children, ports, patience.
  .target(name: "TestSupport", dependencies: ["SocketTransport"]),
  .executableTarget(
    name: "ledger-crash-writer", dependencies: ["OrderLedger", "PaperTrading", "MarketModel"],
    path: "Tests/LedgerCrashWriter"),
  .executableTarget(
    name: "history-crash-writer", dependencies: ["HistoryStore", "ChartModel", "MarketModel"],
    path: "Tests/HistoryCrashWriter"),
  .testTarget(
    name: "SharedLedgerTests",
    dependencies: [
      "SharedLedger", "MessageBus", "OrderService", "OrderLedger", "PaperTrading", "MarketModel",
      nio("NIOCore"), nio("NIOConcurrencyHelpers"), logging,
    ]),
  .testTarget(
    name: "VenueTapeTests",
    dependencies: [
      "VenueTape", "MessageBus", "MarketSimulation", "MarketModel", "VenueCatalogue",
      "VenueProtocols",
      "VenueSimulator", "MarketStreams", "FeedConnections", "SocketTransport", "TestSupport",
      nio("NIOCore"), logging,
    ]),
  .testTarget(name: "DigestTests", dependencies: ["Digest"]),
  .testTarget(name: "WireJSONTests", dependencies: ["WireJSON", "MarketModel"]),
  .testTarget(name: "MarketModelTests", dependencies: ["MarketModel", "TestSupport"]),
  .testTarget(name: "OrderBookTests", dependencies: ["OrderBook", "MarketModel"]),
  .testTarget(
    name: "OrderMatchingTests", dependencies: ["OrderMatching", "MarketModel", "TestSupport"]),
  .testTarget(
    name: "PaperTradingTests",
    dependencies: ["PaperTrading", "OrderMatching", "MarketModel", "TestSupport"]),
  .testTarget(
    name: "PriceAlertsTests",
    dependencies: ["PriceAlerts", "ChartModel", "MarketModel", "WireJSON"]),
  .testTarget(
    name: "OrderLedgerTests",
    dependencies: [
      "OrderLedger", "OrderService", "PaperTrading", "MarketModel", "WireJSON", "Digest",
      "DataFiles", "ledger-crash-writer", "TestSupport", sqlite,
    ]),
  .testTarget(
    name: "VenueProtocolsTests",
    dependencies: [
      "VenueCatalogue", "VenueProtocols", "WireJSON", "OrderBook", "MarketModel", "TestSupport",
    ],
    resources: [.copy("Payloads")]),
  .testTarget(
    name: "VenueSimulatorTests",
    dependencies: [
      "VenueSimulator", "VenueProtocols", "VenueCatalogue", "WireJSON", "OrderMatching",
      "OrderBook", "MarketModel", "TestSupport",
    ]),
  .testTarget(
    name: "ChartModelTests", dependencies: ["ChartModel", "MarketModel"],
    exclude: ["indicators.json", "indicators.py"]),
  .testTarget(name: "TicketModelTests", dependencies: ["TicketModel", "MarketModel"]),
  .testTarget(
    name: "MarketHistoryTests",
    dependencies: ["MarketHistory", "ChartModel", "MarketModel", "VenueProtocols"],
    resources: [.copy("Payloads")]),
  .testTarget(
    name: "HistoryStoreTests",
    dependencies: [
      "HistoryStore", "ChartModel", "DataFiles", "MarketModel", "history-crash-writer",
      "TestSupport", sqlite,
    ]),
  .testTarget(
    name: "AppStateTests",
    dependencies: [
      "AppState", "MarketStreams", "MarketHistory", "MarketModel", "PaperTrading",
      "VenueCatalogue", "WireJSON",
    ]),
  .testTarget(
    name: "MarketStreamsTests",
    dependencies: [
      "MarketStreams", "MarketHistory", "ChartModel", "MarketModel", "VenueCatalogue",
      "VenueProtocols",
    ]),
  .testTarget(
    name: "FeedConnectionsTests",
    dependencies: [
      "FeedConnections", "SocketTransport", "VenueCatalogue", "VenueProtocols", "MarketModel",
      "PriceAlerts",
      "TestSupport", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"),
      nio("NIOEmbedded"), nio("NIOConcurrencyHelpers"), nio("NIOTLS"), tls, logging,
    ] + combine, swiftSettings: combineSettings),
  .testTarget(
    name: "MessageBusTests",
    dependencies: [
      "MessageBus", "MarketModel", "SocketTransport", "TestSupport", nio("NIOCore"),
      nio("NIOPosix"), nio("NIOEmbedded"), nio("NIOConcurrencyHelpers"), logging,
    ]),
  .testTarget(
    name: "SocketServerTests",
    dependencies: [
      "SocketServer", nio("NIOCore"), nio("NIOHTTP1"), nio("NIOEmbedded"), hummingbird, logging,
    ]),
  .testTarget(
    name: "SimulatorServerTests",
    dependencies: [
      "SimulatorServer", "SimulatorHost", "FeedConnections", "SocketTransport", "VenueSimulator",
      "VenueCatalogue", "MarketModel", "MarketStreams", "ChartModel", "TestSupport",
      nio("NIOCore"), nio("NIOEmbedded"), nio("NIOPosix"), nio("NIOWebSocket"), logging,
    ]),
  .testTarget(
    name: "LivetapeServerTests",
    dependencies: [
      "LivetapeServer", "SocketServer", "VenueCatalogue", "WireJSON", "MarketStreams",
      "MarketHistory", "AppState", "ChartModel", "PaperTrading", "PriceAlerts", "OrderService",
      "MarketModel", "LivetapeWeb", "Digest", "SimulatorServer", "MessageBus", "VenueTape",
      nio("NIOCore"), nio("NIOHTTP1"), nio("NIOConcurrencyHelpers"), nio("NIOEmbedded"),
      httpTypes, hummingbird, "SocketTransport", "TestSupport", metrics,
    ]),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "LivetapeServer", "SimulatorServer", "SocketServer", "FeedConnections", "SocketTransport",
      "VenueCatalogue", "OrderLedger", "PaperTrading", "MarketModel", "WireJSON", "TestSupport",
      nio("NIOCore"), nio("NIOPosix"), nio("NIOConcurrencyHelpers"), hummingbird, services,
      logging,
    ]),
  .testTarget(
    name: "MarketSimulationTests",
    dependencies: ["MarketModel", "MarketSimulation", "TestSupport"]),
  // Reads every character of the repository, which takes a minute without optimisation.
  .testTarget(name: "RepositoryRulesTests", swiftSettings: strict + [.unsafeFlags(["-O"])]))

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

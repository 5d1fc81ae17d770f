// Who may import what: the table of docs/ARCHITECTURE.md as data. The layers of the product hold
// only as long as this table does.

/// The allowed imports of every target.
enum ImportRules {
  private static let nio = [
    "NIO", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket", "NIOConcurrencyHelpers",
    "NIOEmbedded", "NIOFoundationCompat", "NIOSSL",
  ]
  /// For error numbers and clocks, where the system's names for them differ.
  private static let systemLibraries = ["Darwin", "Glibc", "Musl"]
  private static let http = ["Hummingbird", "HummingbirdCore", "HTTPTypes"]
  private static let core = ["MarketModel", "WireJSON", "OrderBook", "VenueProtocols"]

  /// Target to modules.
  ///
  /// Foundation in AppState is narrowed further below.
  static let allowed: [String: [String]] = [
    "MarketModel": [],
    "OrderBook": ["MarketModel", "Collections"],
    "OrderMatching": ["MarketModel", "Collections"],
    "PaperTrading": ["MarketModel", "OrderBook"],
    "ChartModel": ["MarketModel"],
    "TicketModel": ["MarketModel"],
    "WireJSON": ["MarketModel"],
    "PriceAlerts": ["MarketModel", "WireJSON"],
    "Digest": ["CryptoKit", "CLibCrypto"],
    "DataFiles": systemLibraries + ["MarketModel", "Foundation"],
    "VenueProtocols": ["MarketModel", "OrderBook", "WireJSON"],
    "VenueSimulator": core + ["OrderMatching", "PaperTrading"],
    "MarketHistory": ["MarketModel", "ChartModel"],
    "MarketStreams": ["MarketModel", "ChartModel", "MarketHistory", "VenueProtocols"],
    "AppState": [
      "MarketModel", "MarketStreams", "PaperTrading", "PriceAlerts", "VenueProtocols", "WireJSON",
      "Foundation",
    ],
    "SocketTransport": nio + systemLibraries + ["Logging"],
    "MessageBus": nio + ["MarketModel", "WireJSON", "SocketTransport", "Logging"],
    "FeedConnections": core + nio + systemLibraries + [
      "ChartModel", "MarketHistory", "MarketStreams", "HistoryStore", "PriceAlerts",
      "SocketTransport", "Combine", "Logging", "Dispatch",
    ],
    "VenueTape": core + nio + [
      "MarketHistory", "MarketStreams", "SocketTransport", "FeedConnections", "MessageBus",
      "Logging",
    ],
    "OrderLedger": systemLibraries + [
      "MarketModel", "PaperTrading", "WireJSON", "Digest", "DataFiles", "GRDB", "Foundation",
    ],
    "HistoryStore": systemLibraries + [
      "DataFiles", "MarketModel", "ChartModel", "GRDB", "Foundation", "Dispatch",
    ],
    "OrderService": [
      "MarketModel", "PaperTrading", "OrderLedger", "Foundation", "Dispatch",
    ],
    "SharedLedger": nio + [
      "MarketModel", "WireJSON", "VenueProtocols", "PaperTrading", "OrderLedger", "OrderService",
      "MessageBus", "Logging",
    ],
    "BrowserCore": ["MarketModel", "ChartModel"],
    "BrowserTicket": ["MarketModel", "TicketModel"],
    "BrowserProof": ["MarketModel"],
    "PhoneApp": core + [
      "PaperTrading", "ChartModel", "TicketModel", "MarketStreams", "MarketHistory", "HistoryStore",
      "AppState",
      "SocketTransport", "FeedConnections", "OrderLedger", "OrderService", "SwiftUI", "Combine",
      "Foundation", "Security", "NIOPosix", "Logging",
    ],
    "StocksApp": core + [
      "AppState", "SocketTransport", "FeedConnections", "UIKit", "Combine", "Foundation",
      "NIOPosix", "Logging",
    ],
    "Livetape": ["PhoneApp", "SwiftUI", "Foundation"],
    "LivetapeTests": ["Testing", "UIKit", "Foundation"],
    "LivetapeStocks": ["StocksApp", "UIKit", "Foundation"],
    "LivetapeStocksTests": ["Testing", "UIKit", "Foundation"],
    "LivetapeWeb": ["Foundation", "Digest"],
    "SocketServer": nio + http + systemLibraries + [
      "NIOHTTPTypesHTTP1", "SocketTransport", "ServiceLifecycle", "Logging",
    ],
    "SimulatorServer": core + nio + http + [
      "VenueSimulator", "SocketTransport", "SocketServer", "FeedConnections",
      "ServiceLifecycle", "Logging", "Foundation",
    ],
    "LivetapeServer": core + nio + http + systemLibraries + [
      "DataFiles", "PaperTrading", "PriceAlerts", "ChartModel", "MarketHistory", "MarketStreams",
      "HistoryStore", "Digest",
      "AppState",
      "SocketTransport", "SocketServer", "SimulatorServer", "FeedConnections", "OrderLedger",
      "OrderService", "LivetapeWeb", "MessageBus", "VenueTape", "SharedLedger", "ServiceLifecycle",
      "Logging",
      "CoreMetrics", "Foundation", "Dispatch",
    ],
    "MarketSimulation": core + [
      "VenueSimulator", "MarketStreams", "AppState", "PaperTrading", "OrderLedger", "OrderService",
      "SocketTransport", "FeedConnections", "LivetapeServer", "NIOCore", "NIOEmbedded",
      "NIOConcurrencyHelpers", "Logging",
    ],
    "livetape-simulation": ["MarketModel", "MarketSimulation", "NIOCore", "ArgumentParser"],
    "livetape": core + nio + systemLibraries + [
      "UnixSignals", "PaperTrading", "ChartModel", "MarketHistory", "MarketStreams",
      "HistoryStore", "AppState", "SocketTransport", "SocketServer", "SimulatorServer",
      "FeedConnections", "OrderLedger", "LivetapeServer", "LivetapeWeb", "MessageBus",
      "ArgumentParser", "Logging", "ServiceLifecycle", "Foundation",
    ],
  ]

  /// Imports outside the table, and targets that it lacks.
  static func imports(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target else { return [] }
    guard let modules = allowed[target] else {
      return [
        file.finding(0, "target \(target) is unknown; add its imports to ImportRules.allowed")
      ]
    }
    return file.code.indices.compactMap { index in
      guard let module = importedModule(file.code[index]), !file.isExcused(index) else {
        return nil
      }
      if target == "AppState", module == "Foundation", !file.path.contains("/Formatting/") {
        return file.finding(
          index, "AppState imports Foundation in Formatting/ only; keep the screens pure")
      }
      if modules.contains(module) { return nil }
      let list = modules.isEmpty ? "nothing" : modules.sorted().joined(separator: ", ")
      return file.finding(
        index, "\(target) may not import \(module); it may import \(list). Move the code up a layer"
      )
    }
  }

  /// The module of an import line in any of its forms; nil for other lines.
  static func importedModule(_ line: String) -> String? {
    var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
    while let first = words.first,
      first.hasPrefix("@")
        || ["public", "package", "internal", "private", "fileprivate"]
          .contains(String(first))
    {
      words.removeFirst()
    }
    guard words.first == "import", words.count > 1 else { return nil }
    let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
    let name = kinds.contains(String(words[1])) && words.count > 2 ? words[2] : words[1]
    return name.split(separator: ".").first.map(String.init)
  }
}

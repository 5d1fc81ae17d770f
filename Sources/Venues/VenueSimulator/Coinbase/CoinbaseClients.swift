import MarketModel

enum CoinbaseTopic: Sendable, Hashable {
  case heartbeats
  case level2(Int)
  case trades(Int)
  case ticker(Int)
  case status(Int)

  var product: Int? {
    switch self {
    case .heartbeats: nil
    case .level2(let product), .trades(let product), .ticker(let product), .status(let product):
      product
    }
  }

  /// As in requests.
  var channel: String {
    switch self {
    case .heartbeats: "heartbeats"
    case .level2: "level2"
    case .trades: "market_trades"
    case .ticker: "ticker"
    case .status: "status"
    }
  }

  static func named(_ channel: String, _ product: Int) -> CoinbaseTopic? {
    switch channel {
    case "level2": .level2(product)
    case "market_trades": .trades(product)
    case "ticker": .ticker(product)
    case "status": .status(product)
    default: nil
    }
  }
}

/// A client of a simulated Coinbase, with the count of its connection's messages.
struct CoinbaseClient: Sendable {
  /// The number of the next message.
  private var next: Int64 = 0
  private var heartbeats: Int64 = 0
  let connectedAt: Timestamp
  var hasSubscribed = false

  init(at now: Timestamp) { connectedAt = now }

  /// The number of the next message, which is counted.
  mutating func takeNumber() -> Int64 {
    defer { next += 1 }
    return next
  }

  /// The number of the next heartbeat, which is counted.
  mutating func takeHeartbeat() -> Int64 {
    defer { heartbeats += 1 }
    return heartbeats
  }
}

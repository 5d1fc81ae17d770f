import MarketModel
import VenueProtocols

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

/// The clients of a simulated Coinbase, each with the count of its connection's messages.
struct CoinbaseClients: Sendable {
  private struct Client: Sendable {
    /// The number of the next message.
    var next: Int64 = 0
    let connectedAt: Timestamp
    var hasAsked = false
    var heartbeats: Int64 = 0
  }

  private var clients: [ClientID: Client] = [:]
  private var listeners = TopicListeners<CoinbaseTopic>()

  mutating func add(_ client: ClientID, at now: Timestamp) {
    clients[client] = Client(connectedAt: now)
  }

  func contains(_ client: ClientID) -> Bool { clients[client] != nil }

  /// A client's subscriptions, oldest first.
  func topics(of client: ClientID) -> [CoinbaseTopic] { listeners.topics(of: client) }

  mutating func remove(_ client: ClientID) {
    listeners.remove(client)
    clients[client] = nil
  }

  mutating func noteRequest(of client: ClientID) { clients[client]?.hasAsked = true }

  /// Clients that have not subscribed to anything since before `time`, by number.
  func silent(since time: Timestamp) -> [ClientID] {
    clients.filter { !$0.value.hasAsked && $0.value.connectedAt <= time }.keys.sorted()
  }

  /// The number of a client's next message, which is counted.
  mutating func number(for client: ClientID) -> Int64 {
    guard let number = clients[client]?.next else { return 0 }
    clients[client]?.next = number + 1
    return number
  }

  /// The number of a client's next heartbeat.
  mutating func heartbeat(of client: ClientID) -> Int64 {
    guard let number = clients[client]?.heartbeats else { return 0 }
    clients[client]?.heartbeats = number + 1
    return number
  }

  mutating func subscribe(_ client: ClientID, _ topic: CoinbaseTopic) {
    guard contains(client) else { return }
    listeners.insert(client, topic)
  }

  mutating func unsubscribe(_ client: ClientID, _ topic: CoinbaseTopic) {
    listeners.remove(client, topic)
  }

  /// Whether any product has subscribers.
  var areListening: Bool { listeners.topics.contains { $0.product != nil } }

  /// The subscribers of a topic, in order of subscription.
  func listeners(_ topic: CoinbaseTopic) -> [ClientID] { listeners.clients(of: topic) }
}

import MarketModel

struct SimulatedBybitTopic: Sendable, Hashable {
  enum Channel: String, Sendable, CaseIterable {
    case book = "orderbook.50"
    case bestLevels = "orderbook.1"
    case trades = "publicTrade"
    case tickers
  }

  let channel: Channel
  /// The index of the pair.
  let pair: Int
}

/// The clients of a simulated Bybit, also by topic, so that a change is encoded once for all.
struct BybitClients: Sendable {
  /// Silence of a client after which the venue disconnects it.
  static let patienceMilliseconds: Int64 = 600_000

  private struct Client: Sendable {
    var heard: Timestamp
  }

  private var clients: [ClientID: Client] = [:]
  private var listeners = TopicListeners<SimulatedBybitTopic>()

  mutating func add(_ client: ClientID, at now: Timestamp) {
    clients[client] = Client(heard: now)
  }

  func contains(_ client: ClientID) -> Bool { clients[client] != nil }

  /// A client's subscriptions, oldest first.
  func topics(of client: ClientID) -> [SimulatedBybitTopic] { listeners.topics(of: client) }

  mutating func remove(_ client: ClientID) {
    listeners.remove(client)
    clients[client] = nil
  }

  mutating func hear(_ client: ClientID, at now: Timestamp) { clients[client]?.heard = now }

  func isSubscribed(_ client: ClientID, _ topic: SimulatedBybitTopic) -> Bool {
    listeners.contains(client, topic)
  }

  mutating func subscribe(_ client: ClientID, _ topic: SimulatedBybitTopic) {
    listeners.insert(client, topic)
  }

  mutating func unsubscribe(_ client: ClientID, _ topic: SimulatedBybitTopic) {
    listeners.remove(client, topic)
  }

  var areListening: Bool { !listeners.topics.isEmpty }

  /// The subscribers of a topic, in order of subscription.
  func listeners(_ channel: SimulatedBybitTopic.Channel, _ pair: Int) -> [ClientID] {
    listeners.clients(of: SimulatedBybitTopic(channel: channel, pair: pair))
  }

  /// Clients that sent nothing since `time`, by number.
  func silent(since time: Timestamp) -> [ClientID] {
    clients.filter { $0.value.heard <= time }.keys.sorted()
  }
}

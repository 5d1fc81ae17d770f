import MarketModel

struct SimulatedOKXTopic: Sendable, Hashable {
  enum Channel: String, Sendable, CaseIterable {
    case books
    case books5
    case bestLevels = "bbo-tbt"
    case trades
    case tickers
    case status
    /// Accepted; instruments never change here, so nothing is sent.
    case instruments
  }

  let channel: Channel
  /// The index of the pair; nil for channels of the whole venue.
  let pair: Int?
}

/// The clients of a simulated OKX, also by topic, so that a change is encoded once for all.
struct OKXClients: Sendable {
  /// Requests of one connection in an hour.
  static let maximumRequestsPerHour = 480
  /// Silence of both sides after which the venue disconnects a client.
  static let patienceMilliseconds: Int64 = 30_000

  private struct Client: Sendable {
    var hour: Int64 = .min
    var requests = 0
    /// When either side last sent a message.
    var active: Timestamp
  }

  private var clients: [ClientID: Client] = [:]
  private var listeners = TopicListeners<SimulatedOKXTopic>()

  mutating func add(_ client: ClientID, at now: Timestamp) {
    clients[client] = Client(active: now)
  }

  func contains(_ client: ClientID) -> Bool { clients[client] != nil }

  /// A client's subscriptions, oldest first.
  func topics(of client: ClientID) -> [SimulatedOKXTopic] { listeners.topics(of: client) }

  mutating func remove(_ client: ClientID) {
    listeners.remove(client)
    clients[client] = nil
  }

  mutating func touch(_ touched: [ClientID], at now: Timestamp) {
    for client in touched { clients[client]?.active = now }
  }

  /// Counts a request; false when it exceeds this hour's limit.
  mutating func countRequest(_ client: ClientID, at now: Timestamp) -> Bool {
    guard var state = clients[client] else { return false }
    let hour = now.milliseconds / 3_600_000
    if state.hour != hour { (state.hour, state.requests) = (hour, 0) }
    state.requests += 1
    clients[client] = state
    return state.requests <= Self.maximumRequestsPerHour
  }

  func isSubscribed(_ client: ClientID, _ topic: SimulatedOKXTopic) -> Bool {
    listeners.contains(client, topic)
  }

  mutating func subscribe(_ client: ClientID, _ topic: SimulatedOKXTopic) {
    listeners.insert(client, topic)
  }

  mutating func unsubscribe(_ client: ClientID, _ topic: SimulatedOKXTopic) {
    listeners.remove(client, topic)
  }

  var areListening: Bool { listeners.topics.contains { $0.pair != nil } }

  /// All clients, by number.
  var all: [ClientID] { clients.keys.sorted() }

  /// The subscribers of a topic, in order of subscription.
  func listeners(_ channel: SimulatedOKXTopic.Channel, _ pair: Int) -> [ClientID] {
    listeners.clients(of: SimulatedOKXTopic(channel: channel, pair: pair))
  }

  /// Clients without a message since `time`, by number.
  func idle(since time: Timestamp) -> [ClientID] {
    clients.filter { $0.value.active <= time }.keys.sorted()
  }
}

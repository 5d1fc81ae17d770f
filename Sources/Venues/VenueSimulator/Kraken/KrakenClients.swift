import MarketModel

enum KrakenTopic: Sendable, Hashable {
  /// All pairs; with tokenised stocks or without.
  case instrument(tokens: Bool)
  case book(pair: Int, depth: Int)
  case trade(pair: Int)
  case ticker(pair: Int, KrakenTrigger)

  /// Whether a client may have only one of the two: one depth and one ticker per pair.
  func excludes(_ other: KrakenTopic) -> Bool {
    switch (self, other) {
    case (.book(let pair, _), .book(let other, _)): pair == other
    case (.ticker(let pair, _), .ticker(let other, _)): pair == other
    case (.instrument, .instrument): true
    default: self == other
    }
  }

  /// The pair whose market its messages follow; nil for all instruments.
  var pair: Int? {
    switch self {
    case .instrument: nil
    case .book(let pair, _), .trade(let pair), .ticker(let pair, _): pair
    }
  }
}

/// What triggers a ticker's update.
enum KrakenTrigger: String, Sendable, CaseIterable {
  /// Each trade; bid and ask are those of that moment.
  case trades
  /// Each change of the best bid or ask.
  case bbo
}

/// The clients of a simulated Kraken, also by topic, so that a change is encoded once for all.
struct KrakenClients: Sendable, ClientRegistry {
  static let maximumTopics = 500

  private struct Client: Sendable {
    var topics: [KrakenTopic] = []
    /// When the client last sent a message.
    var heard: Timestamp
    /// When the venue last sent this client a message.
    var told: Timestamp
  }

  private var clients: [ClientID: Client] = [:]
  private var listeners: [KrakenTopic: [ClientID]] = [:]
  /// The number of subscriptions that follow each pair's market.
  private var heard: [Int: Int] = [:]

  mutating func add(_ client: ClientID, at now: Timestamp) {
    clients[client] = Client(heard: now, told: now)
  }

  /// A client's subscriptions, oldest first.
  func topics(of client: ClientID) -> [KrakenTopic] { clients[client]?.topics ?? [] }

  func contains(_ client: ClientID) -> Bool { clients[client] != nil }

  mutating func remove(_ client: ClientID) {
    for topic in clients[client]?.topics ?? [] { unlist(client, topic) }
    clients[client] = nil
  }

  mutating func hear(_ client: ClientID, at now: Timestamp) { clients[client]?.heard = now }

  mutating func tell(_ told: [ClientID], at now: Timestamp) {
    for client in told { clients[client]?.told = now }
  }

  /// Whether a subscription of the client excludes this one.
  func isTaken(_ topic: KrakenTopic, by client: ClientID) -> Bool {
    clients[client]?.topics.contains { $0.excludes(topic) } ?? false
  }

  func hasRoom(_ client: ClientID) -> Bool {
    (clients[client]?.topics.count ?? Self.maximumTopics) < Self.maximumTopics
  }

  /// Adds a subscription that the client does not have yet.
  mutating func subscribe(_ client: ClientID, _ topic: KrakenTopic) {
    clients[client]?.topics.append(topic)
    listeners[topic, default: []].append(client)
    if let pair = topic.pair { heard[pair, default: 0] += 1 }
  }

  /// Removes a subscription; false when there was none.
  mutating func unsubscribe(_ client: ClientID, _ topic: KrakenTopic) -> Bool {
    guard let index = clients[client]?.topics.firstIndex(of: topic) else { return false }
    clients[client]?.topics.remove(at: index)
    unlist(client, topic)
    return true
  }

  var areListening: Bool { !heard.isEmpty }

  func isHeard(_ pair: Int) -> Bool { heard[pair] != nil }

  /// The subscribers of a topic, in order of subscription.
  func listeners(_ topic: KrakenTopic) -> [ClientID] { listeners[topic] ?? [] }

  /// Clients that received nothing since `time`, by number.
  func untold(since time: Timestamp) -> [ClientID] {
    clients.filter { $0.value.told <= time }.keys.sorted()
  }

  /// Clients that sent nothing since `time`, by number.
  func silent(since time: Timestamp) -> [ClientID] {
    clients.filter { $0.value.heard <= time }.keys.sorted()
  }

  private mutating func unlist(_ client: ClientID, _ topic: KrakenTopic) {
    guard var list = listeners[topic] else { return }
    list.removeAll { $0 == client }
    listeners[topic] = list.isEmpty ? nil : list
    guard let pair = topic.pair, let count = heard[pair] else { return }
    heard[pair] = count > 1 ? count - 1 : nil
  }
}

import MarketModel
import WireJSON

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

/// A client's request: `{"method":…,"params":{…},"req_id":…}`.
struct KrakenRequest: Sendable {
  static let maximumSymbols = 200

  /// "subscribe", "unsubscribe", "ping".
  private(set) var method = ""
  /// "book"; empty if absent.
  private(set) var channel = ""
  /// In order, as written.
  private(set) var symbols: [String] = []
  /// Levels per side; 10 if absent.
  private(set) var depth: Int64 = 10
  /// Whether a snapshot is requested; true by default.
  private(set) var wantsSnapshot = true
  /// The trigger of a ticker's update: "trades" or "bbo".
  private(set) var trigger = "trades"
  /// Whether tokenised stocks are requested among the instruments; false by default.
  private(set) var wantsTokens = false
  /// Echoed in responses.
  private(set) var identifier: Int64?

  /// Parses a message; throws when it is not a JSON object of the documented types.
  init(_ bytes: [UInt8]) throws(JSONError) {
    try CommandReader.read(bytes) { (span, key, cursor) throws(JSONError) in
      switch key {
      case "method": method = try CommandReader.text(span, &cursor)
      case "req_id": identifier = try cursor.integer(span)
      case "params":
        try cursor.object(span) { (key, cursor) throws(JSONError) in
          switch key {
          case "channel": channel = try CommandReader.text(span, &cursor)
          case "depth": depth = try cursor.integer(span)
          case "snapshot": wantsSnapshot = try cursor.boolean(span)
          case "event_trigger": trigger = try CommandReader.text(span, &cursor)
          case "include_tokenized_assets": wantsTokens = try cursor.boolean(span)
          case "symbol":
            symbols = try CommandReader.texts(span, &cursor, atMost: Self.maximumSymbols)
          default: break
          }
        }
      default: break
      }
    }
  }
}

/// The rate limit of public calls, a token bucket with 15 at once and one more each second.
///
/// It is for all clients together, because a simulated venue can't distinguish them.
struct KrakenCallBudget: Sendable {
  static let burst: Int64 = 15

  private let isLimited: Bool
  /// Thousandths of a call.
  private var left = KrakenCallBudget.burst * 1000
  private var counted: Timestamp

  init(isLimited: Bool, at now: Timestamp) { (self.isLimited, counted) = (isLimited, now) }

  /// Uses a call; false when the bucket is empty.
  mutating func take(at now: Timestamp) -> Bool {
    guard isLimited else { return true }
    let elapsed = max(0, now.milliseconds - counted.milliseconds)
    left = min(left + min(elapsed, 60_000), KrakenCallBudget.burst * 1000)
    counted = max(counted, now)
    guard left >= 1000 else { return false }
    left -= 1000
    return true
  }
}

import MarketModel

/// The clients of a simulated BitMEX, also by topic, so that a change is encoded once for all.
struct BitMEXClients: Sendable {
  static let maximumTopics = 200
  /// Subscriptions of one client in a minute; a partial can have more than a megabyte.
  static let maximumSubscriptionsPerMinute = 240
  /// Errors after which a client is disconnected.
  static let maximumErrors = 20

  private struct Client: Sendable {
    var topics: [String: BitMEXTopic] = [:]
    var errors = 0
    var minute: Int64 = .min
    var subscriptionsInMinute = 0
  }

  private var clients: [ClientID: Client] = [:]
  private var listeners: [BitMEXTopic: [ClientID]] = [:]

  mutating func add(_ client: ClientID) { clients[client] = Client() }

  /// A client's subscriptions as it spelled them, sorted.
  func topics(of client: ClientID) -> [String] { clients[client]?.topics.keys.sorted() ?? [] }

  func contains(_ client: ClientID) -> Bool { clients[client] != nil }

  mutating func remove(_ client: ClientID) {
    for topic in clients[client]?.topics.values ?? [:].values { unlist(client, topic) }
    clients[client] = nil
  }

  /// Whether the client has subscribed by exactly this text.
  func isSubscribed(_ client: ClientID, _ text: String) -> Bool {
    clients[client]?.topics[text] != nil
  }

  func hasRoom(_ client: ClientID) -> Bool {
    (clients[client]?.topics.count ?? BitMEXClients.maximumTopics) < BitMEXClients.maximumTopics
  }

  /// Counts a subscription; returns the seconds to wait if it exceeds this minute's limit.
  mutating func countSubscription(_ client: ClientID, at now: Timestamp) -> Int64? {
    guard var state = clients[client] else { return nil }
    let minute = now.milliseconds / 60_000
    if state.minute != minute { (state.minute, state.subscriptionsInMinute) = (minute, 0) }
    state.subscriptionsInMinute += 1
    clients[client] = state
    let isExceeded = state.subscriptionsInMinute > BitMEXClients.maximumSubscriptionsPerMinute
    return isExceeded ? (minute + 1) * 60 - now.milliseconds / 1000 : nil
  }

  mutating func subscribe(_ client: ClientID, _ text: String, _ topic: BitMEXTopic) {
    clients[client]?.topics[text] = topic
    listeners[topic, default: []].append(client)
  }

  /// Removes a subscription; false when there was none.
  mutating func unsubscribe(_ client: ClientID, _ text: String) -> Bool {
    guard let topic = clients[client]?.topics.removeValue(forKey: text) else { return false }
    unlist(client, topic)
    return true
  }

  /// The subscribers of this table and instrument, in order of subscription, unfiltered ones last.
  func listeners(_ table: SimulatedBitMEXTable, _ index: Int) -> [ClientID] {
    if listeners.isEmpty { return [] }
    return (listeners[BitMEXTopic(table: table, scope: .one(index))] ?? [])
      + (listeners[BitMEXTopic(table: table, scope: .all)] ?? [])
  }

  var areListening: Bool { !listeners.isEmpty }

  func hasListeners(_ tables: [SimulatedBitMEXTable]) -> Bool {
    listeners.keys.contains { tables.contains($0.table) }
  }

  /// Counts an error; true when it exceeds the limit.
  mutating func countError(_ client: ClientID) -> Bool {
    clients[client]?.errors += 1
    return (clients[client]?.errors ?? 0) > BitMEXClients.maximumErrors
  }

  private mutating func unlist(_ client: ClientID, _ topic: BitMEXTopic) {
    guard var list = listeners[topic] else { return }
    // Only the first: "trade" and "trade:*" are two subscriptions to one topic.
    if let index = list.firstIndex(of: client) { list.remove(at: index) }
    listeners[topic] = list.isEmpty ? nil : list
  }
}

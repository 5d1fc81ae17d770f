import MarketModel
import WireJSON

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

/// A client's command, `{"op":…,"args":…}`, and its text, which responses echo unchanged.
struct BitMEXRequest: Sendable {
  static let maximumArguments = 200
  /// The longest argument, in bytes.
  static let maximumArgumentBytes = 64

  /// "subscribe", "unsubscribe".
  let operation: String
  /// The arguments that are strings, in order; `args` may also be one bare string.
  let arguments: [String]
  let json: [UInt8]

  /// Parses a message; throws without a JSON object with an `op`, and on too many or long
  /// arguments.
  init(_ bytes: [UInt8]) throws(JSONError) {
    var (operation, arguments): (String?, [String]) = (nil, [])
    try CommandReader.read(bytes) { (span, key, cursor) throws(JSONError) in
      switch key {
      case "op": operation = try cursor.text(span, maximumBytes: BitMEXRequest.maximumArgumentBytes)
      case "args": arguments = try BitMEXRequest.arguments(span, &cursor)
      default: break
      }
    }
    guard let operation else { throw JSONError(.missingKey, at: 0) }
    self.operation = operation
    self.arguments = arguments
    json = bytes
  }

  /// The command of `?subscribe=a,b` in the upgrade's URL.
  init(subscribing topics: [String]) {
    operation = "subscribe"
    arguments = topics
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("op", "subscribe")
      writer.member("args", array: topics) { $0.string($1) }
    }
    json = writer.bytes
  }

  private static func arguments(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [String] {
    switch try cursor.peek(bytes) {
    case UInt8(ascii: "\""): return [try cursor.text(bytes, maximumBytes: maximumArgumentBytes)]
    case UInt8(ascii: "["): break
    default:
      try cursor.skipValue(bytes)
      return []
    }
    var arguments: [String] = []
    try cursor.elements(bytes) { (cursor) throws(JSONError) in
      guard try cursor.peek(bytes) == UInt8(ascii: "\"") else {
        // Arguments of unsupported commands may be numbers.
        try cursor.skipValue(bytes)
        return
      }
      guard arguments.count < maximumArguments else {
        throw JSONError(.tooLong, at: cursor.offset)
      }
      // Arguments of unsupported commands may be longer than topics.
      let argument = try cursor.text(bytes, maximumBytes: 4 * maximumArgumentBytes)
      arguments.append(argument)
    }
    return arguments
  }
}

struct BitMEXTopic: Sendable, Hashable {
  enum Scope: Sendable, Hashable {
    /// Of every instrument: no filter, or `*`.
    case all
    /// Of the instrument at this index of the venue's list.
    case one(Int)
    /// Of an instrument that does not exist: always empty.
    case none
  }

  let table: SimulatedBitMEXTable
  let scope: Scope

  /// The name before the first colon, and the filter after it, if any.
  static func split(_ text: String) -> (table: String, filter: String?) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : nil)
  }
}

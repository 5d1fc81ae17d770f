import MarketModel

struct BinanceStream: Sendable, Hashable {
  enum Channel: String, Sendable, CaseIterable {
    case book = "depth@100ms"
    case bestLevels = "bookTicker"
    case trades = "trade"
    /// The trades of one taker order at one price; here each trade alone.
    case aggregates = "aggTrade"
    case ticker
  }

  let channel: Channel
  /// The index of the pair.
  let pair: Int
}

/// The clients of a simulated Binance, also by stream, so that a change is encoded once for all.
struct BinanceClients: Sendable {
  /// Messages in a second beyond which the venue disconnects a client.
  static let messagesPerSecond = 5

  private struct Client: Sendable {
    var streams: [BinanceStream] = []
    /// Whether messages come without the name of their stream.
    let isRaw: Bool
    /// The times of the latest messages.
    var messages: [Timestamp] = []
  }

  private var clients: [ClientID: Client] = [:]
  private var listeners: [BinanceStream: [ClientID]] = [:]

  /// Adds a client of `/stream`, or one of `/ws`, whose messages lack the name of their stream.
  mutating func add(_ client: ClientID, isRaw: Bool) {
    clients[client] = Client(isRaw: isRaw)
  }

  func isRaw(_ client: ClientID) -> Bool { clients[client]?.isRaw == true }

  func contains(_ client: ClientID) -> Bool { clients[client] != nil }

  func streams(of client: ClientID) -> [BinanceStream] { clients[client]?.streams ?? [] }

  mutating func remove(_ client: ClientID) {
    for stream in streams(of: client) { unlist(client, stream) }
    clients[client] = nil
  }

  /// Counts a message; false when the client has sent too many within a second.
  mutating func count(_ client: ClientID, at now: Timestamp) -> Bool {
    guard var times = clients[client]?.messages else { return true }
    times.removeAll { now.milliseconds(since: $0) >= 1000 }
    times.append(now)
    clients[client]?.messages = times
    return times.count <= Self.messagesPerSecond
  }

  /// Subscribes a stream; one that is subscribed stays so.
  mutating func subscribe(_ client: ClientID, _ stream: BinanceStream) {
    guard clients[client]?.streams.contains(stream) == false else { return }
    clients[client]?.streams.append(stream)
    listeners[stream, default: []].append(client)
  }

  mutating func unsubscribe(_ client: ClientID, _ stream: BinanceStream) {
    clients[client]?.streams.removeAll { $0 == stream }
    unlist(client, stream)
  }

  var areListening: Bool { !listeners.isEmpty }

  /// The subscribers of a stream, in order of subscription.
  func listeners(_ channel: BinanceStream.Channel, _ pair: Int) -> [ClientID] {
    listeners[BinanceStream(channel: channel, pair: pair)] ?? []
  }

  var all: [ClientID] { clients.keys.sorted() }

  private mutating func unlist(_ client: ClientID, _ stream: BinanceStream) {
    guard var list = listeners[stream] else { return }
    list.removeAll { $0 == client }
    listeners[stream] = list.isEmpty ? nil : list
  }
}

// Requests of clients: one response each, because one bad topic rejects a whole request.

import MarketModel
import WireJSON

extension SimulatedBybit {
  /// The most arguments of a request for spot pairs.
  private static let maximumArguments = 10

  mutating func handle(
    _ bytes: [UInt8], of client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    clients[client]?.receivedAt = now
    guard let request = try? BybitRequest(bytes) else {
      return [respond(BybitRequest(), to: client, problem: "error:json parse failed")]
    }
    switch request.operation {
    case "ping":
      let pong = BybitText.response(
        "ping", isSuccess: true, "pong", request: request.identifier,
        connection: Self.connection(client))
      return [reply(client, pong)]
    case "subscribe": return subscribe(request, of: client, at: now)
    case "unsubscribe":
      for argument in request.arguments {
        if let topic = topic(argument) { clients.topics.remove(client, topic) }
      }
      return [respond(request, to: client)]
    default: return [respond(request, to: client, problem: "error:unknown op")]
    }
  }

  private mutating func subscribe(
    _ request: BybitRequest, of client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard category == .linear || request.arguments.count <= Self.maximumArguments else {
      return [respond(request, to: client, problem: "args size >10")]
    }
    var topics: [PairTopic<Channel>] = []
    for argument in request.arguments {
      guard let topic = topic(argument) else {
        // The venue leaves out the request's number here.
        var unnumbered = request
        unnumbered.identifier = nil
        let problem =
          category == .spot
          ? "Invalid symbol :[\(argument)]" : "error:handler not found,topic:\(argument)"
        return [respond(unnumbered, to: client, problem: problem)]
      }
      guard !clients.topics.contains(client, topic), !topics.contains(topic) else {
        let problem = "error:already subscribed,topic:\(argument)"
        return [respond(request, to: client, problem: problem)]
      }
      topics.append(topic)
    }
    for topic in topics { clients.topics.insert(client, topic) }
    let snapshots = topics.flatMap { first($0, at: now) }.map { reply(client, $0) }
    let acknowledged = [respond(request, to: client)]
    return behaviour.snapshotsComeFirst ? snapshots + acknowledged : acknowledged + snapshots
  }

  private func topic(_ text: String) -> PairTopic<Channel>? {
    guard let dot = text.lastIndex(of: "."),
      let channel = Channel(rawValue: String(text[..<dot])),
      let pair = index(of: String(text[text.index(after: dot)...]))
    else { return nil }
    return PairTopic(channel: channel, pair: pair)
  }

  /// What a new subscriber gets at once; trades have no history.
  private mutating func first(
    _ topic: PairTopic<Channel>, at now: Timestamp
  ) -> [[UInt8]] {
    guard let index = topic.pair else { return [] }
    let state = published[index]
    switch topic.channel {
    case .book:
      return [
        text.book(
          Self.depth, pairs[index], type: "snapshot", bids: state.book.bids, asks: state.book.asks,
          update: state.bookUpdate, sequence: state.bookSequence, at: now)
      ]
    case .bestLevels: return [bestLevels(index, at: now)]
    case .trades: return []
    case .tickers: return [ticker(index, at: now)]
    }
  }

  private func respond(
    _ request: BybitRequest, to client: ClientID, problem: String? = nil
  ) -> VenueEffect {
    reply(
      client,
      BybitText.response(
        request.operation, isSuccess: problem == nil,
        problem ?? (category == .spot ? request.operation : ""),
        request: request.identifier, connection: Self.connection(client)))
  }

  private static func connection(_ client: ClientID) -> String {
    "d967ikkn0ine3iqmjc30-\(String(1_000_000 + client.number, radix: 36))"
  }
}

/// A client's command: `{"op":"subscribe","args":["orderbook.50.BTCUSDT"],"req_id":"1"}`.
struct BybitRequest: Sendable {
  private(set) var operation = ""
  private(set) var arguments: [String] = []
  var identifier: String?

  init() {}

  init(_ bytes: [UInt8]) throws(JSONError) {
    try CommandReader.read(bytes) { (span, cursor, name) throws(JSONError) in
      switch name {
      case "op": operation = try CommandReader.text(span, &cursor)
      case "req_id":
        // Some clients send a number.
        var copy = cursor
        if let number = try? copy.integer(span) {
          (identifier, cursor) = (String(number), copy)
        } else {
          identifier = try CommandReader.text(span, &cursor)
        }
      case "args": arguments = try CommandReader.texts(span, &cursor)
      default: return false
      }
      return true
    }
  }
}

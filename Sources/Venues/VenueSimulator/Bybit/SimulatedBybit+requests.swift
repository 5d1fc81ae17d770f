// Requests of clients: one response each, because one bad topic rejects a whole request.

public import MarketModel
import WireJSON

extension SimulatedBybit {
  private static let maximumArguments = 10

  /// Handles pings and subscriptions; anything else gets an error.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard clients.contains(client) else { return [] }
    catchUpUnheard(to: now)
    clients.hear(client, at: now)
    guard bytes.count <= SimulatedBybit.maximumMessageBytes else {
      return [.close(client, code: 1009, reason: "message too big")]
    }
    guard let request = try? BybitRequest(bytes) else {
      return [respond(BybitRequest(), to: client, problem: "error:json parse failed")]
    }
    switch request.operation {
    case "ping":
      let pong = BybitText.response(
        "ping", isSuccess: true, "pong", request: request.identifier,
        connection: Self.connection(client))
      return [tell(client, pong)]
    case "subscribe": return subscribe(request, of: client, at: now)
    case "unsubscribe":
      for argument in request.arguments {
        if let topic = topic(argument) { clients.unsubscribe(client, topic) }
      }
      return [respond(request, to: client)]
    default: return [respond(request, to: client, problem: "error:unknown op")]
    }
  }

  private mutating func subscribe(
    _ request: BybitRequest, of client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard request.arguments.count <= Self.maximumArguments else {
      return [respond(request, to: client, problem: "args size >10")]
    }
    var topics: [SimulatedBybitTopic] = []
    for argument in request.arguments {
      guard let topic = topic(argument) else {
        // The venue leaves out the request's number here.
        var unnumbered = request
        unnumbered.identifier = nil
        return [respond(unnumbered, to: client, problem: "Invalid symbol :[\(argument)]")]
      }
      guard !clients.isSubscribed(client, topic), !topics.contains(topic) else {
        let problem = "error:already subscribed,topic:\(argument)"
        return [respond(request, to: client, problem: problem)]
      }
      topics.append(topic)
    }
    for topic in topics { clients.subscribe(client, topic) }
    let snapshots = topics.flatMap { first($0, at: now) }.map { tell(client, $0) }
    let acknowledged = [respond(request, to: client)]
    return behaviour.snapshotsComeFirst ? snapshots + acknowledged : acknowledged + snapshots
  }

  private func topic(_ text: String) -> SimulatedBybitTopic? {
    guard let dot = text.lastIndex(of: "."),
      let channel = SimulatedBybitTopic.Channel(rawValue: String(text[..<dot])),
      let pair = pairs.firstIndex(where: { $0.symbol == text[text.index(after: dot)...] })
    else { return nil }
    return SimulatedBybitTopic(channel: channel, pair: pair)
  }

  /// What a new subscriber gets at once; trades have no history.
  private func first(_ topic: SimulatedBybitTopic, at now: Timestamp) -> [[UInt8]] {
    let (pair, state) = (pairs[topic.pair], published[topic.pair])
    switch topic.channel {
    case .book:
      return [
        BybitText.book(
          Self.depth, pair, type: "snapshot", bids: state.book.bids, asks: state.book.asks,
          update: state.bookUpdate, sequence: state.bookSequence, at: now)
      ]
    case .bestLevels:
      return [
        BybitText.book(
          1, pair, type: "snapshot", bids: state.touch.bids, asks: state.touch.asks,
          update: state.touchUpdate, sequence: state.touchSequence, at: now)
      ]
    case .trades: return []
    case .tickers: return [ticker(topic.pair, at: now)]
    }
  }

  private func respond(
    _ request: BybitRequest, to client: ClientID, problem: String? = nil
  ) -> VenueEffect {
    tell(
      client,
      BybitText.response(
        request.operation, isSuccess: problem == nil, problem ?? request.operation,
        request: request.identifier, connection: Self.connection(client)))
  }

  private func tell(_ client: ClientID, _ bytes: [UInt8]) -> VenueEffect {
    .send(to: [client], bytes: bytes, binary: false)
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

  private static let maximumArguments = 1000
  private static let maximumBytes = 64

  init() {}

  init(_ bytes: [UInt8]) throws(JSONError) {
    let slice = bytes[...]
    let span = slice.span
    var cursor = JSONCursor()
    try cursor.beginObject(span)
    var first = true
    while let key = try cursor.nextKey(span, first: &first) {
      if JSONText.equals(span, key, "op") {
        operation = try cursor.text(span, maximumBytes: Self.maximumBytes)
      } else if JSONText.equals(span, key, "req_id") {
        // Some clients send a number.
        var copy = cursor
        if let number = try? copy.integer(span) {
          (identifier, cursor) = (String(number), copy)
        } else {
          identifier = try cursor.text(span, maximumBytes: Self.maximumBytes)
        }
      } else if JSONText.equals(span, key, "args") {
        arguments = try cursor.list(span, atMost: Self.maximumArguments) {
          (cursor) throws(JSONError) in try cursor.text(span, maximumBytes: Self.maximumBytes)
        }
      } else {
        try cursor.skipValue(span)
      }
    }
    try cursor.finish(span)
  }
}

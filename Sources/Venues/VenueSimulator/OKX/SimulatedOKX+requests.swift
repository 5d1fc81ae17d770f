// Requests of clients: an acknowledgement per topic, before its data.

public import MarketModel
import WireJSON

extension SimulatedOKX {
  private static let maximumArguments = 480

  /// Handles the text `ping` and subscriptions; anything else gets an error.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard clients.contains(client) else { return [] }
    catchUpUnheard(to: now)
    clients.touch([client], at: now)
    guard bytes.count <= SimulatedOKX.maximumMessageBytes else {
      return [.close(client, code: 1009, reason: "message too big")]
    }
    if bytes.elementsEqual("ping".utf8) { return [tell(client, Array("pong".utf8))] }
    guard let request = try? OKXRequest(bytes),
      request.operation == "subscribe" || request.operation == "unsubscribe"
    else { return [refuse(client, "60012", "Invalid request: \(Self.shown(bytes))")] }
    guard clients.countRequest(client, at: now) else {
      return [refuse(client, "60014", "Requests too frequent")]
    }
    guard !request.arguments.isEmpty, request.arguments.count <= Self.maximumArguments else {
      return [refuse(client, "60013", "Invalid args")]
    }
    return request.arguments.flatMap { argument -> [VenueEffect] in
      guard let topic = topic(argument) else {
        let text =
          "Wrong URL or channel:\(argument.channel),instId:\(argument.instrument ?? "") doesn't "
          + "exist. Please use the correct URL, channel and parameters referring to API document."
        return [refuse(client, "60018", text)]
      }
      let acknowledged = tell(
        client, OKXText.event(request.operation, argument, connection: Self.connection(client)))
      if request.operation == "unsubscribe" {
        clients.unsubscribe(client, topic)
        return [acknowledged]
      }
      // Subscribing again is acknowledged, but brings no snapshot.
      guard !clients.isSubscribed(client, topic) else { return [acknowledged] }
      clients.subscribe(client, topic)
      return [acknowledged] + first(topic, at: now).map { tell(client, $0) }
    }
  }

  private func topic(_ argument: OKXArgument) -> SimulatedOKXTopic? {
    guard let channel = SimulatedOKXTopic.Channel(rawValue: argument.channel) else { return nil }
    if channel == .status || channel == .instruments {
      return SimulatedOKXTopic(channel: channel, pair: nil)
    }
    guard let pair = pairs.firstIndex(where: { $0.symbol == argument.instrument }) else {
      return nil
    }
    return SimulatedOKXTopic(channel: channel, pair: pair)
  }

  /// What a new subscriber gets at once.
  private mutating func first(_ topic: SimulatedOKXTopic, at now: Timestamp) -> [[UInt8]] {
    guard let index = topic.pair else { return [] }
    let state = published[index]
    switch topic.channel {
    case .books:
      guard behaviour.sendsSnapshots else { return [] }
      return [
        OKXText.book(
          "snapshot", pairs[index], bids: state.book.bids, asks: state.book.asks,
          sequence: state.bookSequence, previous: -1, checksum: checksum(state.book, of: index),
          at: now)
      ]
    case .books5:
      return [OKXText.levels("books5", pairs[index], state.five, state.bookSequence, at: now)]
    case .bestLevels:
      return [OKXText.levels("bbo-tbt", pairs[index], state.touch, state.sequence, at: now)]
    case .trades: return latestTrades[index].map { [OKXText.trade(pairs[index], $0)] } ?? []
    case .tickers: return [ticker(index, at: now)]
    case .status, .instruments: return []
    }
  }

  /// Announces the end of all connections, as a minute before an upgrade.
  public mutating func announceUpgrade() -> [VenueEffect] {
    clients.all.map { client in
      var writer = JSONWriter()
      writer.beginObject()
      writer.member("event", "notice")
      writer.member(
        "msg",
        "The connection will soon be closed for a service upgrade. Please reconnect.")
      writer.member("code", "64008")
      writer.member("connId", Self.connection(client))
      writer.endObject()
      return tell(client, writer.bytes)
    }
  }

  private func refuse(_ client: ClientID, _ code: String, _ text: String) -> VenueEffect {
    tell(client, OKXText.error(code, text, connection: Self.connection(client)))
  }

  private func tell(_ client: ClientID, _ bytes: [UInt8]) -> VenueEffect {
    .send(to: [client], bytes: bytes, binary: false)
  }

  private static func connection(_ client: ClientID) -> String {
    let digits = String(0x3a00_0000 + client.number, radix: 16)
    return String(digits.suffix(8))
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(64), as: UTF8.self)
  }
}

/// A client's command: `{"op":"subscribe","args":[{"channel":"books","instId":"BTC-USDT"}]}`.
struct OKXRequest: Sendable {
  private(set) var operation = ""
  private(set) var arguments: [OKXArgument] = []

  private static let maximumArguments = 1000
  private static let maximumBytes = 64

  init(_ bytes: [UInt8]) throws(JSONError) {
    let slice = bytes[...]
    let span = slice.span
    var cursor = JSONCursor()
    try cursor.beginObject(span)
    var first = true
    while let key = try cursor.nextKey(span, first: &first) {
      if JSONText.equals(span, key, "op") {
        operation = try cursor.text(span, maximumBytes: Self.maximumBytes)
      } else if JSONText.equals(span, key, "args") {
        arguments = try cursor.list(span, atMost: Self.maximumArguments) {
          (cursor) throws(JSONError) in try Self.argument(span, &cursor)
        }
      } else {
        try cursor.skipValue(span)
      }
    }
    try cursor.finish(span)
  }

  private static func argument(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> OKXArgument {
    var argument = OKXArgument()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "channel") {
        argument.channel = try cursor.text(bytes, maximumBytes: maximumBytes)
      } else if JSONText.equals(bytes, key, "instId") {
        argument.instrument = try cursor.text(bytes, maximumBytes: maximumBytes)
      } else if JSONText.equals(bytes, key, "instType") {
        argument.instrumentType = try cursor.text(bytes, maximumBytes: maximumBytes)
      } else {
        try cursor.skipValue(bytes)
      }
    }
    return argument
  }
}

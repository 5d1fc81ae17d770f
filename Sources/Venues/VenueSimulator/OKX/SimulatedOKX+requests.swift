// Requests of clients: an acknowledgement per topic, before its data.

import MarketModel
import WireJSON

extension SimulatedOKX {
  private static let maximumArguments = 480

  mutating func handle(
    _ bytes: [UInt8], of client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    clients[client]?.active = now
    if bytes.elementsEqual("ping".utf8) { return [reply(client, Array("pong".utf8))] }
    guard let request = try? OKXRequest(bytes),
      request.operation == "subscribe" || request.operation == "unsubscribe"
    else { return [refuse(client, "60012", "Invalid request: \(Self.shown(bytes))")] }
    guard clients[client]?.countRequest(at: now) == true else {
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
      let acknowledged = reply(
        client, OKXText.event(request.operation, argument, connection: Self.connection(client)))
      if request.operation == "unsubscribe" {
        clients.topics.remove(client, topic)
        return [acknowledged]
      }
      // Subscribing again is acknowledged, but brings no snapshot.
      guard !clients.topics.contains(client, topic) else { return [acknowledged] }
      clients.topics.insert(client, topic)
      return [acknowledged] + first(topic, at: now).map { reply(client, $0) }
    }
  }

  private func topic(_ argument: OKXArgument) -> PairTopic<Channel>? {
    guard let channel = Channel(rawValue: argument.channel) else { return nil }
    if channel == .status || channel == .instruments {
      return PairTopic(channel: channel, pair: nil)
    }
    return index(of: argument.instrument).map { PairTopic(channel: channel, pair: $0) }
  }

  /// What a new subscriber gets at once.
  private mutating func first(_ topic: PairTopic<Channel>, at now: Timestamp) -> [[UInt8]] {
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
    case .trades: return state.trade.map { [OKXText.trade(pairs[index], $0)] } ?? []
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
      return reply(client, writer.bytes)
    }
  }

  private func refuse(_ client: ClientID, _ code: String, _ text: String) -> VenueEffect {
    reply(client, OKXText.error(code, text, connection: Self.connection(client)))
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

  init(_ bytes: [UInt8]) throws(JSONError) {
    try CommandReader.read(bytes) { (span, cursor, name) throws(JSONError) in
      switch name {
      case "op": operation = try CommandReader.text(span, &cursor)
      case "args":
        arguments = try cursor.list(span, atMost: 1000) { (cursor) throws(JSONError) in
          try Self.argument(span, &cursor)
        }
      default: return false
      }
      return true
    }
  }

  private static func argument(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> OKXArgument {
    var argument = OKXArgument()
    try CommandReader.object(bytes, &cursor) { (span, cursor, name) throws(JSONError) in
      switch name {
      case "channel": argument.channel = try CommandReader.text(span, &cursor)
      case "instId": argument.instrument = try CommandReader.text(span, &cursor)
      case "instType": argument.instrumentType = try CommandReader.text(span, &cursor)
      default: return false
      }
      return true
    }
    return argument
  }
}

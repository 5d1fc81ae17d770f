// Requests of clients. The venue acknowledges streams that do not exist, and stays silent.

import MarketModel
import WireJSON

extension SimulatedBinance {
  mutating func handle(
    _ bytes: [UInt8], of client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard clients[client]?.count(at: now) == true else {
      clients.remove(client)
      return [.close(client, code: 1008, reason: "Too many requests")]
    }
    guard let request = try? BinanceCommand(bytes) else {
      return [
        reply(client, BinanceText.failure(3, "Invalid JSON: expected value at line 1 column 1"))
      ]
    }
    switch request.method {
    case "SUBSCRIBE":
      for name in request.streams {
        if let stream = stream(name) { clients.topics.insert(client, stream) }
      }
      return [reply(client, BinanceText.response(request.number))]
    case "UNSUBSCRIBE":
      for name in request.streams {
        if let stream = stream(name) { clients.topics.remove(client, stream) }
      }
      return [reply(client, BinanceText.response(request.number))]
    case "LIST_SUBSCRIPTIONS":
      let names = clients.topics.topics(of: client).compactMap { topic in
        topic.pair.map { BinanceText.name(topic.channel, pairs[$0]) }
      }
      return [reply(client, BinanceText.response(request.number, streams: names))]
    default:
      return [
        reply(
          client, BinanceText.failure(2, "Invalid request: unknown variant `\(request.method)`"))
      ]
    }
  }

  func stream(_ name: String) -> PairTopic<Channel>? {
    let parts = name.split(separator: "@", maxSplits: 1)
    guard parts.count == 2, let channel = Channel(rawValue: String(parts[1])),
      let pair = pairs.firstIndex(where: { $0.symbol.lowercased() == parts[0] })
    else { return nil }
    return PairTopic(channel: channel, pair: pair)
  }
}

/// A client's command: `{"method":"SUBSCRIBE","params":["btcusdt@trade"],"id":1}`.
struct BinanceCommand: Sendable {
  private(set) var method = ""
  private(set) var streams: [String] = []
  private(set) var number: Int64?

  init(_ bytes: [UInt8]) throws(JSONError) {
    try CommandReader.read(bytes) { (span, cursor, name) throws(JSONError) in
      switch name {
      case "method": method = try CommandReader.text(span, &cursor)
      case "id": number = try cursor.integer(span)
      case "params": streams = try CommandReader.texts(span, &cursor)
      default: return false
      }
      return true
    }
  }
}

// Requests of clients. The venue acknowledges streams that do not exist, and stays silent.

public import MarketModel
import WireJSON

extension SimulatedBinance {
  /// Handles subscriptions; anything else gets an error.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    guard clients.contains(client) else { return [] }
    catchUpUnheard(to: now)
    guard bytes.count <= SimulatedBinance.maximumMessageBytes else {
      return [.close(client, code: 1009, reason: "message too big")]
    }
    guard clients.count(client, at: now) else {
      clients.remove(client)
      return [.close(client, code: 1008, reason: "Too many requests")]
    }
    func answer(_ bytes: [UInt8]) -> [VenueEffect] {
      [.send(to: [client], bytes: bytes, binary: false)]
    }
    guard let request = try? BinanceCommand(bytes) else {
      return answer(
        BinanceText.failure(3, "Invalid JSON: expected value at line 1 column 1"))
    }
    switch request.method {
    case "SUBSCRIBE":
      for name in request.streams {
        if let stream = stream(name) { clients.subscribe(client, stream) }
      }
      return answer(BinanceText.response(request.number))
    case "UNSUBSCRIBE":
      for name in request.streams {
        if let stream = stream(name) { clients.unsubscribe(client, stream) }
      }
      return answer(BinanceText.response(request.number))
    case "LIST_SUBSCRIPTIONS":
      let names = clients.streams(of: client).map { BinanceText.name($0.channel, pairs[$0.pair]) }
      return answer(BinanceText.response(request.number, streams: names))
    default:
      return answer(
        BinanceText.failure(2, "Invalid request: unknown variant `\(request.method)`"))
    }
  }

  func stream(_ name: String) -> BinanceStream? {
    let parts = name.split(separator: "@", maxSplits: 1)
    guard parts.count == 2, let channel = BinanceStream.Channel(rawValue: String(parts[1])),
      let pair = pairs.firstIndex(where: { $0.symbol.lowercased() == parts[0] })
    else { return nil }
    return BinanceStream(channel: channel, pair: pair)
  }
}

/// A client's command: `{"method":"SUBSCRIBE","params":["btcusdt@trade"],"id":1}`.
struct BinanceCommand: Sendable {
  private(set) var method = ""
  private(set) var streams: [String] = []
  private(set) var number: Int64?

  private static let maximumStreams = 1024
  private static let maximumBytes = 64

  init(_ bytes: [UInt8]) throws(JSONError) {
    let slice = bytes[...]
    let span = slice.span
    var cursor = JSONCursor()
    try cursor.beginObject(span)
    var first = true
    while let key = try cursor.nextKey(span, first: &first) {
      if JSONText.equals(span, key, "method") {
        method = try cursor.text(span, maximumBytes: Self.maximumBytes)
      } else if JSONText.equals(span, key, "id") {
        number = try cursor.integer(span)
      } else if JSONText.equals(span, key, "params") {
        streams = try cursor.list(span, atMost: Self.maximumStreams) {
          (cursor) throws(JSONError) in try cursor.text(span, maximumBytes: Self.maximumBytes)
        }
      } else {
        try cursor.skipValue(span)
      }
    }
    try cursor.finish(span)
  }
}

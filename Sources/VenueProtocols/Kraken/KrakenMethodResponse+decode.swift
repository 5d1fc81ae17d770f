// Reading the venue's responses to requests. All of it is rare, so it is written for tolerance: an
// odd part is skipped, the text is kept.

import MarketModel
import WireJSON

extension KrakenMethodResponse {
  /// Bytes kept from a text.
  static let maximumTextBytes = 512

  /// `"text"`; empty for anything else.
  static func cutText(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> String {
    guard try cursor.peek(bytes) == UInt8(ascii: "\"") else {
      try cursor.skipValue(bytes)
      return ""
    }
    let range = try cursor.string(bytes)
    return JSONText.decode(bytes, range.prefix(maximumTextBytes))
  }

  /// A symbol; nil for anything else.
  static func symbol(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Symbol? { Symbol(try cutText(bytes, &cursor)) }

  /// A whole number; nil for anything else.
  static func number(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int64? {
    var trial = cursor
    let value = try? trial.integer(bytes)
    try cursor.skipValue(bytes)
    return value
  }

  /// `{"channel":"book","depth":100,"symbol":"BTC/USD",…}`.
  mutating func readResult(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    guard try cursor.peek(bytes) == UInt8(ascii: "{") else { return try cursor.skipValue(bytes) }
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      switch JSONCursor.keyCode(bytes, key) {
      case KrakenWord.symbol: symbol = try Self.symbol(bytes, &cursor) ?? symbol
      case KrakenWord.depth: depth = try Self.number(bytes, &cursor).flatMap(Int.init(exactly:))
      case KrakenWord.channel:
        switch try Self.cutText(bytes, &cursor) {
        case "book": channel = .book
        case "trade": channel = .trade
        case "ticker": channel = .ticker
        case "instrument": channel = .instrument
        default: break
        }
      default: try cursor.skipValue(bytes)
      }
    }
  }
}

// Reads the venue's responses to requests with tolerance: odd parts are skipped, texts are kept.

import MarketModel
import WireJSON

extension KrakenMethodResponse {
  static func symbol(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Symbol? { Symbol(try cursor.cutText(bytes)) }

  /// `{"channel":"book","depth":100,"symbol":"BTC/USD",…}`.
  mutating func readResult(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    guard try cursor.peek(bytes) == UInt8(ascii: "{") else { return try cursor.skipValue(bytes) }
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      switch JSONCursor.keyCode(bytes, key) {
      case KrakenKeyCode.symbol: symbol = try Self.symbol(bytes, &cursor) ?? symbol
      case KrakenKeyCode.depth: depth = try cursor.wholeNumber(bytes).flatMap(Int.init(exactly:))
      case KrakenKeyCode.warnings: try readWarnings(bytes, &cursor)
      case KrakenKeyCode.channel:
        switch try cursor.cutText(bytes) {
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

  /// `["…"]`; anything else contains no warnings.
  mutating func readWarnings(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    guard try cursor.peek(bytes) == UInt8(ascii: "[") else { return try cursor.skipValue(bytes) }
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) { warn(try cursor.cutText(bytes)) }
  }

  mutating func warn(_ text: String) {
    guard !text.isEmpty, warnings.count < Self.maximumWarnings else { return }
    warnings.append(text)
  }
}

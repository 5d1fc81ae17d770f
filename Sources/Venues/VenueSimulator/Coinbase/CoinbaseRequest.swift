import MarketModel
import WireJSON

/// A client's request: `{"type":…,"product_ids":[…],"channel":…}`.
struct CoinbaseRequest: Sendable {
  static let maximumProducts = 100
  private static let maximumTextBytes = 64

  /// "subscribe" or "unsubscribe".
  private(set) var type = ""
  /// "level2"; empty if absent.
  private(set) var channel = ""
  /// In order, as written.
  private(set) var products: [String] = []

  /// Parses a message; throws when it is not a JSON object of the documented types.
  init(_ bytes: [UInt8]) throws(JSONError) {
    let slice = bytes[...]
    let span = slice.span
    var cursor = JSONCursor()
    try cursor.beginObject(span)
    var first = true
    while let key = try cursor.nextKey(span, first: &first) {
      if JSONText.equals(span, key, "type") {
        type = try cursor.text(span, maximumBytes: Self.maximumTextBytes)
      } else if JSONText.equals(span, key, "channel") {
        channel = try cursor.text(span, maximumBytes: Self.maximumTextBytes)
      } else if JSONText.equals(span, key, "product_ids") {
        products = try cursor.list(span, atMost: Self.maximumProducts) {
          (cursor) throws(JSONError) in
          try cursor.text(span, maximumBytes: Self.maximumTextBytes)
        }
      } else {
        try cursor.skipValue(span)
      }
    }
    try cursor.finish(span)
  }
}

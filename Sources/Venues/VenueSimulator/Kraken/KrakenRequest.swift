import MarketModel
import WireJSON

/// A client's request: `{"method":…,"params":{…},"req_id":…}`.
struct KrakenRequest: Sendable {
  static let maximumSymbols = 200
  private static let maximumTextBytes = 64

  /// "subscribe", "unsubscribe", "ping".
  private(set) var method = ""
  /// "book"; empty if absent.
  private(set) var channel = ""
  /// In order, as written.
  private(set) var symbols: [String] = []
  /// Levels per side; 10 if absent.
  private(set) var depth: Int64 = 10
  /// Whether a snapshot is requested; true by default.
  private(set) var wantsSnapshot = true
  /// The trigger of a ticker's update: "trades" or "bbo".
  private(set) var trigger = "trades"
  /// Whether tokenised stocks are requested among the instruments; false by default.
  private(set) var wantsTokens = false
  /// Echoed in responses.
  private(set) var identifier: Int64?

  /// Parses a message; throws when it is not a JSON object of the documented types.
  init(_ bytes: [UInt8]) throws(JSONError) {
    let slice = bytes[...]
    let span = slice.span
    var cursor = JSONCursor()
    try cursor.beginObject(span)
    var first = true
    while let key = try cursor.nextKey(span, first: &first) {
      if JSONText.equals(span, key, "method") {
        method = try cursor.text(span, maximumBytes: Self.maximumTextBytes)
      } else if JSONText.equals(span, key, "req_id") {
        identifier = try cursor.integer(span)
      } else if JSONText.equals(span, key, "params") {
        try readParameters(span, &cursor)
      } else {
        try cursor.skipValue(span)
      }
    }
    try cursor.finish(span)
  }

  private mutating func readParameters(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "channel") {
        channel = try cursor.text(bytes, maximumBytes: Self.maximumTextBytes)
      } else if JSONText.equals(bytes, key, "depth") {
        depth = try cursor.integer(bytes)
      } else if JSONText.equals(bytes, key, "snapshot") {
        wantsSnapshot = try cursor.boolean(bytes)
      } else if JSONText.equals(bytes, key, "event_trigger") {
        trigger = try cursor.text(bytes, maximumBytes: Self.maximumTextBytes)
      } else if JSONText.equals(bytes, key, "include_tokenized_assets") {
        wantsTokens = try cursor.boolean(bytes)
      } else if JSONText.equals(bytes, key, "symbol") {
        symbols += try cursor.list(bytes, atMost: Self.maximumSymbols - symbols.count) {
          (cursor) throws(JSONError) in
          try cursor.text(bytes, maximumBytes: Self.maximumTextBytes)
        }
      } else {
        try cursor.skipValue(bytes)
      }
    }
  }
}

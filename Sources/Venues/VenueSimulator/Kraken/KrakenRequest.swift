import MarketModel
import WireJSON

/// A client's request: `{"method":…,"params":{…},"req_id":…}`.
struct KrakenRequest: Sendable {
  static let maximumSymbols = 200

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
    try CommandReader.read(bytes) { (span, cursor, name) throws(JSONError) in
      switch name {
      case "method": method = try CommandReader.text(span, &cursor)
      case "req_id": identifier = try cursor.integer(span)
      case "params":
        try CommandReader.object(span, &cursor) { (span, cursor, name) throws(JSONError) in
          try readParameter(span, &cursor, name)
        }
      default: return false
      }
      return true
    }
  }

  private mutating func readParameter(
    _ span: Span<UInt8>, _ cursor: inout JSONCursor, _ name: String
  ) throws(JSONError) -> Bool {
    switch name {
    case "channel": channel = try CommandReader.text(span, &cursor)
    case "depth": depth = try cursor.integer(span)
    case "snapshot": wantsSnapshot = try cursor.boolean(span)
    case "event_trigger": trigger = try CommandReader.text(span, &cursor)
    case "include_tokenized_assets": wantsTokens = try cursor.boolean(span)
    case "symbol":
      symbols += try CommandReader.texts(
        span, &cursor, atMost: Self.maximumSymbols - symbols.count)
    default: return false
    }
    return true
  }
}

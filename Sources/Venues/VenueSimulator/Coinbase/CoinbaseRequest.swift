import MarketModel
import WireJSON

/// A client's request: `{"type":…,"product_ids":[…],"channel":…}`.
struct CoinbaseRequest: Sendable {
  static let maximumProducts = 100

  /// "subscribe" or "unsubscribe".
  private(set) var type = ""
  /// "level2"; empty if absent.
  private(set) var channel = ""
  /// In order, as written.
  private(set) var products: [String] = []

  /// Parses a message; throws when it is not a JSON object of the documented types.
  init(_ bytes: [UInt8]) throws(JSONError) {
    try CommandReader.read(bytes) { (span, cursor, name) throws(JSONError) in
      switch name {
      case "type": type = try CommandReader.text(span, &cursor)
      case "channel": channel = try CommandReader.text(span, &cursor)
      case "product_ids":
        products = try CommandReader.texts(span, &cursor, atMost: Self.maximumProducts)
      default: return false
      }
      return true
    }
  }
}

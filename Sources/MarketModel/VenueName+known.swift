// The venues of the product, once for all: their order and the names that people know.

extension VenueName {
  /// All venues, in order of display.
  public static let known: [VenueName] = [.bitmex, .isin, .bux, .echo, .exchange]

  /// The venue's name for people, fit for any place in a sentence; the short name itself for a
  /// venue unknown here.
  public var displayName: String {
    switch self {
    case .bitmex: "BitMEX"
    case .isin: "Stock Price Stream"
    case .bux: "BUX"
    case .echo: "Price Tracker Echo"
    case .exchange: "Two Roads Exchange"
    default: rawValue
    }
  }
}

// The venues of the product, once for all: their order and the names that people know.

extension VenueName {
  /// All venues, in order of display.
  public static let known: [VenueName] = [.bitmex, .kraken, .isin, .bux, .echo, .exchange]

  /// The venue's name for people, fit for any place in a sentence; the short name itself for a
  /// venue unknown here.
  public var displayName: String {
    switch self {
    case .bitmex: "BitMEX"
    case .kraken: "Kraken"
    case .isin: "Stock Price Stream"
    case .bux: "BUX"
    case .echo: "Price Tracker Echo"
    case .exchange: "Two Roads Exchange"
    default: rawValue
    }
  }

  /// Why there is no live venue any more, for people; nil for venues that are open.
  ///
  /// Such a venue is still simulated and replayed, and can be read at an address of one's own.
  public var closure: String? {
    self == .bitmex
      ? "BitMEX closed on 23 September 2026. Its protocol lives on in simulation and recordings."
      : nil
  }
}

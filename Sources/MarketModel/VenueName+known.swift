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

  /// The venue's public address; nil where there is none, or none any more.
  ///
  /// BUX's is the base of its requests; its feed has a host of its own.
  public var publicAddress: String? {
    switch self {
    case .kraken: "wss://ws.kraken.com/v2"
    case .isin: "ws://159.89.15.214:8080/"
    case .bux: "https://api.beta.getbux.com"
    case .echo: "wss://ws.postman-echo.com/raw"
    default: nil
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

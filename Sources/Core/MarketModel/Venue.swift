/// A market feed, by its short name in the command line and the page; in display order.
public enum Venue: String, CaseIterable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The BitMEX realtime WebSocket.
  case bitmex
  /// Kraken's WebSocket v2: a live market.
  case kraken
  /// Coinbase's Advanced Trade WebSocket: a live market.
  case coinbase
  /// OKX's public WebSocket v5: a live market.
  case okx
  /// Bybit's public WebSocket v5 of spot pairs: a live market.
  case bybit
  /// Bybit's public WebSocket v5 of linear perpetuals: a live market.
  case bybitLinear = "bybit-linear"
  /// Binance's spot streams: a live market.
  case binance
  /// The ISIN price stream of the watch list.
  case isin
  /// BUX: products over REST, quotes over its feed.
  case bux
  /// The WebSocket echo service behind the price tracker.
  case echo
  /// The raw TCP tick feed of the one-stock exchange.
  case exchange

  /// The short name: lower-case ASCII.
  public var description: String { rawValue }

  /// Alphabetical.
  public static func < (left: Venue, right: Venue) -> Bool { left.rawValue < right.rawValue }
}

public import MarketModel

/// A stock in the feed.
public struct FeedRow: Equatable, Sendable {
  /// The company's short name.
  public internal(set) var name: String
  /// The latest price; nil before the first.
  public internal(set) var price: FixedDecimal?
  /// The direction of the last price change.
  public internal(set) var direction: Direction
  /// The number of price changes, which flashes follow.
  public internal(set) var changes: UInt64
}

/// The price tracker's feed (PT1, PT3): topic `feed` of docs/page-protocol.md.
public struct FeedState: Equatable, Sendable {
  /// Whether the feed should run, as set by the Start and Stop buttons.
  public internal(set) var running: Bool
  /// The connection's indicator.
  public internal(set) var connection: ConnectionIndicator
  /// ISO 4217 code of all prices.
  public internal(set) var currency: String
  /// Decimals to show.
  public internal(set) var decimals: Scale
  /// The freshness of the least reliable price shown; waiting without one.
  public internal(set) var freshness: Freshness
  /// All symbols: highest price first, then those without a price alphabetically.
  public internal(set) var order: [Symbol]
  /// A row for each symbol of ``order``.
  public internal(set) var rows: [Symbol: FeedRow]
}

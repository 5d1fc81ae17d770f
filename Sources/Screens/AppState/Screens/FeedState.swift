// What the price tracker's feed shows (PT1, PT3): topic `feed` of docs/page-protocol.md.

public import MarketModel

/// A stock in the feed.
public struct FeedRow: Equatable, Sendable {
  /// The company's short name.
  public internal(set) var name: String
  /// The latest price; nil before the first.
  public internal(set) var price: FixedDecimal?
  /// Where the price went at its last change.
  public internal(set) var direction: Direction
  /// Counts changes of the price: what a flash follows.
  public internal(set) var changes: UInt64
}

/// The whole feed.
public struct FeedState: Equatable, Sendable {
  /// Whether the person wants the feed to run; what Start and Stop switch.
  public internal(set) var running: Bool
  /// The connection in one word.
  public internal(set) var connection: ConnectionIndicator
  /// ISO 4217 code of all prices.
  public internal(set) var currency: String
  /// Decimals to show.
  public internal(set) var decimals: Scale
  /// Of the least trustworthy price shown; waiting while there is none.
  public internal(set) var freshness: Freshness
  /// All symbols: highest price first, then those without a price alphabetically.
  public internal(set) var order: [Symbol]
  /// A row for each symbol of ``order``.
  public internal(set) var rows: [Symbol: FeedRow]
}

/// Figures of a time span, as the venue sent them or exact sums; nil, never 0, if unavailable.
public struct DayFigures: Equatable, Sendable {
  /// The span of change, high, low, volume and VWAP.
  public enum Window: Hashable, Sendable {
    case last24Hours
    /// From this moment until now: the observed part, not a whole day.
    case since(Timestamp)
  }

  /// The instrument.
  public let symbol: Symbol
  /// Last price; nil before the first.
  public var last: FixedDecimal?
  /// The difference between ``last`` and the price at the window's start.
  public var change: FixedDecimal?
  /// ``change`` in percent of that price.
  public var changePercent: FixedDecimal?
  /// The span of the figures.
  public var window: Window
  /// Highest price.
  public var high: FixedDecimal?
  /// Lowest price.
  public var low: FixedDecimal?
  /// Traded quantity.
  public var volume: FixedDecimal?
  /// Average price, weighted by quantity.
  public var vwap: FixedDecimal?
  /// The number of trades.
  public var trades: Int64?
  /// The best bid now.
  public var bid: FixedDecimal?
  /// The best ask now.
  public var ask: FixedDecimal?
  /// Size at the best bid.
  public var bidSize: FixedDecimal?
  /// Size at the best ask.
  public var askSize: FixedDecimal?
  /// The source's time of the figures, from which ages count; a repeated snapshot keeps it.
  public var at: Timestamp?
  /// The direction of the latest change of the last price.
  public var direction: Direction
  /// Counts changes of ``last``, which drive the flash; snapshots don't count.
  public var changes: UInt64
  /// Whether the figures are valid now.
  public var freshness: Freshness
  /// False when the venue has no such instrument.
  public var isKnown: Bool

  /// Creates empty figures.
  public init(
    symbol: Symbol, window: Window = .last24Hours, direction: Direction = .unchanged,
    changes: UInt64 = 0, freshness: Freshness, isKnown: Bool = true
  ) {
    self.symbol = symbol
    self.window = window
    self.direction = direction
    self.changes = changes
    self.freshness = freshness
    self.isKnown = isKnown
  }
}

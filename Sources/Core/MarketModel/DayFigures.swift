// The figures of an instrument's day: what its header and its row in a list show beside the price.

/// Last price, change, range and turnover of a stated span of time.
///
/// All numbers are as the venue spells them, or exact sums of what was kept; a figure that is not
/// known is nil, never 0.
public struct DayFigures: Equatable, Sendable {
  /// The span that change, high, low, volume and VWAP are of.
  public enum Window: Hashable, Sendable {
    /// The 24 hours until now.
    case last24Hours
    /// From this moment until now: what was seen, and no day.
    case since(Timestamp)
  }

  /// The instrument.
  public let symbol: Symbol
  /// Last price; nil before the first.
  public var last: FixedDecimal?
  /// How far ``last`` is from the price at the window's start.
  public var change: FixedDecimal?
  /// The same in percent of that price.
  public var changePercent: FixedDecimal?
  /// What the figures are of.
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
  /// Best price that buyers offer now.
  public var bid: FixedDecimal?
  /// Best price that sellers ask now.
  public var ask: FixedDecimal?
  /// Size at the best bid.
  public var bidSize: FixedDecimal?
  /// Size at the best ask.
  public var askSize: FixedDecimal?
  /// The time of the figures as their source states it; ages count from here.
  ///
  /// A snapshot repeats figures of before: it confirms them, and makes them no younger.
  public var at: Timestamp?
  /// Where the last price went at its last change.
  public var direction: Direction
  /// Counts changes of ``last`` that came as such, which a flash follows; a snapshot is none.
  public var changes: UInt64
  /// Whether the figures can be believed now.
  public var freshness: Freshness
  /// False when the venue has no such instrument.
  public var isKnown: Bool

  /// Figures of which nothing is known yet.
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

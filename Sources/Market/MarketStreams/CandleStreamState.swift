// What everybody sees of a candle stream without asking for its past.

public import ChartModel
public import MarketHistory
public import MarketModel

/// The present of an instrument's candles.
public struct CandleStreamState: Equatable, Sendable {
  /// What one price unit is.
  public var priceScale: Scale
  /// What one quantity unit is.
  public var quantityScale: Scale
  /// Decimals to show for prices; nil before they are known.
  public var priceDecimals: Scale?
  /// Whether the latest price can be believed now.
  public var freshness: Freshness
  /// The latest at most 32 prices, oldest first, numbered without holes.
  public var ticks: [ChartTick]
  /// How the venue's history stands.
  public var history: HistoryStatus
  /// Counts the changes of the past: who shows candles asks for them again when it is another.
  public var revision: UInt64
  /// The figures of the day, added up from candles; nil before there are any, and where the venue
  /// states them itself.
  public var figures: DayFigures?

  /// Puts a state together.
  public init(
    priceScale: Scale, quantityScale: Scale, priceDecimals: Scale?, freshness: Freshness,
    ticks: [ChartTick], history: HistoryStatus, revision: UInt64,
    figures: DayFigures? = nil
  ) {
    self.priceScale = priceScale
    self.quantityScale = quantityScale
    self.priceDecimals = priceDecimals
    self.freshness = freshness
    self.ticks = ticks
    self.history = history
    self.revision = revision
    self.figures = figures
  }
}

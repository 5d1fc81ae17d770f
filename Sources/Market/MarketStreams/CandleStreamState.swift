public import ChartModel
public import MarketHistory
public import MarketModel

/// The current state of a candle stream, without history.
public struct CandleStreamState: Equatable, Sendable {
  /// What one price unit is.
  public var priceScale: Scale
  /// What one quantity unit is.
  public var quantityScale: Scale
  /// Decimals to show for prices; nil until available.
  public var priceDecimals: Scale?
  /// Whether the latest price is valid now.
  public var freshness: Freshness
  /// The latest prices, at most 32, oldest first, numbered without holes.
  public var ticks: [ChartTick]
  /// The state of the venue's history.
  public var history: HistoryStatus
  /// Counts changes of the history; a chart refetches candles when it changes.
  public var revision: UInt64
  /// The figures of the day from candles; nil without candles, and if the venue sends them.
  public var figures: DayFigures?

  /// Creates a state.
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

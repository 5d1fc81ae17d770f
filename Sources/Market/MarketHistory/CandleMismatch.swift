public import ChartModel
public import MarketModel

/// Two different candles of the same span.
public struct CandleMismatch: Hashable, Sendable {
  /// The candles' length.
  public let interval: CandleInterval
  /// Built from the venue's trades; this one is used.
  public let ours: Candle
  /// From the venue's history.
  public let venues: Candle

  /// Creates a mismatch.
  public init(interval: CandleInterval, ours: Candle, venues: Candle) {
    (self.interval, self.ours, self.venues) = (interval, ours, venues)
  }
}

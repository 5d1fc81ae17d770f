// A candle of ours and the venue's of the same span that are not the same.

public import ChartModel
public import MarketModel

/// A candle that the venue tells otherwise.
public struct CandleMismatch: Hashable, Sendable {
  /// The candles' length.
  public let interval: CandleInterval
  /// Made of the venue's trades: the one that is kept.
  public let ours: Candle
  /// What the venue's history says.
  public let venues: Candle

  /// Puts both beside each other.
  public init(interval: CandleInterval, ours: Candle, venues: Candle) {
    (self.interval, self.ours, self.venues) = (interval, ours, venues)
  }
}

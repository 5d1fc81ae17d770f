public import ChartModel
public import MarketModel

/// A candle to store, with its instrument and scales.
public struct CandleRecord: Hashable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// The candle's length.
  public let interval: CandleInterval
  /// What one price unit is.
  public let priceScale: Scale
  /// What one quantity unit is.
  public let quantityScale: Scale
  /// The candle.
  public let candle: Candle

  /// Creates a record.
  public init(
    _ instrument: InstrumentKey, _ interval: CandleInterval, priceScale: Scale,
    quantityScale: Scale, _ candle: Candle
  ) {
    (self.instrument, self.interval) = (instrument, interval)
    (self.priceScale, self.quantityScale) = (priceScale, quantityScale)
    self.candle = candle
  }
}

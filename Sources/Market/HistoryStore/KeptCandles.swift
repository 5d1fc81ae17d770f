public import ChartModel
public import MarketModel

/// Stored candles of an instrument, with their scales.
public struct KeptCandles: Hashable, Sendable {
  /// Oldest first, with unique starts.
  public let candles: [Candle]
  /// What one price unit is.
  public let priceScale: Scale
  /// What one quantity unit is.
  public let quantityScale: Scale

  /// Creates stored candles.
  public init(candles: [Candle], priceScale: Scale, quantityScale: Scale) {
    self.candles = candles
    (self.priceScale, self.quantityScale) = (priceScale, quantityScale)
  }

  /// The candles that other scales represent exactly: a gap is true, a rounded volume is not.
  public func candles(priceScale: Scale, quantityScale: Scale) -> [Candle] {
    if priceScale == self.priceScale, quantityScale == self.quantityScale { return candles }
    return candles.compactMap { candle in
      func price(_ price: Price) -> Price? {
        FixedDecimal(price, scale: self.priceScale).exactly(at: priceScale)
          .map { Price(units: $0.units) }
      }
      guard let open = price(candle.open), let high = price(candle.high),
        let low = price(candle.low), let close = price(candle.close),
        let volume = FixedDecimal(candle.volume, scale: self.quantityScale)
          .exactly(at: quantityScale)
      else { return nil }
      return Candle(
        start: candle.start, open: open, high: high, low: low, close: close,
        volume: Quantity(units: volume.units), count: candle.count, missing: candle.missing,
        source: candle.source, proof: candle.proof)
    }
  }
}

// What lies under the crosshair.

public import MarketModel

/// The candle and the price under a point of the plot.
public struct Crosshair: Hashable, Sendable {
  /// The drawn candle whose span holds the point's time; nil where there is none.
  public let candle: Candle?
  /// What of its span nobody vouches for; nil where there is no candle.
  public let coverage: CandleCoverage?
  /// Its index among the candles of the drawn interval; nil where there is none.
  public let index: Int?
  /// The centre of the candle, or the point itself, in pixels from the left.
  public let x: Float
  /// The price at the point's height, a multiple of the tick.
  public let price: Price
  /// The time at the point, milliseconds since 1970.
  public let time: Int64

  /// Since when its span was seen, milliseconds since 1970; nil when it was seen whole, and when
  /// more is missing than its beginning.
  public var seenSince: Int64? { coverage?.since }
}

extension ChartScene {
  /// What lies under a point of the latest picture; nil when nothing was drawn.
  ///
  /// O(log candles).
  public func crosshair(x: Double, y: Double) -> Crosshair? {
    guard let axis, x.isFinite, y.isFinite else { return nil }
    let time = ChartScene.time(viewport.time(atX: x))
    let start = drawn.start(of: time)
    let candles = series.candles.candles(of: drawn)
    let index = series.candles.firstIndex(notBefore: start, of: drawn)
    let price = snapped(axis.price(atY: y))
    guard index < candles.count, candles[index].start == start else {
      return Crosshair(
        candle: nil, coverage: nil, index: nil, x: Float(x), price: price, time: time)
    }
    return Crosshair(
      candle: candles[index], coverage: series.coverage(of: candles[index], drawn), index: index,
      x: centre(of: candles[index]), price: price, time: time)
  }

  /// The candle at an index of the drawn ones as if the pointer stood on its close; nil outside.
  public func crosshair(atIndex index: Int) -> Crosshair? {
    let candles = series.candles.candles(of: drawn)
    guard axis != nil, index >= 0, index < candles.count else { return nil }
    let candle = candles[index]
    return Crosshair(
      candle: candle, coverage: series.coverage(of: candle, drawn), index: index,
      x: centre(of: candle),
      price: candle.close, time: candle.start)
  }
}

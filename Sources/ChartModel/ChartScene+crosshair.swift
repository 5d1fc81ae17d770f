// What lies under the crosshair.

public import MarketModel

/// The candle and the price under a point of the plot.
public struct Crosshair: Hashable, Sendable {
  /// The candle whose span holds the point's time; nil in a gap.
  public let candle: Candle?
  /// Its index in the series; nil in a gap.
  public let index: Int?
  /// The centre of the candle, or the point itself, in pixels from the left.
  public let x: Float
  /// The price at the point's height.
  public let price: Price
  /// The time at the point, milliseconds since 1970.
  public let time: Int64
}

extension ChartScene {
  /// What lies under a point of the latest picture; nil when nothing was drawn.
  ///
  /// O(log candles).
  public func crosshair(x: Double, y: Double) -> Crosshair? {
    guard let axis, x.isFinite, y.isFinite else { return nil }
    let time = Int64(min(max(viewport.time(atX: x), -1e15), 1e15))
    let start = series.interval.start(of: time)
    let index = series.candles.firstIndex(notBefore: start)
    guard index < series.candles.count, series.candles[index].start == start else {
      return Crosshair(
        candle: nil, index: nil, x: Float(x), price: axis.price(atY: y), time: time)
    }
    let centre = viewport.x(of: Double(start) + Double(series.interval.milliseconds) / 2)
    return Crosshair(
      candle: series.candles[index], index: index, x: Float(centre), price: axis.price(atY: y),
      time: time)
  }
}

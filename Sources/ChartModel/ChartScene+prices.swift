// The vertical scale by hand: stretched, moved, and back to what the candles need.

public import MarketModel

extension ChartScene {
  /// The most that one movement stretches or moves, in heights.
  private static let mostHeights = 0.9
  /// The smallest range, in ticks.
  private static let fewestTicks: Int64 = 4

  /// Stretches the prices around the middle: above 1 shows fewer of them, each higher.
  ///
  /// The scale is then the person's own, until ``fitPrices()``.
  public mutating func stretchPrices(by factor: Double) {
    guard let axis, factor.isFinite, factor > 0 else { return }
    let half = axis.height / 2 / min(max(factor, 0.4), 10)
    let wanted = PriceRange(
      axis.price(atY: axis.height / 2 + half), axis.price(atY: axis.height / 2 - half))
    let least = max(1, tick).multipliedReportingOverflow(by: ChartScene.fewestTicks)
    guard
      factor < 1 || least.overflow
        || PriceAxis.distance(wanted.low, wanted.high) >= least.partialValue
    else { return }
    take(wanted, over: axis)
  }

  /// Moves the prices by pixels, of which positive ones show higher prices.
  ///
  /// Nothing while the scale is not the person's own.
  public mutating func movePrices(byPixels pixels: Double) {
    guard let axis, range != nil, pixels.isFinite else { return }
    let most = axis.height * ChartScene.mostHeights
    let bounded = min(max(pixels, -most), most)
    take(
      PriceRange(axis.price(atY: axis.height - bounded), axis.price(atY: -bounded)), over: axis)
  }

  /// Lets the candles in view choose the prices again.
  public mutating func fitPrices() { range = nil }

  /// The price of an order or a line nearest to one: a multiple of the ``tick``, half a tick up.
  public func snapped(_ price: Price) -> Price {
    guard tick > 1 else { return price }
    let remainder = price.units % tick
    let rest = remainder < 0 ? remainder + tick : remainder
    let (down, underflow) = price.units.subtractingReportingOverflow(rest)
    if underflow { return price }
    return Price(units: rest >= tick - rest ? saturatingSum(down, tick) : down)
  }

  /// A range at the edge of what can be shown changes no more, or it would shrink there.
  private mutating func take(_ wanted: PriceRange, over axis: PriceAxis) {
    let isAtEdge =
      wanted.low.units <= -PriceRange.farthest || wanted.high.units >= PriceRange.farthest - 1
    if !isAtEdge { range = wanted }
  }
}

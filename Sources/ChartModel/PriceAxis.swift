// The vertical scale: which prices fill the height, and where the grid lines go. Prices stay
// integers; only pixels are binary fractions.

public import MarketModel

/// A stretch of prices laid over a height in pixels, highest at the top.
public struct PriceAxis: Hashable, Sendable {
  /// The price at the bottom.
  public let low: Price
  /// The price at the top, above ``low``.
  public let high: Price
  /// The height in pixels.
  public let height: Double

  /// Lays a range over a height, with a margin of an eighth of the range above and `below` eighths
  /// below it, where volume bars may stand.
  ///
  /// The top `inset` pixels stay free of prices, at most half of the height.
  /// A range without extent gets one unit either side.
  public init(low: Price, high: Price, height: Double, below: Int64 = 1, inset: Double = 0) {
    let extent = max(1, PriceAxis.distance(min(low, high), max(low, high)))
    let margin = max(1, extent / 8)
    let (lower, overflow) = margin.multipliedReportingOverflow(by: max(1, below))
    self.low = Price(
      units: saturatingSum(min(low, high).units, overflow ? Int64.min : -lower))
    let top = Price(units: saturatingSum(max(low, high).units, margin))
    let free = min(max(0, inset), height / 2)
    let filled = Double(PriceAxis.distance(self.low, top))
    let above = Int64(min(filled * free / max(1, height - free), 4e18))
    self.high = Price(units: saturatingSum(top.units, above))
    self.height = height
  }

  /// The pixel of a price, from the top.
  public func y(of price: Price) -> Double {
    let above = Double(PriceAxis.distance(price, high))
    return above / Double(max(1, PriceAxis.distance(low, high))) * height
  }

  /// The price at a pixel, to the nearest unit.
  public func price(atY y: Double) -> Price {
    let extent = Double(PriceAxis.distance(low, high))
    let share = min(max(y / max(1, height), -1), 2)
    let exact = share * extent
    let below = Int64(min(max(exact + (exact < 0 ? -0.5 : 0.5), -9e18), 9e18))
    return Price(units: saturatingSum(high.units, -below))
  }

  /// Hands over the prices of the grid lines, lowest first: multiples of 1, 2 or 5 × a power of
  /// ten, at least `minimumPixels` apart; at most 64.
  public func forEachGridPrice(minimumPixels: Double, _ body: (Price) -> Void) {
    let step = gridStep(minimumPixels: minimumPixels)
    var price = low.units - low.units % step
    if price < low.units { price = saturatingSum(price, step) }
    for _ in 0..<64 {
      guard price <= high.units else { return }
      body(Price(units: price))
      let (next, overflow) = price.addingReportingOverflow(step)
      if overflow { return }
      price = next
    }
  }

  private func gridStep(minimumPixels: Double) -> Int64 {
    let lines = max(1, min(64, height / max(8, minimumPixels)))
    let extent = Double(PriceAxis.distance(low, high))
    var step: Int64 = 1
    while true {
      if Double(step) * lines >= extent { return step }
      if Double(step * 2) * lines >= extent { return step * 2 }
      if Double(step * 5) * lines >= extent { return step * 5 }
      guard step < Int64.max / 100 else { return step }
      step *= 10
    }
  }

  /// How far apart two prices are, cut to what fits.
  static func distance(_ low: Price, _ high: Price) -> Int64 {
    let (difference, overflow) = high.units.subtractingReportingOverflow(low.units)
    return overflow ? (high < low ? Int64.min : Int64.max) : difference
  }
}

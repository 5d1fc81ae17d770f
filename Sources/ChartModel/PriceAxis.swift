// The vertical scale: which prices fill the height, and where the grid lines go. Prices stay integers;
// only pixels are binary fractions.

public import MarketModel

/// A stretch of prices laid over a height in pixels, highest at the top.
public struct PriceAxis: Hashable, Sendable {
  /// The price at the bottom.
  public let low: Price
  /// The price at the top, above ``low``.
  public let high: Price
  /// The height in pixels.
  public let height: Double

  /// Lays a range over a height, with a margin of an eighth of the range above and below.
  ///
  /// A range without extent gets one unit either side.
  public init(low: Price, high: Price, height: Double) {
    let extent = max(1, PriceAxis.distance(low, high))
    let margin = max(1, extent / 8)
    self.low = Price(units: saturatedSum(min(low, high).units, -margin))
    self.high = Price(units: saturatedSum(max(low, high).units, margin))
    self.height = height
  }

  /// The pixel of a price, from the top.
  public func y(of price: Price) -> Double {
    let above = Double(PriceAxis.distance(price, high))
    return above / Double(max(1, PriceAxis.distance(low, high))) * height
  }

  /// The price at a pixel, to the nearest unit below.
  public func price(atY y: Double) -> Price {
    let extent = Double(PriceAxis.distance(low, high))
    let share = min(max(y / max(1, height), -1), 2)
    let below = Int64(min(max(share * extent, -9e18), 9e18))
    return Price(units: saturatedSum(high.units, -below))
  }

  /// Prices of the grid lines, lowest first: multiples of 1, 2 or 5 × a power of ten, at least
  /// `minimumPixels` apart; at most 64.
  public func gridPrices(minimumPixels: Double) -> [Price] {
    let step = gridStep(minimumPixels: minimumPixels)
    var price = low.units - low.units % step
    if price < low.units { price = saturatedSum(price, step) }
    var prices: [Price] = []
    while price <= high.units, prices.count < 64 {
      prices.append(Price(units: price))
      let (next, overflow) = price.addingReportingOverflow(step)
      if overflow { break }
      price = next
    }
    return prices
  }

  private func gridStep(minimumPixels: Double) -> Int64 {
    let lines = max(1, Int64(height / max(8, minimumPixels)))
    let wanted = max(1, PriceAxis.distance(low, high) / lines)
    var step: Int64 = 1
    while true {
      for factor: Int64 in [1, 2, 5] where step * factor >= wanted { return step * factor }
      guard step < Int64.max / 100 else { return step }
      step *= 10
    }
  }

  /// How far apart two prices are, cut to what fits.
  static func distance(_ low: Price, _ high: Price) -> Int64 {
    let (difference, overflow) = high.units.subtractingReportingOverflow(low.units)
    return overflow ? Int64.max : difference
  }
}

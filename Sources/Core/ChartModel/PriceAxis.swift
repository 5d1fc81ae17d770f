public import MarketModel

/// How prices map to the height.
public enum PriceScale: UInt8, Sendable, CaseIterable {
  /// Equal differences have equal heights.
  case linear
  /// Equal ratios have equal heights; linear if a price is 0 or less.
  case logarithmic
  /// Linear, with grid lines at round percentages of a price.
  case percent
}

/// Two prices, the lower one first.
public struct PriceRange: Hashable, Sendable {
  /// The limit of a range's prices, in units from 0.
  static let farthest: Int64 = 4_000_000_000_000_000_000

  /// The lower price.
  public let low: Price
  /// The higher price, at least one unit above ``low``.
  public let high: Price

  /// Creates a range from two prices in any order, clamped to the limit.
  public init(_ one: Price, _ other: Price) {
    let cut = { (price: Price) in
      min(max(price.units, -PriceRange.farthest), PriceRange.farthest - 1)
    }
    low = Price(units: min(cut(one), cut(other)))
    high = Price(units: max(cut(one), cut(other), low.units + 1))
  }
}

/// Maps a price range to a height in pixels, highest at the top.
public struct PriceAxis: Hashable, Sendable {
  /// The prices at the bottom and at the top.
  public let range: PriceRange
  /// The height in pixels.
  public let height: Double
  /// The mapping: as requested, or linear where that is impossible.
  public let scale: PriceScale
  /// The base of percentages; above 0 if ``scale`` is ``PriceScale/percent``.
  public let base: Price

  private let bottom: Double
  private let top: Double

  /// The price at the bottom.
  public var low: Price { range.low }
  /// The price at the top, above ``low``.
  public var high: Price { range.high }

  /// Maps a range to the whole height.
  public init(
    _ range: PriceRange, height: Double, scale: PriceScale = .linear, base: Price = Price(units: 0)
  ) {
    self.range = range
    self.height = height
    self.base = base
    switch scale {
    case .logarithmic where range.low.units > 0:
      self.scale = .logarithmic
      bottom = Logarithm.of(Double(range.low.units))
      top = Logarithm.of(Double(range.high.units))
    case .percent where base.units > 0:
      self.scale = .percent
      (bottom, top) = (0, 1)
    default:
      self.scale = .linear
      (bottom, top) = (0, 1)
    }
  }

  /// Maps `low` to `high`, with an eighth above, and `below` eighths below for volume bars.
  ///
  /// A range without extent gets one unit either side.
  public init(
    low: Price, high: Price, height: Double, below: Int64 = 1, scale: PriceScale = .linear,
    base: Price = Price(units: 0)
  ) {
    let tight = PriceRange(low, high)
    let eighths = min(max(1, below), 8)
    if scale == .logarithmic, tight.low.units > 0, low != high {
      let (bottom, top) = (
        Logarithm.of(Double(tight.low.units)), Logarithm.of(Double(tight.high.units))
      )
      let margin = (top - bottom) / 8
      let lower = Int64(Logarithm.inverse(bottom - margin * Double(eighths)))
      let upper = min(Logarithm.inverse(top + margin), Double(PriceRange.farthest))
      self.init(
        PriceRange(Price(units: max(1, lower)), Price(units: Int64(upper) + 1)), height: height,
        scale: scale, base: base)
      return
    }
    let margin = max(1, PriceAxis.distance(tight.low, tight.high) / 8)
    let (lower, overflow) = margin.multipliedReportingOverflow(by: eighths)
    self.init(
      PriceRange(
        Price(units: saturatingSum(min(low, high).units, overflow ? Int64.min : -lower)),
        Price(units: saturatingSum(max(low, high).units, margin))), height: height, scale: scale,
      base: base)
  }

  /// The pixel of a price, from the top.
  public func y(of price: Price) -> Double {
    if scale == .logarithmic {
      return (top - Logarithm.of(max(0.5, Double(price.units)))) / (top - bottom) * height
    }
    let above = Double(PriceAxis.distance(price, high))
    return above / Double(PriceAxis.distance(low, high)) * height
  }

  /// The price at a pixel, to the nearest unit; clamped to one height beyond either end.
  public func price(atY y: Double) -> Price {
    let share = min(max(y / max(1, height), -1), 2)
    if scale == .logarithmic {
      let exact = Logarithm.inverse(top - share * (top - bottom))
      return Price(units: Int64(min(exact + 0.5, Double(PriceRange.farthest))))
    }
    let exact = share * Double(PriceAxis.distance(low, high))
    let below = Int64(min(max(exact + (exact < 0 ? -0.5 : 0.5), -9e18), 9e18))
    return Price(units: saturatingSum(high.units, -below))
  }

  /// The distance from the base in hundredths of a percent, rounded half to even.
  ///
  /// Nil on other scales and on overflow.
  public func hundredths(of price: Price) -> Int64? {
    guard scale == .percent else { return nil }
    let (difference, overflow) = price.units.subtractingReportingOverflow(base.units)
    guard !overflow,
      let share = roundedQuotient(difference.magnitude, times: 10_000, by: base.units.magnitude)
    else { return nil }
    return difference < 0 ? -share : share
  }

  /// Saturates.
  static func distance(_ low: Price, _ high: Price) -> Int64 {
    let (difference, overflow) = high.units.subtractingReportingOverflow(low.units)
    return overflow ? (high < low ? Int64.min : Int64.max) : difference
  }
}

// MARK: - Grid

extension PriceAxis {
  private static let maximumLines = 64

  /// Calls `body` with the grid lines, lowest first, at least `minimumPixels` apart; at most 64.
  ///
  /// They are multiples of 1, 2 or 5 × a power of ten of the unit, or of 0.01% on a percent scale;
  /// on a logarithmic scale the steps grow with the price.
  public func forEachGridLine(minimumPixels: Double, _ body: (PriceMark) -> Void) {
    switch scale {
    case .linear: forEachRoundPrice(minimumPixels, body)
    case .logarithmic: forEachRoundRatio(minimumPixels, body)
    case .percent: forEachRoundShare(minimumPixels, body)
    }
  }

  private func forEachRoundPrice(_ minimumPixels: Double, _ body: (PriceMark) -> Void) {
    let step = PriceAxis.step(atLeast: Double(PriceAxis.distance(low, high)) / lines(minimumPixels))
    forEachMultiple(of: step, from: low.units, to: high.units) { units in
      let price = Price(units: units)
      body(PriceMark(y: Float(y(of: price)), hundredths: 0, price: price))
    }
  }

  private func forEachRoundRatio(_ minimumPixels: Double, _ body: (PriceMark) -> Void) {
    let growth = growth(over: minimumPixels)
    var least = Double(low.units)
    for _ in 0..<PriceAxis.maximumLines {
      let step = PriceAxis.step(atLeast: least * growth)
      guard least <= Double(high.units) else { return }
      let whole = Int64(least)
      let down = whole - whole % step
      let units = Double(down) >= least ? down : saturatingSum(down, step)
      guard units <= high.units else { return }
      let price = Price(units: units)
      body(PriceMark(y: Float(y(of: price)), hundredths: 0, price: price))
      least = Double(units) * (1 + growth)
    }
  }

  private func growth(over pixels: Double) -> Double {
    let ends = Logarithm.of(Double(high.units)) - Logarithm.of(Double(low.units))
    return Logarithm.inverse(ends * max(8, pixels) / max(1, height)) - 1
  }

  private func forEachRoundShare(_ minimumPixels: Double, _ body: (PriceMark) -> Void) {
    let hundredth = Double(base.units) / 10_000
    let step = PriceAxis.step(
      atLeast: Double(PriceAxis.distance(low, high)) / lines(minimumPixels) / hundredth)
    let pixels = height / Double(PriceAxis.distance(low, high))
    // A base near 0 makes shares beyond any integer.
    let share = { (price: Price) in
      Int64(max(-4e18, min(4e18, Double(PriceAxis.distance(base, price)) / hundredth)))
    }
    let (from, to) = (share(low), share(high))
    forEachMultiple(of: step, from: from, to: to) { share in
      guard
        let rise = roundedQuotient(base.units.magnitude, times: share.magnitude, by: 10_000)
      else { return }
      let price = Price(units: saturatingSum(base.units, share < 0 ? -rise : rise))
      let above = Double(PriceAxis.distance(base, high)) - Double(share) * hundredth
      body(PriceMark(y: Float(above * pixels), hundredths: Int32(clamping: share), price: price))
    }
  }

  private func lines(_ minimumPixels: Double) -> Double {
    max(1, min(Double(PriceAxis.maximumLines), height / max(8, minimumPixels)))
  }

  private func forEachMultiple(
    of step: Int64, from low: Int64, to high: Int64, _ body: (Int64) -> Void
  ) {
    var at = low - low % step
    if at < low { at = saturatingSum(at, step) }
    for _ in 0..<PriceAxis.maximumLines {
      guard at <= high else { return }
      body(at)
      let (next, overflow) = at.addingReportingOverflow(step)
      if overflow { return }
      at = next
    }
  }

  /// 1, 2 or 5 × a power of ten.
  private static func step(atLeast least: Double) -> Int64 {
    var step: Int64 = 1
    while true {
      if Double(step) >= least { return step }
      if Double(step * 2) >= least { return step * 2 }
      if Double(step * 5) >= least { return step * 5 }
      guard step < Int64.max / 100 else { return step }
      step *= 10
    }
  }
}

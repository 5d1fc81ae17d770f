// Where the horizontal grid lines go: at round prices, or at round percentages.

import MarketModel

extension PriceAxis {
  private static let maximumLines = 64

  /// Hands over the grid lines, lowest first, at least `minimumPixels` apart; at most 64.
  ///
  /// They lie on multiples of 1, 2 or 5 × a power of ten: of the unit, on a logarithmic scale of
  /// steps that grow with the price, on one of percent of a hundredth of a percent.
  public func forEachGridLine(minimumPixels: Double, _ body: (PriceMark) -> Void) {
    switch scale {
    case .linear: forEachRoundPrice(minimumPixels, body)
    case .logarithmic: forEachRoundRatio(minimumPixels, body)
    case .percent: forEachRoundShare(minimumPixels, body)
    }
  }

  private func forEachRoundPrice(_ minimumPixels: Double, _ body: (PriceMark) -> Void) {
    let step = PriceAxis.step(
      atLeast: Double(PriceAxis.distance(low, high)) / lines(minimumPixels))
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

  /// By how much of itself a price grows over so many pixels of a logarithmic scale.
  private func growth(over pixels: Double) -> Double {
    let ends = Logarithm.of(Double(high.units)) - Logarithm.of(Double(low.units))
    return Logarithm.inverse(ends * max(8, pixels) / max(1, height)) - 1
  }

  private func forEachRoundShare(_ minimumPixels: Double, _ body: (PriceMark) -> Void) {
    let hundredth = Double(base.units) / 10_000
    let step = PriceAxis.step(
      atLeast: Double(PriceAxis.distance(low, high)) / lines(minimumPixels) / hundredth)
    let pixels = height / Double(PriceAxis.distance(low, high))
    let from = Int64(max(-4e18, Double(PriceAxis.distance(base, low)) / hundredth))
    let to = Int64(min(4e18, Double(PriceAxis.distance(base, high)) / hundredth))
    forEachMultiple(of: step, from: from, to: to) { share in
      guard
        let rise = roundedQuotient(
          base.units.magnitude, times: share.magnitude, by: 10_000)
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

  /// 1, 2 or 5 × a power of ten, the first that is long enough.
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

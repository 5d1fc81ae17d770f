public import MarketModel

/// The change from a close to a price in percent (PD3): 100 → 150 is +50.00 %.
enum PercentChange {
  static let scale = Scale(clamping: 2)

  /// (`price` − `close`) ÷ `close` × 100 at two decimals, rounded half to even; nil without a
  /// positive close, or on overflow.
  static func from(_ close: FixedDecimal?, to price: FixedDecimal?) -> FixedDecimal? {
    guard let close = close?.trimmed, let price = price?.trimmed, close.units > 0 else {
      return nil
    }
    let common = max(close.scale, price.scale)
    guard let close = close.exactly(at: common)?.units, let price = price.exactly(at: common)?.units
    else { return nil }
    let (difference, overflow) = price.subtractingReportingOverflow(close)
    guard !overflow,
      let hundredths = roundedQuotient(difference.magnitude, times: 10_000, by: close.magnitude)
    else { return nil }
    return FixedDecimal(units: difference < 0 ? -hundredths : hundredths, scale: scale)
  }
}

extension DayFigures {
  /// The change in percent of the price at the window's start.
  ///
  /// The venue's own figure, or calculated at two decimals; nil if no change is known.
  public var percentOfStart: FixedDecimal? {
    if let changePercent { return changePercent }
    guard let last, let change else { return nil }
    let scale = max(last.scale, change.scale)
    guard let end = last.exactly(at: scale), let change = change.exactly(at: scale) else {
      return nil
    }
    let (first, overflow) = end.units.subtractingReportingOverflow(change.units)
    return overflow
      ? nil : PercentChange.from(FixedDecimal(units: first, scale: scale), to: end)
  }
}

// The change of a day in percent, where the source names the change alone.

public import MarketModel

extension DayFigures {
  /// The change in percent of the price at the window's start: the venue's own, or at two digits;
  /// nil where no change is known.
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

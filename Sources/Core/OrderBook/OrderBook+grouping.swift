public import MarketModel

extension OrderBook {
  /// The best `limit` rows whose prices are multiples of `step`, best first.
  ///
  /// A step below 2 gives a row per price.
  /// Bids round down and asks up, so no row shows a better price than its worst level, and an
  /// uncrossed book never looks crossed. Sums and prices saturate. On a full side of a venue that
  /// sends `depth` levels, the last row may lack some and is left out. O(levels of these rows).
  public func groupedRows(
    _ side: BookSide, step: Int64, limit: Int = BookView.depth, depth: Int? = nil
  ) -> [BookRow] {
    guard step > 1 else { return rows(side, limit: limit) }
    var rows: [BookRow] = []
    var accumulated: Int64 = 0
    var size: Int64 = 0
    var row: Int64?
    let levels = ladder(side).levels
    for level in levels.reversed() {
      let next = price(side, key: level.key)
      if let row, spans(row, next, side, step) {
        size = saturatingSum(size, level.size)
      } else {
        if rows.count == max(0, limit) { return rows }
        row = rounded(next.units, side, step)
        size = level.size
        rows.append(BookRow(price: Price(units: 0), size: .zero, accumulated: .zero))
      }
      accumulated = saturatingSum(accumulated, level.size)
      rows[rows.count - 1] = BookRow(
        price: Price(units: row ?? 0), size: Quantity(units: size),
        accumulated: Quantity(units: accumulated))
    }
    if let depth, levels.count >= depth, rows.count > 1 { rows.removeLast() }
    return rows
  }
}

@inline(__always)
private func spans(_ row: Int64, _ price: Price, _ side: BookSide, _ step: Int64) -> Bool {
  guard side == .bid else { return price.units <= row }
  return price.units >= row
}

/// The multiple of a positive step at or below a bid, or at or above an ask; saturates.
private func rounded(_ units: Int64, _ side: BookSide, _ step: Int64) -> Int64 {
  let rest = units % step
  if rest == 0 { return units }
  let down = rest > 0 ? rest : rest + step
  let (result, overflow) =
    side == .bid
    ? units.subtractingReportingOverflow(down) : units.addingReportingOverflow(step - down)
  return overflow ? (side == .bid ? .min : .max) : result
}

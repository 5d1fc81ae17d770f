// Rows of several prices: bids round down and asks up, so that no row promises a better price than
// the worst of its levels, and a book that is not crossed never looks crossed.

public import MarketModel

extension OrderBook {
  /// The best `limit` rows of a side whose prices are multiples of `step`, best first, with
  /// accumulated sizes.
  ///
  /// A bid is in the row of the next multiple at or below its price, an ask in that at or above
  /// it. Sums stay at `Int64.max` when they would overflow, as does a row's price. O(levels of
  /// these rows).
  ///
  /// - Parameters:
  ///   - side: which.
  ///   - step: price units a row; 1 or less is a row for each price.
  ///   - limit: rows at most.
  ///   - depth: levels a side that the venue keeps, where it says so: in a side that is full, the
  ///     last row may lack levels that nobody has sent, and is left out.
  /// - Returns: the rows; none for an empty side.
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

/// Whether a price that is no better than those before it still belongs to a row.
@inline(__always)
private func spans(_ row: Int64, _ price: Price, _ side: BookSide, _ step: Int64) -> Bool {
  guard side == .bid else { return price.units <= row }
  return price.units >= row
}

/// The multiple of a positive step at or below a bid, at or above an ask; the last number that
/// fits where there is none.
private func rounded(_ units: Int64, _ side: BookSide, _ step: Int64) -> Int64 {
  let rest = units % step
  if rest == 0 { return units }
  let down = rest > 0 ? rest : rest + step
  let (result, overflow) =
    side == .bid
    ? units.subtractingReportingOverflow(down) : units.addingReportingOverflow(step - down)
  return overflow ? (side == .bid ? .min : .max) : result
}

// Reading a book: best prices, rows with accumulated sizes, counts and totals.

public import MarketModel

extension OrderBook {
  /// The best level of a side; where several ids share the best price, one of them.
  ///
  /// Nil when empty.
  public func best(_ side: BookSide) -> BookLevel? {
    ladder(side).levels.last.map { level(side, $0) }
  }

  /// Whether both sides are empty.
  public var isEmpty: Bool { bids.levels.isEmpty && asks.levels.isEmpty }

  /// Whether the best bid is at or above the best ask, which no matching engine leaves standing.
  public var isCrossed: Bool {
    guard let bid = bids.levels.last, let ask = asks.levels.last else { return false }
    return bid.key >= ~ask.key
  }

  /// Levels of a side; where several ids share a price, each counts.
  public func levelCount(_ side: BookSide) -> Int { ladder(side).levels.count }

  /// The sum of a side's sizes, kept at `Int64.max` when it would overflow.
  ///
  /// O(n).
  public func totalSize(_ side: BookSide) -> Quantity {
    var total: Int64 = 0
    for level in ladder(side).levels { total = saturatingSum(total, level.size) }
    return Quantity(units: total)
  }

  /// The best `limit` prices of a side, best first, with accumulated sizes.
  public func rows(_ side: BookSide, limit: Int = BookView.depth) -> [BookRow] {
    var rows: [BookRow] = []
    rows.reserveCapacity(min(limit, levelCount(side)))
    copyRows(side, limit: limit, into: &rows)
    return rows
  }

  /// Replaces the content of `rows` by the best `limit` prices of a side, best first; allocates
  /// nothing once `rows` has the room.
  ///
  /// Levels at one price make one row. Sums stay at `Int64.max` when they would overflow. O(levels
  /// of these rows).
  public func copyRows(
    _ side: BookSide, limit: Int = BookView.depth, into rows: inout [BookRow]
  ) {
    let ladder = ladder(side)
    let wanted = max(0, min(limit, ladder.levels.count))
    while rows.count < wanted {
      rows.append(BookRow(price: Price(units: 0), size: .zero, accumulated: .zero))
    }
    let levels = ladder.levels[...]
    // Not `rows.mutableSpan`: the span of an Array needs iOS 26. This one checks bounds too.
    let filled = rows.withUnsafeMutableBufferPointer { buffer in
      var out = MutableSpan(_unsafeElements: buffer)
      return fill(&out, wanted, from: levels.span, side)  // rule-exception: a slice, not an Array
    }
    if rows.count > filled { rows.removeLast(rows.count - filled) }
  }

  /// Overwrites the first rows, at most `wanted`, and returns how many there are.
  private func fill(
    _ out: inout MutableSpan<BookRow>, _ wanted: Int, from levels: Span<LadderLevel>,
    _ side: BookSide
  ) -> Int {
    var index = levels.count - 1
    var row = 0
    var accumulated: Int64 = 0
    while index >= 0, row < wanted {
      let key = levels[index].key
      var size = levels[index].size
      index &-= 1
      while index >= 0, levels[index].key == key {
        size = saturatingSum(size, levels[index].size)
        index &-= 1
      }
      accumulated = saturatingSum(accumulated, size)
      out[row] = BookRow(
        price: price(side, key: key), size: Quantity(units: size),
        accumulated: Quantity(units: accumulated))
      row &+= 1
    }
    return row
  }

  /// All levels of a side, best price first, by descending id at one price.
  ///
  /// O(n).
  public func levels(_ side: BookSide) -> [BookLevel] {
    ladder(side).levels.reversed().map { level(side, $0) }
  }

  func ladder(_ side: BookSide) -> LevelLadder { side == .bid ? bids : asks }

  private func level(_ side: BookSide, _ level: LadderLevel) -> BookLevel {
    BookLevel(
      id: level.id, side: side, price: price(side, key: level.key),
      size: Quantity(units: level.size))
  }
}

/// A sum of sizes that stays at the largest number instead of overflowing.
@inline(__always)
func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? (right > 0 ? Int64.max : Int64.min) : sum
}

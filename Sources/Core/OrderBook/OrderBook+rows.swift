public import MarketModel

extension OrderBook {
  /// The best level of a side, or one of them if several IDs share the price; nil when empty.
  public func best(_ side: BookSide) -> KeyedLevel? {
    ladder(side).levels.last.map { level(side, $0) }
  }

  /// Whether both sides are empty.
  public var isEmpty: Bool { bids.levels.isEmpty && asks.levels.isEmpty }

  /// Whether the best bid is at or above the best ask, which no matching engine permits.
  public var isCrossed: Bool {
    guard let bid = bids.levels.last, let ask = asks.levels.last else { return false }
    return bid.key >= ~ask.key
  }

  /// The number of levels of a side; IDs that share a price count separately.
  public func levelCount(_ side: BookSide) -> Int {
    side == .bid ? bids.levels.count : asks.levels.count
  }

  /// The sum of a side's sizes, saturating at `Int64.max`; O(n).
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

  /// Replaces `rows` by the best `limit` prices, best first, reusing its capacity.
  ///
  /// Levels at one price make one row. Sums saturate at `Int64.max`. O(levels of these rows).
  public func copyRows(
    _ side: BookSide, limit: Int = BookView.depth, into rows: inout [BookRow]
  ) {
    let wanted = max(0, min(limit, levelCount(side)))
    while rows.count < wanted {
      rows.append(BookRow(price: Price(units: 0), size: .zero, accumulated: .zero))
    }
    // Not `rows.mutableSpan`: an Array's span needs iOS 26. This one checks bounds too.
    let filled = rows.withUnsafeMutableBufferPointer { buffer in
      var out = MutableSpan(_unsafeElements: buffer)
      // Branches per side: selecting a ladder first would retain it.
      if side == .bid {
        let levels = bids.levels[...]
        return fill(&out, wanted, from: levels.span, turned: 0)  // rule-exception: of a slice
      }
      let levels = asks.levels[...]
      return fill(&out, wanted, from: levels.span, turned: -1)  // rule-exception: of a slice
    }
    if rows.count > filled { rows.removeLast(rows.count - filled) }
  }

  /// Overwrites at most `wanted` rows and returns their number; a price is its key xor `turned`.
  @inline(__always)
  private func fill(
    _ out: inout MutableSpan<BookRow>, _ wanted: Int,
    from levels: Span<LadderLevel>, turned: Int64
  ) -> Int {
    let count = min(wanted, levels.count, out.count)
    var sums = RowSums(first: levels)
    var row = 0
    // Unrolled by four: the loop counter would be a fifth of the work.
    while row < count &- 3 {
      sums.fill(&out, row, from: levels, turned)
      sums.fill(&out, row &+ 1, from: levels, turned)
      sums.fill(&out, row &+ 2, from: levels, turned)
      sums.fill(&out, row &+ 3, from: levels, turned)
      row &+= 4
    }
    while row < count {
      sums.fill(&out, row, from: levels, turned)
      row &+= 1
    }
    return sums.signs < 0 ? fillSums(&out, wanted, from: levels, turned: turned) : count
  }

  /// As ``fill(_:_:from:turned:)`` where several levels make a row or a sum overflows.
  @inline(never)
  private func fillSums(
    _ out: inout MutableSpan<BookRow>, _ wanted: Int,
    from levels: Span<LadderLevel>, turned: Int64
  ) -> Int {
    var index = levels.count
    var row = 0
    var key: Int64 = 0
    var size: Int64 = 0
    var accumulated: Int64 = 0
    while index > 0 {
      index &-= 1
      let level = levels[index]
      if level.key == key, row > 0 {
        size = saturatingSum(size, level.size)
      } else {
        if row == wanted { break }
        row &+= 1
        key = level.key
        size = level.size
      }
      accumulated = saturatingSum(accumulated, level.size)
      out[row &- 1] = BookRow(
        price: Price(units: key ^ turned), size: Quantity(units: size),
        accumulated: Quantity(units: accumulated))
    }
    return row
  }

  /// All levels of a side, best price first, by descending ID at one price; O(n).
  public func levels(_ side: BookSide) -> [KeyedLevel] {
    ladder(side).levels.reversed().map { level(side, $0) }
  }

  func ladder(_ side: BookSide) -> LevelLadder { side == .bid ? bids : asks }

  private func level(_ side: BookSide, _ level: LadderLevel) -> KeyedLevel {
    KeyedLevel(
      id: level.id, side: side, price: price(side, key: level.key),
      size: Quantity(units: level.size))
  }
}

/// Accumulates rows of one level each, and detects when that does not hold.
private struct RowSums {
  private var accumulated: Int64 = 0
  private var before: Int64
  /// Negative if levels share a price or a size or sum is out of range: each sets the sign bit.
  private(set) var signs: Int64 = 0

  init(first levels: Span<LadderLevel>) {
    before = levels.isEmpty ? 0 : levels[levels.count - 1].key &+ 1
  }

  /// Writes a row; both it and its level must exist.
  @inline(__always)
  mutating func fill(
    _ out: inout MutableSpan<BookRow>, _ row: Int, from levels: Span<LadderLevel>, _ turned: Int64
  ) {
    let level = levels[unchecked: levels.count &- 1 &- row]
    accumulated &+= level.size
    signs |= accumulated | level.size | (before &- level.key &- 1)
    before = level.key
    out[unchecked: row] = BookRow(
      price: Price(units: level.key ^ turned), size: Quantity(units: level.size),
      accumulated: Quantity(units: accumulated))
  }
}

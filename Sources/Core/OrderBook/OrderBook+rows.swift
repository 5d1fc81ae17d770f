// Reading a book: best prices, rows with accumulated sizes, counts and totals.

public import MarketModel

extension OrderBook {
  /// The best level of a side; where several ids share the best price, one of them.
  ///
  /// Nil when empty.
  public func best(_ side: BookSide) -> KeyedLevel? {
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
  public func levelCount(_ side: BookSide) -> Int {
    side == .bid ? bids.levels.count : asks.levels.count
  }

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
    let wanted = max(0, min(limit, levelCount(side)))
    while rows.count < wanted {
      rows.append(BookRow(price: Price(units: 0), size: .zero, accumulated: .zero))
    }
    // Not `rows.mutableSpan`: the span of an Array needs iOS 26. This one checks bounds too.
    let filled = rows.withUnsafeMutableBufferPointer { buffer in
      var out = MutableSpan(_unsafeElements: buffer)
      // Each side where it lies: a ladder chosen first would be counted as one more reference.
      if side == .bid {
        let levels = bids.levels[...]
        return fill(&out, wanted, from: levels.span, turned: 0)  // rule-exception: of a slice
      }
      let levels = asks.levels[...]
      return fill(&out, wanted, from: levels.span, turned: -1)  // rule-exception: of a slice
    }
    if rows.count > filled { rows.removeLast(rows.count - filled) }
  }

  /// Overwrites the first rows, at most `wanted`, and returns how many there are; a price is its
  /// key with the bits of `turned` turned round.
  @inline(__always)
  private func fill(
    _ out: inout MutableSpan<BookRow>, _ wanted: Int,
    from levels: Span<LadderLevel>, turned: Int64
  ) -> Int {
    let count = min(wanted, levels.count, out.count)
    var sums = RowSums(first: levels)
    var row = 0
    // Four at a time: counting them one by one would be a fifth of the work.
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

  /// All levels of a side, best price first, by descending id at one price.
  ///
  /// O(n).
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

/// What rows add up to where each level is one, and whether that is so.
private struct RowSums {
  private var accumulated: Int64 = 0
  private var before: Int64
  /// Negative if several levels share a price, or if a size or a sum is out of range: each would
  /// set a sign.
  private(set) var signs: Int64 = 0

  init(first levels: Span<LadderLevel>) {
    before = levels.isEmpty ? 0 : levels[levels.count - 1].key &+ 1
  }

  /// Writes a row; both it and its level must be there.
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

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
    // Nearly always each level is a row and no sum overflows: that is found out while it is done.
    var before = levels.isEmpty ? 0 : ~levels[unchecked: levels.count &- 1].key
    var accumulated: Int64 = 0
    var signs: Int64 = 0
    var hasTwins = false
    for row in 0..<count {
      let level = levels[unchecked: levels.count &- 1 &- row]
      accumulated &+= level.size
      signs |= accumulated | level.size
      hasTwins = hasTwins || level.key == before
      before = level.key
      out[unchecked: row] = BookRow(
        price: Price(units: level.key ^ turned), size: Quantity(units: level.size),
        accumulated: Quantity(units: accumulated))
    }
    return signs < 0 || hasTwins ? fillSums(&out, wanted, from: levels, turned: turned) : count
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

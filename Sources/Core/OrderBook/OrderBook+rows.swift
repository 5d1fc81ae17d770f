public import MarketModel

extension OrderBook {
  /// The best level of a side, or one of them if several IDs share the price; nil when empty.
  public func best(_ side: BookSide) -> KeyedLevel? {
    ladder(side).levels.last.map { level(side, $0) }
  }

  /// Whether both sides are empty.
  public var isEmpty: Bool { sides.bids.levels.isEmpty && sides.asks.levels.isEmpty }

  /// Whether the best bid is at or above the best ask, which no matching engine permits.
  public var isCrossed: Bool {
    guard let bid = sides.bids.levels.last, let ask = sides.asks.levels.last else { return false }
    return bid.key >= ~ask.key
  }

  /// The number of levels of both sides.
  public var levelCount: Int { sides.bids.levels.count + sides.asks.levels.count }

  /// The number of levels of a side; IDs that share a price count separately.
  public func levelCount(_ side: BookSide) -> Int {
    side == .bid ? sides.bids.levels.count : sides.asks.levels.count
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
  public func copyRows(_ side: BookSide, limit: Int = BookView.depth, into rows: inout [BookRow]) {
    let wanted = max(0, min(limit, levelCount(side)))
    while rows.count < wanted {
      rows.append(BookRow(price: Price(units: 0), size: .zero, accumulated: .zero))
    }
    // Not `rows.mutableSpan`: an Array's span needs iOS 26. This one checks bounds too.
    let filled = rows.withUnsafeMutableBufferPointer { buffer in
      var out = MutableSpan(_unsafeElements: buffer)
      // Branches per side: selecting a ladder first would retain it.
      if side == .bid {
        let (levels, isPlain) = (sides.bids.levels[...], sides.bids.isPlain)
        // rule-exception: the span of a slice
        return fill(&out, wanted, from: levels.span, isPlain, turned: 0)
      }
      let (levels, isPlain) = (sides.asks.levels[...], sides.asks.isPlain)
      // rule-exception: the span of a slice
      return fill(&out, wanted, from: levels.span, isPlain, turned: -1)
    }
    if rows.count > filled { rows.removeLast(rows.count - filled) }
  }

  /// Overwrites at most `wanted` rows and returns their number; a price is its key xor `turned`.
  @inline(__always)
  private func fill(
    _ out: inout MutableSpan<BookRow>, _ wanted: Int,
    from levels: Span<LadderLevel>, _ isPlain: Bool, turned: Int64
  ) -> Int {
    let count = min(wanted, levels.count, out.count)
    guard isPlain, count <= LevelLadder.maximumPlainRows else {
      return fillSums(&out, wanted, from: levels, turned: turned)
    }
    var accumulated: Int64 = 0
    @inline(__always) func copy(_ row: Int, _ out: inout MutableSpan<BookRow>) {
      let level = levels[unchecked: levels.count &- 1 &- row]
      accumulated &+= level.size
      out[unchecked: row] = BookRow(
        price: Price(units: level.key ^ turned), size: Quantity(units: level.size),
        accumulated: Quantity(units: accumulated))
    }
    var row = 0
    // Unrolled by four: the loop counter would be a fifth of the work.
    while row < count &- 3 {
      copy(row, &out)
      copy(row &+ 1, &out)
      copy(row &+ 2, &out)
      copy(row &+ 3, &out)
      row &+= 4
    }
    while row < count {
      copy(row, &out)
      row &+= 1
    }
    return count
  }

  /// As ``fill(_:_:from:_:turned:)`` where several levels make a row or a sum may overflow.
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

  func ladder(_ side: BookSide) -> LevelLadder { side == .bid ? sides.bids : sides.asks }

  private func level(_ side: BookSide, _ level: LadderLevel) -> KeyedLevel {
    KeyedLevel(
      id: level.id, side: side, price: price(side, key: level.key),
      size: Quantity(units: level.size))
  }
}

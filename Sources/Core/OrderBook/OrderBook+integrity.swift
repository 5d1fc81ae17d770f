public import MarketModel

/// A structural defect of a book, which would be a bug in this program.
public enum BookDefect: Hashable, Sendable {
  /// A side is unsorted or has a price and ID twice.
  case unsorted(BookSide)
  /// A level without size.
  case emptyLevel(BookSide, Price)
  /// The IDs and the levels don't match.
  case identifiersDisagree
}

extension OrderBook {
  /// A hash of the market state, equal for equal books regardless of their history; O(n).
  ///
  /// FNV-1a, 64 bits: for the bids and then the asks, one byte 0x42 ("B") or 0x53 ("S"), then for
  /// each price, best first, its units and the sum of sizes, each as eight bytes, least significant
  /// first. Without IDs, which the page that checks this hash does not have.
  public var stateHash: UInt64 {
    var hash = FNV1a()
    for side in BookSide.allCases {
      hash.combine(byte: side == .bid ? 0x42 : 0x53)
      let levels = ladder(side).levels
      var index = levels.count - 1
      while index >= 0 {
        let key = levels[index].key
        var size: Int64 = 0
        while index >= 0, levels[index].key == key {
          size = saturatingSum(size, levels[index].size)
          index -= 1
        }
        hash.combine(price(side, key: key).units)
        hash.combine(size)
      }
    }
    return hash.value
  }

  /// The first structural defect, O(n); nil for a sound book, even if crossed by wrong changes.
  public func firstDefect() -> BookDefect? {
    for side in BookSide.allCases {
      let ladder = ladder(side)
      if !ladder.isAscending { return .unsorted(side) }
      for level in ladder.levels where level.size <= 0 {
        return .emptyLevel(side, price(side, key: level.key))
      }
      if identifiers.count == 0 { continue }
      for level in ladder.levels
      where identifiers.place(of: level.id) != .init(side: side, key: level.key) {
        return .identifiersDisagree
      }
    }
    let levels = sides.bids.levels.count + sides.asks.levels.count
    return identifiers.count > 0 && identifiers.count != levels ? .identifiersDisagree : nil
  }
}

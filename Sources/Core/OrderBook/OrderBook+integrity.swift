// Proof of a book: a hash that two holders of the same book can compare, and a check of its own
// structure for tests and for the page.

public import MarketModel

/// What is wrong with the structure of a book.
///
/// Each would be a defect of this program.
public enum BookDefect: Hashable, Sendable {
  /// A side is not sorted, or holds a price and id twice.
  case unsorted(BookSide)
  /// A level holds no size.
  case emptyLevel(BookSide, Price)
  /// The ids do not name exactly the levels.
  case identifiersDisagree
}

extension OrderBook {
  /// A hash of the market state: equal for equal books, however they came about.
  ///
  /// FNV-1a, 64 bits, over these bytes: for the bids and then the asks, one byte 0x42 ("B") or 0x53
  /// ("S"), then for each price, best first, the price units and the sum of sizes there, each as
  /// eight bytes, least significant first. Ids are left out: they are a venue's bookkeeping, and
  /// the page that checks this hash knows prices and sizes only. O(n).
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

  /// The first defect found in the book's own structure; nil for a sound book.
  ///
  /// O(n).
  ///
  /// A crossed book is not a defect here: it is well built from wrong changes.
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
    let levels = bids.levels.count + asks.levels.count
    return identifiers.count > 0 && identifiers.count != levels ? .identifiersDisagree : nil
  }
}

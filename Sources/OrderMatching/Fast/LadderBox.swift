// Gives the fast engine's book value semantics: engines share a box until one of them changes.

import MarketModel

/// A shared book.
///
/// Unchecked `Sendable` because the compiler can't see that the book is written only by an engine
/// that has just found itself to be the sole owner of the box, as with the standard collections.
final class LadderBox: @unchecked Sendable {
  /// The book, behind a pointer, since access to a class's own stored property is checked for
  /// exclusivity at run time, at a cost comparable to the matching.
  let book: UnsafeMutablePointer<LadderBook>

  init(_ book: consuming LadderBook) {
    self.book = .allocate(capacity: 1)
    self.book.initialize(to: book)
  }

  deinit {
    book.deinitialize(count: 1)
    book.deallocate()
  }

  /// A box of its own with an equal book.
  @inline(never)
  func copy() -> LadderBox { LadderBox(LadderBook(copying: book.pointee)) }

  /// The occupied price of a side at `price` or the nearest behind it; nil at the side's end.
  func price(_ side: Side, atOrBehind price: Int64) -> Int32? {
    let best = side == .buy ? book.pointee.bestBid : book.pointee.bestAsk
    if best == LadderBook.noBid || best == LadderBook.noAsk { return nil }
    let found =
      side == .buy
      ? book.pointee.ladder.occupied.last(atOrBelow: Int(min(price, Int64(best))))
      : book.pointee.ladder.occupied.first(atOrAbove: Int(max(price, Int64(best))))
    return found.map { Int32(truncatingIfNeeded: $0) }
  }

  /// The level at an occupied price.
  func level(at price: Int32) -> PriceQueue {
    book.pointee.ladder.levels[book.pointee.ladder.position(of: price)]
  }

  /// Walks a side's levels, best first, until `body` returns false.
  func forEachPrice(_ side: Side, _ body: (Int32, PriceQueue) -> Bool) {
    let best = side == .buy ? book.pointee.bestBid : book.pointee.bestAsk
    var price: Int32? = best == LadderBook.noBid || best == LadderBook.noAsk ? nil : best
    while let current = price {
      let level = book.pointee.ladder.levels[book.pointee.ladder.position(of: current)]
      guard body(current, level) else { return }
      price = book.pointee.worse(than: current, on: side)
    }
  }
}

/// The queue at one price, from the oldest order, or 0, to the newest; 24 bytes.
struct PriceQueue: BitwiseCopyable {
  var head: UInt32 = 0
  var tail: UInt32 = 0
  var quantity: Int64 = 0
  var orders: Int32 = 0
}

/// Levels by price in pages of 64, for both sides: a price has bids or asks, never both.
///
/// An order far from the touch costs only one page.
struct PriceLadder: ~Copyable {
  private static let pageSize = 64

  private(set) var occupied: PriceBitmap
  private(set) var levels: Slab<PriceQueue>
  /// Where a page's levels begin in `levels`; 0 for a page without orders.
  private var starts: Slab<Int32>
  private var freePages: [Int32] = []
  private var untouched: Int32 = 64

  init(maximumPrice: Int) {
    occupied = PriceBitmap(maximum: maximumPrice)
    levels = Slab(repeating: PriceQueue(), count: 64 * PriceLadder.pageSize)
    starts = Slab(repeating: 0, count: (maximumPrice >> 6) + 1)
  }

  init(copying other: borrowing PriceLadder) {
    occupied = PriceBitmap(copying: other.occupied)
    levels = Slab(copying: other.levels)
    starts = Slab(copying: other.starts)
    freePages = other.freePages
    untouched = other.untouched
  }

  @inline(__always)
  func position(of price: Int32) -> Int { Int(starts[Int(price) >> 6]) + (Int(price) & 63) }

  /// The index of a price's level, which becomes occupied.
  @inline(__always)
  mutating func occupy(_ price: Int32) -> Int {
    if starts[Int(price) >> 6] == 0 { takePage(for: price) }
    let position = position(of: price)
    if levels[position].head == 0 { occupied.insert(Int(price)) }
    return position
  }

  @inline(__always)
  mutating func vacate(_ price: Int32) {
    if occupied.remove(Int(price)) {
      freePages.append(starts[Int(price) >> 6])
      starts[Int(price) >> 6] = 0
    }
  }

  @inline(never)
  private mutating func takePage(for price: Int32) {
    if let page = freePages.popLast() {
      starts[Int(price) >> 6] = page
      return
    }
    if Int(untouched) == levels.count {
      levels.grow(to: levels.count * 2, filling: PriceQueue())
    }
    starts[Int(price) >> 6] = untouched
    untouched += Int32(PriceLadder.pageSize)
  }
}

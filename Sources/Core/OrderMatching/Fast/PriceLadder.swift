// The levels of both sides in one ladder: a price holds bids or asks, never both, so one array of
// levels and one bitmap serve the whole book.

/// The queue at one price.
///
/// 24 bytes.
struct PriceQueue: BitwiseCopyable {
  /// The order that has waited longest, or 0.
  var head: UInt32 = 0
  /// The order that came last, or 0.
  var tail: UInt32 = 0
  /// The sum of what is open.
  var quantity: Int64 = 0
  var orders: Int32 = 0
}

/// Levels by price in pages of 64.
///
/// Memory follows the occupied pages, not the span of prices, so an order far from the touch costs
/// one page and needs no other structure.
struct PriceLadder: ~Copyable {
  private static let pageSize = 64

  private(set) var occupied: PriceBitmap
  private(set) var levels: Slab<PriceQueue>
  /// Where a page's levels begin in `levels`; 0 for a page that holds no order.
  private var starts: Slab<Int32>
  private var freePages: [Int32] = []
  private var untouched: Int32 = 64

  /// An empty ladder for prices 1 to `maximumPrice`.
  init(maximumPrice: Int) {
    occupied = PriceBitmap(maximum: maximumPrice)
    levels = Slab(repeating: PriceQueue(), count: 64 * PriceLadder.pageSize)
    starts = Slab(repeating: 0, count: (maximumPrice >> 6) + 1)
  }

  /// An equal ladder.
  init(copying other: borrowing PriceLadder) {
    occupied = PriceBitmap(copying: other.occupied)
    levels = Slab(copying: other.levels)
    starts = Slab(copying: other.starts)
    freePages = other.freePages
    untouched = other.untouched
  }

  /// Where an occupied price's level is.
  @inline(__always)
  func position(of price: Int32) -> Int {
    Int(starts[Int(price) >> 6]) + (Int(price) & 63)
  }

  /// Where a price's level is; the price becomes occupied.
  @inline(__always)
  mutating func occupy(_ price: Int32) -> Int {
    if starts[Int(price) >> 6] == 0 { takePage(for: price) }
    let position = position(of: price)
    if levels[position].head == 0 { occupied.insert(Int(price)) }
    return position
  }

  /// Notes that a price's last order has gone.
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

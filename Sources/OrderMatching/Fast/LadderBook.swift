// The book of the fast engine: queues as linked lists through the order store, levels in the price
// ladder, and the two best prices. Every step touches a handful of words.

import MarketModel

/// A book with one owner.
///
/// Prices are 1 to 2^24 - 1 and quantities positive; the engine checks.
struct LadderBook: ~Copyable {
  /// Stands for "no bid": below every price.
  static let noBid: Int32 = 0
  /// Stands for "no ask": above every price.
  static let noAsk = Int32.max

  var store: OrderStore
  var ladder: PriceLadder
  private(set) var bestBid = LadderBook.noBid
  private(set) var bestAsk = LadderBook.noAsk

  /// An empty book.
  init(maximumPrice: Int) {
    store = OrderStore()
    ladder = PriceLadder(maximumPrice: maximumPrice)
  }

  /// An equal book.
  init(copying other: borrowing LadderBook) {
    store = OrderStore(copying: other.store)
    ladder = PriceLadder(copying: other.ladder)
    bestBid = other.bestBid
    bestAsk = other.bestAsk
  }

  /// Whether an order at this limit would meet an offer.
  @inline(__always)
  func crosses(_ side: Side, _ limit: Int32) -> Bool {
    side == .buy ? bestAsk <= limit : bestBid >= limit
  }

  /// The side of the orders at an occupied price: the book is never crossed.
  @inline(__always)
  func side(at price: Int32) -> Side { price <= bestBid ? .buy : .sell }

  /// Puts an order at the end of the queue at its price; its number and owner are set already.
  @inline(__always)
  mutating func append(_ place: UInt32, _ side: Side, _ price: Int32, _ quantity: Int32) {
    let position = ladder.occupy(price)
    let tail = ladder.levels[position].tail
    let slot = Int(place)
    store.nodes[slot].quantity = quantity
    store.nodes[slot].price = price
    store.nodes[slot].previous = tail
    store.nodes[slot].next = 0
    if tail != 0 {
      store.nodes[Int(tail)].next = place
    } else {
      ladder.levels[position].head = place
      if side == .buy {
        if price > bestBid { bestBid = price }
      } else if price < bestAsk {
        bestAsk = price
      }
    }
    ladder.levels[position].tail = place
    ladder.levels[position].quantity &+= Int64(quantity)
    ladder.levels[position].orders &+= 1
  }

  /// Takes an order out of its queue, from any position; it stays in the store.
  @inline(__always)
  mutating func unlink(_ place: UInt32) {
    let node = store.nodes[Int(place)]
    let position = ladder.position(of: node.price)
    ladder.levels[position].quantity &-= Int64(node.quantity)
    ladder.levels[position].orders &-= 1
    if node.next != 0 {
      store.nodes[Int(node.next)].previous = node.previous
    } else {
      ladder.levels[position].tail = node.previous
    }
    if node.previous != 0 {
      store.nodes[Int(node.previous)].next = node.next
    } else {
      ladder.levels[position].head = node.next
      if node.next == 0 { vacate(node.price) }
    }
  }

  /// Notes that a price is empty, and finds the new best one if it was that.
  @inline(__always)
  mutating func vacate(_ price: Int32) {
    ladder.vacate(price)
    if price == bestBid {
      let next = ladder.occupied.last(atOrBelow: Int(price))
      bestBid = next.map { Int32(truncatingIfNeeded: $0) } ?? LadderBook.noBid
    } else if price == bestAsk {
      let next = ladder.occupied.first(atOrAbove: Int(price))
      bestAsk = next.map { Int32(truncatingIfNeeded: $0) } ?? LadderBook.noAsk
    }
  }
}

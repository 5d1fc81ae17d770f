// How the fast book trades: down the queues of the opposite side, best price first.

import MarketModel

extension LadderBook {
  /// Trades until the order is filled, nothing within its limit is left, or an own order is next.
  mutating func match(_ taker: inout Taker, _ fills: inout [Fill]) {
    while taker.left > 0, !taker.metOwnOrder, crosses(taker.side, taker.limit) {
      let price = taker.side == .buy ? bestAsk : bestBid
      matchLevel(price, &taker, &fills)
    }
  }

  /// Trades along the queue at one price.
  @inline(__always)
  private mutating func matchLevel(_ price: Int32, _ taker: inout Taker, _ fills: inout [Fill]) {
    let position = ladder.position(of: price)
    var place = ladder.levels[position].head
    let wanted = taker.left
    var gone: Int32 = 0
    while taker.left > 0, place != 0 {
      let maker = store.nodes[Int(place)]
      if maker.trader == taker.trader, taker.trader != 0 {
        taker.metOwnOrder = true
        break
      }
      let traded = min(taker.left, maker.quantity)
      taker.left &-= traded
      fills.append(
        Fill(
          taker: OrderID(taker.id), maker: OrderID(maker.id), price: Price(units: Int64(price)),
          quantity: Quantity(units: Int64(traded))))
      if traded < maker.quantity {
        store.nodes[Int(place)].quantity = maker.quantity - traded
        break
      }
      store.remove(place)
      gone &+= 1
      place = maker.next
    }
    closeLevel(position, price, head: place, traded: wanted - taker.left, gone: gone)
  }

  /// Writes back what a level's queue became.
  @inline(__always)
  private mutating func closeLevel(
    _ position: Int, _ price: Int32, head: UInt32, traded: Int32, gone: Int32
  ) {
    ladder.levels[position].quantity &-= Int64(traded)
    ladder.levels[position].orders &-= gone
    ladder.levels[position].head = head
    if head != 0 {
      store.nodes[Int(head)].previous = 0
    } else {
      ladder.levels[position].tail = 0
      vacate(price)
    }
  }

  /// Whether the whole of an order could be traded now; reads, changes nothing.
  func canFill(_ taker: Taker) -> Bool {
    guard crosses(taker.side, taker.limit) else { return false }
    var left = taker.left
    var price: Int32? = taker.side == .buy ? bestAsk : bestBid
    while let current = price,
      taker.side == .buy ? current <= taker.limit : current >= taker.limit
    {
      var place = ladder.levels[ladder.position(of: current)].head
      while place != 0 {
        let maker = store.nodes[Int(place)]
        if maker.trader == taker.trader, taker.trader != 0 { return false }
        if maker.quantity >= left { return true }
        left -= maker.quantity
        place = maker.next
      }
      price = worse(than: current, on: taker.side.opposite)
    }
    return false
  }

  /// The next occupied price behind another on its side; nil at the side's end.
  func worse(than price: Int32, on side: Side) -> Int32? {
    let next =
      side == .buy
      ? ladder.occupied.last(atOrBelow: Int(price) - 1)
      : ladder.occupied.first(atOrAbove: Int(price) + 1)
    return next.map { Int32(truncatingIfNeeded: $0) }
  }
}

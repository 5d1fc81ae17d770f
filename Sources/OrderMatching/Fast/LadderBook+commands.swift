// What the fast engine's book does for each command. Prices and quantities have been checked.

import MarketModel

extension LadderBook {
  /// Enters an order.
  @inline(__always)
  mutating func enter(
    _ order: NewOrder, maximumOrders: Int, _ fills: inout [Fill]
  ) -> ExecutionReport {
    if store.place(of: order.id.number) != 0 { return .rejected(.duplicateOrder) }
    guard case .limit(let price) = order.kind else { return takeNow(order, &fills) }
    if store.count >= maximumOrders { return .rejected(.bookFull) }
    var taker = Taker(order, limit: Int32(truncatingIfNeeded: price.units))
    if crosses(taker.side, taker.limit) {
      match(&taker, &fills)
      if taker.left == 0 || taker.metOwnOrder {
        return taker.report(unfilledBecause: .selfMatch)
      }
    }
    let place = store.insert(taker.id, trader: taker.trader)
    append(place, taker.side, taker.limit, taker.left)
    return taker.restingReport
  }

  /// Takes an order out of the book.
  @inline(__always)
  mutating func cancel(_ id: UInt64) -> ExecutionReport {
    let place = store.place(of: id)
    if place == 0 { return .rejected(.unknownOrder) }
    let open = Int64(store.nodes[Int(place)].quantity)
    unlink(place)
    store.remove(place)
    return ExecutionReport(cancelled: open, standing: .cancelled(.requested))
  }

  /// Takes an order out and enters it anew; its place in the store stays its own.
  mutating func modify(
    _ id: UInt64, price: Int32, quantity: Int32, _ fills: inout [Fill]
  ) -> ExecutionReport {
    let place = store.place(of: id)
    if place == 0 { return .rejected(.unknownOrder) }
    let node = store.nodes[Int(place)]
    let side = side(at: node.price)
    unlink(place)
    var taker = Taker(
      id: id, trader: node.trader, side: side, limit: price, ordered: quantity)
    match(&taker, &fills)
    if taker.left == 0 || taker.metOwnOrder {
      store.remove(place)
      return taker.report(unfilledBecause: .selfMatch)
    }
    append(place, taker.side, price, taker.left)
    return taker.restingReport
  }

  /// An order that never rests.
  @inline(never)
  private mutating func takeNow(_ order: NewOrder, _ fills: inout [Fill]) -> ExecutionReport {
    switch order.kind {
    case .limit(let price), .immediateOrCancel(let price):
      var taker = Taker(order, limit: Int32(truncatingIfNeeded: price.units))
      match(&taker, &fills)
      return taker.report(unfilledBecause: .immediateOrCancel)
    case .fillOrKill(let price):
      var taker = Taker(order, limit: Int32(truncatingIfNeeded: price.units))
      if canFill(taker) { match(&taker, &fills) }
      return taker.report(unfilledBecause: .fillOrKill)
    case .market:
      var taker = Taker(
        order, limit: order.side == .buy ? LadderBook.noAsk - 1 : LadderBook.noBid + 1)
      match(&taker, &fills)
      return taker.report(unfilledBecause: .noMoreOffers)
    }
  }
}

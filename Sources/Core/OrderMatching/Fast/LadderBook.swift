import MarketModel

/// Queues as linked lists through the order store; prices 1 to 2^24 - 1, positive quantities.
struct LadderBook: ~Copyable {
  /// Below every price.
  static let noBid: Int32 = 0
  /// Above every price.
  static let noAsk = Int32.max

  var store: OrderStore
  var ladder: PriceLadder
  private(set) var bestBid = LadderBook.noBid
  private(set) var bestAsk = LadderBook.noAsk

  init(maximumPrice: Int) {
    store = OrderStore()
    ladder = PriceLadder(maximumPrice: maximumPrice)
  }

  init(copying other: borrowing LadderBook) {
    store = OrderStore(copying: other.store)
    ladder = PriceLadder(copying: other.ladder)
    bestBid = other.bestBid
    bestAsk = other.bestAsk
  }

  @inline(__always)
  func crosses(_ side: Side, _ limit: Int32) -> Bool {
    side == .buy ? bestAsk <= limit : bestBid >= limit
  }

  /// The side at an occupied price; the book is never crossed.
  @inline(__always)
  func side(at price: Int32) -> Side { price <= bestBid ? .buy : .sell }

  /// Appends an order to the queue at its price; its ID and trader are already set.
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

  /// Removes an order from its queue, at any position, but not from the store.
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

// MARK: - Commands

// Prices and quantities are already validated.

extension LadderBook {
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

  @inline(__always)
  mutating func cancel(_ id: UInt64) -> ExecutionReport {
    let place = store.place(of: id)
    if place == 0 { return .rejected(.unknownOrder) }
    let open = Int64(store.nodes[Int(place)].quantity)
    unlink(place)
    store.remove(place)
    return ExecutionReport(cancelled: open, standing: .cancelled(.requested))
  }

  /// Removes an order and enters it again, in the same place of the store.
  mutating func modify(
    _ id: UInt64, price: Int32, quantity: Int32, _ fills: inout [Fill]
  ) -> ExecutionReport {
    let place = store.place(of: id)
    if place == 0 { return .rejected(.unknownOrder) }
    let node = store.nodes[Int(place)]
    let side = side(at: node.price)
    unlink(place)
    var taker = Taker(id: id, trader: node.trader, side: side, limit: price, ordered: quantity)
    match(&taker, &fills)
    if taker.left == 0 || taker.metOwnOrder {
      store.remove(place)
      return taker.report(unfilledBecause: .selfMatch)
    }
    append(place, taker.side, price, taker.left)
    return taker.restingReport
  }

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

// MARK: - Matching

extension LadderBook {
  /// Trades until the order is filled, no offer is within its limit or the next is its own.
  mutating func match(_ taker: inout Taker, _ fills: inout [Fill]) {
    while taker.left > 0, !taker.metOwnOrder, crosses(taker.side, taker.limit) {
      let price = taker.side == .buy ? bestAsk : bestBid
      matchLevel(price, &taker, &fills)
    }
  }

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

  private func canFill(_ taker: Taker) -> Bool {
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

struct Taker {
  let id: UInt64
  let trader: UInt32
  let side: Side
  /// The worst acceptable price; the end of all prices for a market order.
  let limit: Int32
  let ordered: Int32
  var left: Int32
  /// Whether it stopped before an order of the same trader.
  var metOwnOrder = false

  @inline(__always)
  init(id: UInt64, trader: UInt32, side: Side, limit: Int32, ordered: Int32) {
    self.id = id
    self.trader = trader
    self.side = side
    self.limit = limit
    self.ordered = ordered
    left = ordered
  }

  /// The order is validated, so its quantity fits.
  @inline(__always)
  init(_ order: NewOrder, limit: Int32) {
    self.init(
      id: order.id.number, trader: order.trader.number, side: order.side, limit: limit,
      ordered: Int32(truncatingIfNeeded: order.quantity.units))
  }

  var restingReport: ExecutionReport {
    @inline(__always) get {
      ExecutionReport(filled: Int64(ordered &- left), resting: Int64(left), standing: .resting)
    }
  }

  func report(unfilledBecause reason: CancelReason) -> ExecutionReport {
    if left == 0 { return ExecutionReport(filled: Int64(ordered), standing: .filled) }
    return ExecutionReport(
      filled: Int64(ordered &- left), cancelled: Int64(left),
      standing: .cancelled(metOwnOrder ? .selfMatch : reason))
  }
}

public import MarketModel

/// A matching engine over a tick ladder, for tens of millions of commands a second.
///
/// Entering, cancelling and each fill take constant time. Copies share their book until one changes
/// and copies all of it. An empty book for the widest bounds takes about 3.2 MB.
public struct FastMatchingEngine: MatchingEngine {
  /// The bounds in force.
  public let limits: MatchingLimits
  private var box: LadderBox

  /// Creates an empty book.
  public init(limits: MatchingLimits) {
    self.limits = limits
    box = LadderBox(LadderBook(maximumPrice: Int(limits.maximumPrice.units)))
  }

  /// Enters an order; see ``MatchingEngine``.
  public mutating func enter(_ order: NewOrder, fills: inout [Fill]) -> ExecutionReport {
    if let reason = limits.rejection(of: order) { return .rejected(reason) }
    if !isKnownUniquelyReferenced(&box) { box = box.copy() }
    return box.book.pointee.enter(order, maximumOrders: limits.maximumRestingOrders, &fills)
  }

  /// Cancels a resting order; see ``MatchingEngine``.
  public mutating func cancel(_ id: OrderID) -> ExecutionReport {
    if !isKnownUniquelyReferenced(&box) { box = box.copy() }
    return box.book.pointee.cancel(id.number)
  }

  /// Re-enters a resting order; see ``MatchingEngine``.
  public mutating func modify(
    _ id: OrderID, price: Price, quantity: Quantity, fills: inout [Fill]
  ) -> ExecutionReport {
    if let reason = limits.rejection(of: quantity) ?? limits.rejection(of: price) {
      return .rejected(reason)
    }
    if !isKnownUniquelyReferenced(&box) { box = box.copy() }
    return box.book.pointee.modify(
      id.number, price: Int32(truncatingIfNeeded: price.units),
      quantity: Int32(truncatingIfNeeded: quantity.units), &fills)
  }

  /// The number of resting orders.
  public var restingOrders: Int { box.book.pointee.store.count }

  /// The best level of a side; nil when empty.
  public func best(_ side: Side) -> BookLevel? {
    var best: BookLevel?
    box.forEachPrice(side) { price, level in
      best = FastMatchingEngine.view(price, level)
      return false
    }
    return best
  }

  /// At most `limit` levels of a side, best first.
  public func levels(_ side: Side, limit: Int) -> [BookLevel] {
    var levels: [BookLevel] = []
    box.forEachPrice(side) { price, level in
      if levels.count >= limit { return false }
      levels.append(FastMatchingEngine.view(price, level))
      return true
    }
    return levels
  }

  /// The level at a price, or the next one behind it; see ``MatchingEngine``.
  public func level(_ side: Side, atOrBehind price: Price) -> BookLevel? {
    guard let found = box.price(side, atOrBehind: price.units) else { return nil }
    return FastMatchingEngine.view(found, box.level(at: found))
  }

  /// The order that trades first at a price; see ``MatchingEngine``.
  public func firstOrder(_ side: Side, at price: Price) -> RestingOrder? {
    guard let found = box.price(side, atOrBehind: price.units), Int64(found) == price.units
    else { return nil }
    let node = box.book.pointee.store.nodes[Int(box.level(at: found).head)]
    return RestingOrder(
      id: OrderID(node.id), trader: TraderID(node.trader), side: side, price: price,
      quantity: Quantity(units: Int64(node.quantity)))
  }

  /// Every order of a side in priority order.
  public func orders(_ side: Side) -> [RestingOrder] {
    var orders: [RestingOrder] = []
    box.forEachPrice(side) { price, level in
      var place = level.head
      while place != 0 {
        let node = box.book.pointee.store.nodes[Int(place)]
        orders.append(
          RestingOrder(
            id: OrderID(node.id), trader: TraderID(node.trader), side: side,
            price: Price(units: Int64(price)), quantity: Quantity(units: Int64(node.quantity))))
        place = node.next
      }
      return true
    }
    return orders
  }

  private static func view(_ price: Int32, _ level: PriceQueue) -> BookLevel {
    BookLevel(
      price: Price(units: Int64(price)), quantity: Quantity(units: level.quantity),
      orders: Int(level.orders))
  }
}

/// A shared book; unchecked `Sendable`, because only an engine that is the sole owner writes to it.
final class LadderBox: @unchecked Sendable {
  /// A stored property would be checked for exclusivity, at a cost comparable to the matching.
  let book: UnsafeMutablePointer<LadderBook>

  init(_ book: consuming LadderBook) {
    self.book = .allocate(capacity: 1)
    self.book.initialize(to: book)
  }

  deinit {
    book.deinitialize(count: 1)
    book.deallocate()
  }

  @inline(never)
  func copy() -> LadderBox { LadderBox(LadderBook(copying: book.pointee)) }

  func price(_ side: Side, atOrBehind price: Int64) -> Int32? {
    let best = side == .buy ? book.pointee.bestBid : book.pointee.bestAsk
    if best == LadderBook.noBid || best == LadderBook.noAsk { return nil }
    let found =
      side == .buy
      ? book.pointee.ladder.occupied.last(atOrBelow: Int(min(price, Int64(best))))
      : book.pointee.ladder.occupied.first(atOrAbove: Int(max(price, Int64(best))))
    return found.map { Int32(truncatingIfNeeded: $0) }
  }

  func level(at price: Int32) -> PriceQueue {
    book.pointee.ladder.levels[book.pointee.ladder.position(of: price)]
  }

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

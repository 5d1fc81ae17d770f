import MarketModel

@testable import OrderMatching

/// The oracle of the fast engine, simple enough to check by reading: one sorted array of levels a
/// side, one array of orders a level.
///
/// Entering and leaving cost O(levels) for a new price and O(orders at the price).
struct PlainMatchingEngine: MatchingEngine {
  private struct Level {
    let price: Price
    /// Oldest first; never empty.
    var orders: [RestingOrder]
  }

  private struct Place {
    let side: Side
    let price: Price
  }

  private enum MatchEnd {
    case exhausted
    case metOwnOrder
  }

  let limits: MatchingLimits
  /// Ascending: the best bid is last.
  private var bids: [Level] = []
  /// Descending: the best ask is last.
  private var asks: [Level] = []
  private var places: [OrderID: Place] = [:]

  init(limits: MatchingLimits) { self.limits = limits }

  var restingOrders: Int { places.count }

  mutating func enter(_ order: NewOrder, fills: inout [Fill]) -> ExecutionReport {
    if let reason = limits.rejection(of: order) { return .rejected(reason) }
    if places[order.id] != nil { return .rejected(.duplicateOrder) }
    switch order.kind {
    case .limit(let price):
      if restingOrders >= limits.maximumRestingOrders { return .rejected(.bookFull) }
      return enterLimit(order, price, &fills)
    case .market:
      return take(order, nil, .noMoreOffers, &fills)
    case .immediateOrCancel(let price):
      return take(order, price, .immediateOrCancel, &fills)
    case .fillOrKill(let price):
      guard available(to: order, price) else {
        return ExecutionReport(cancelled: order.quantity.units, standing: .cancelled(.fillOrKill))
      }
      return take(order, price, .fillOrKill, &fills)
    }
  }

  mutating func cancel(_ id: OrderID) -> ExecutionReport {
    guard let order = remove(id) else { return .rejected(.unknownOrder) }
    return ExecutionReport(cancelled: order.quantity.units, standing: .cancelled(.requested))
  }

  mutating func modify(
    _ id: OrderID, price: Price, quantity: Quantity, fills: inout [Fill]
  ) -> ExecutionReport {
    if let reason = limits.rejection(of: quantity) ?? limits.rejection(of: price) {
      return .rejected(reason)
    }
    guard let old = remove(id) else { return .rejected(.unknownOrder) }
    let order = NewOrder(
      id: id, trader: old.trader, side: old.side, kind: .limit(price), quantity: quantity)
    return enterLimit(order, price, &fills)
  }
}

// MARK: - Matching

extension PlainMatchingEngine {
  private mutating func enterLimit(
    _ order: NewOrder, _ price: Price, _ fills: inout [Fill]
  ) -> ExecutionReport {
    let (left, end) = match(order, price, &fills)
    let filled = order.quantity.units - left
    if left == 0 { return ExecutionReport(filled: filled, standing: .filled) }
    if end == .metOwnOrder {
      return ExecutionReport(filled: filled, cancelled: left, standing: .cancelled(.selfMatch))
    }
    insert(
      RestingOrder(
        id: order.id, trader: order.trader, side: order.side, price: price,
        quantity: Quantity(units: left)))
    return ExecutionReport(filled: filled, resting: left, standing: .resting)
  }

  private mutating func take(
    _ order: NewOrder, _ limit: Price?, _ reason: CancelReason, _ fills: inout [Fill]
  ) -> ExecutionReport {
    let (left, end) = match(order, limit, &fills)
    let filled = order.quantity.units - left
    if left == 0 { return ExecutionReport(filled: filled, standing: .filled) }
    return ExecutionReport(
      filled: filled, cancelled: left,
      standing: .cancelled(end == .metOwnOrder ? .selfMatch : reason))
  }

  /// Trades against the opposite side until the order is filled, its limit is reached, the side is
  /// empty or an own order comes next; returns the leaves quantity.
  private mutating func match(
    _ taker: NewOrder, _ limit: Price?, _ fills: inout [Fill]
  ) -> (left: Int64, end: MatchEnd) {
    var left = taker.quantity.units
    let opposite = taker.side.opposite
    while left > 0, let level = self[opposite].last, allows(taker.side, limit, level.price) {
      let maker = level.orders[0]
      if isSame(taker.trader, maker.trader) { return (left, .metOwnOrder) }
      let traded = min(left, maker.quantity.units)
      fills.append(
        Fill(
          taker: taker.id, maker: maker.id, price: level.price,
          quantity: Quantity(units: traded)))
      left -= traded
      reduceFirst(opposite, by: traded)
    }
    return (left, .exhausted)
  }

  private func available(to taker: NewOrder, _ limit: Price) -> Bool {
    var left = taker.quantity.units
    for level in self[taker.side.opposite].reversed() {
      guard allows(taker.side, limit, level.price) else { return false }
      for maker in level.orders {
        if isSame(taker.trader, maker.trader) { return false }
        left -= maker.quantity.units
        if left <= 0 { return true }
      }
    }
    return false
  }

  private func allows(_ side: Side, _ limit: Price?, _ price: Price) -> Bool {
    guard let limit else { return true }
    return side == .buy ? price <= limit : price >= limit
  }

  private func isSame(_ left: TraderID, _ right: TraderID) -> Bool {
    left == right && left != .anonymous
  }
}

// MARK: - The book

extension PlainMatchingEngine {
  private subscript(side: Side) -> [Level] {
    get { side == .buy ? bids : asks }
    _modify {
      if side == .buy { yield &bids } else { yield &asks }
    }
  }

  /// The index of a price among a side's levels, present or not.
  private func position(_ side: Side, _ price: Price) -> Int {
    let levels = self[side]
    var (low, high) = (0, levels.count)
    while low < high {
      let middle = (low + high) / 2
      let isWorse = side == .buy ? levels[middle].price < price : price < levels[middle].price
      if isWorse { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func insert(_ order: RestingOrder) {
    let index = position(order.side, order.price)
    if index < self[order.side].count, self[order.side][index].price == order.price {
      self[order.side][index].orders.append(order)
    } else {
      self[order.side].insert(Level(price: order.price, orders: [order]), at: index)
    }
    places[order.id] = Place(side: order.side, price: order.price)
  }

  private mutating func remove(_ id: OrderID) -> RestingOrder? {
    guard let place = places.removeValue(forKey: id) else { return nil }
    let index = position(place.side, place.price)
    guard let slot = self[place.side][index].orders.firstIndex(where: { $0.id == id })
    else { return nil }
    let order = self[place.side][index].orders.remove(at: slot)
    if self[place.side][index].orders.isEmpty { self[place.side].remove(at: index) }
    return order
  }

  /// Reduces the first order of the best level by a traded quantity.
  private mutating func reduceFirst(_ side: Side, by traded: Int64) {
    let best = self[side].count - 1
    let first = self[side][best].orders[0]
    if first.quantity.units > traded {
      self[side][best].orders[0].quantity.units -= traded
    } else {
      _ = remove(first.id)
    }
  }

  private func view(_ level: Level) -> BookLevel {
    let quantity = level.orders.reduce(Int64(0)) { $0 + $1.quantity.units }
    return BookLevel(
      price: level.price, quantity: Quantity(units: quantity), orders: level.orders.count)
  }

  func best(_ side: Side) -> BookLevel? { self[side].last.map(view) }

  func levels(_ side: Side, limit: Int) -> [BookLevel] {
    self[side].suffix(max(0, limit)).reversed().map(view)
  }

  func level(_ side: Side, atOrBehind price: Price) -> BookLevel? {
    self[side].last { side == .buy ? $0.price <= price : $0.price >= price }.map(view)
  }

  func firstOrder(_ side: Side, at price: Price) -> RestingOrder? {
    self[side].last { $0.price == price }?.orders.first
  }

  func orders(_ side: Side) -> [RestingOrder] { self[side].reversed().flatMap { $0.orders } }
}

// Our orders as the venue has them.

import MarketModel
import OrderMatching
import PaperTrading

/// One of our orders as the venue has it.
struct EngineOrder {
  enum State { case travelling, waiting, working, over }

  let number: OrderIdentifier
  let request: OrderRequest
  var state = State.travelling
  var kind: OrderType
  var quantity: Int64
  var trigger: Trigger?
  var filled: Int64 = 0
  /// What the trader had filled for certain by the last step, and whether it had it open.
  var seen: (certain: Int64, isOpen: Bool) = (0, true)
  /// Whether the trader acted when the engine did; if not, only what is possible is a bound.
  var hasActed = true

  init(_ order: Order) {
    (number, request) = (order.identifier, order.request)
    (kind, quantity) = (order.request.kind, order.request.quantity.units)
    trigger = order.original.trigger
  }

  var id: OrderID { OrderID(1_000_000 + number.number) }
  var side: Side { request.side }

  var types: [String] {
    let kind =
      switch kind {
      case .market: "market"
      case .protectedMarket: "protected"
      case .limit: "limit"
      case .immediateOrCancel: "ioc"
      case .fillOrKill: "fok"
      }
    let trail = trigger?.trail.map { if case .distance = $0 { "trailing" } else { "trailing %" } }
    let others = [
      trail ?? trigger?.kind.rawValue, request.terms.isPostOnly ? "post-only" : nil,
      request.terms.expiry == nil ? nil : "gtd", request.exits?.kind.rawValue,
      request.link.map { "\($0.kind.rawValue) leg" },
    ]
    return [kind] + others.compactMap { $0 }
  }

  /// Whether a trade at a price triggers it.
  func isMet(by price: Price) -> Bool {
    guard state == .waiting, let trigger else { return false }
    return trigger.isRising(for: side) ? price >= trigger.price : price <= trigger.price
  }

  /// Lets a trailing stop follow a trade; `isFirst` if it has no price yet.
  mutating func follow(_ price: Price, isFirst: Bool = false) {
    guard state == .waiting, let trail = trigger?.trail else { return }
    let away =
      switch trail {
      case .distance(let distance): distance.units
      case .basisPoints(let points): max(1, (price.units * points + 9999) / 10_000)
      }
    let next = Price(units: price.units + (side == .buy ? away : -away))
    let before = isFirst ? next : trigger?.price ?? next
    trigger = Trigger(
      .stop, at: side == .buy ? min(next, before) : max(next, before), trail: trail)
  }
}

extension EngineRun {
  /// Lets what has reached the venue act, and ends what has expired.
  mutating func arriveAll() {
    let due = underWay.filter { $0.due <= steps }
    underWay.removeAll { $0.due <= steps }
    for (_, index, change) in due { arrive(change, index) }
    for index in ours.indices {
      if let end = ours[index].request.terms.expiry, end <= now.wall { self.end(index) }
    }
  }

  mutating func arrive(_ change: Change, _ index: Int) {
    touched.append(index)
    switch change {
    case .enter:
      guard ours[index].state == .travelling else { return }
      guard ours[index].trigger != nil else { return enterEngine(index) }
      ours[index].state = .waiting
      if let lastPrice { ours[index].follow(lastPrice, isFirst: true) }
    case .cancel:
      if ours[index].state != .over { changes.insert("cancelled") }
      end(index)
    case .amend(let request): amend(index, by: request)
    }
  }

  mutating func end(_ index: Int) {
    var none: [Fill] = []
    _ = actual.submit(.cancel(ours[index].id), fills: &none)
    ours[index].state = .over
  }

  /// Ends what the trader cancelled because of a link.
  mutating func endLinked() {
    for index in ours.indices where ours[index].state != .over {
      guard case .cancelled(_, let end) = order(index)?.life, end.reason == .linked else {
        continue
      }
      self.end(index)
    }
  }

  mutating func note(_ quantity: Int64, of index: Int) {
    // One command that meets two reduce-only orders fills one.
    guard quantity > 0, reducing == nil || !hasFilled else { return }
    ours[index].filled += quantity
    hasFilled = true
    if ours[index].filled == ours[index].quantity { ours[index].state = .over }
    if reducing != nil { for other in ours.indices { end(other) } }
  }

  private func takes(_ side: Side, at limit: Price) -> Bool {
    guard let best = actual.best(side == .buy ? .sell : .buy)?.price else { return false }
    return side == .buy ? best <= limit : best >= limit
  }

  mutating func enterEngine(_ index: Int) {
    // An exit is judged in the market that its trader sees.
    if hasFilled, isComparable { (actual, hasFilled) = (market, false) }
    let order = ours[index]
    if order.request.terms.isPostOnly, let limit = order.kind.limit, takes(order.side, at: limit) {
      return ours[index].state = .over
    }
    var fills: [Fill] = []
    let engine: OrderKind =
      switch order.kind {
      case .limit(let price): .limit(price)
      case .immediateOrCancel(let price), .protectedMarket(let price): .immediateOrCancel(price)
      case .fillOrKill(let price): .fillOrKill(price)
      case .market: .market
      }
    _ = actual.enter(
      NewOrder(
        id: order.id, side: order.side, kind: engine, quantity: Quantity(units: order.quantity)),
      fills: &fills)
    ours[index].state = order.kind.mayRest ? .working : .over
    note(fills.reduce(0) { $0 + $1.quantity.units }, of: index)
  }

  /// Amends an order, or not if it has ended or filled as much.
  mutating func amend(_ index: Int, by request: AmendRequest) {
    let before = ours[index]
    isLost = isLost || isBlind
    let quantity = request.quantity?.units ?? before.quantity
    guard before.state != .over else { return changes.formUnion(["too late"]) }
    guard quantity > before.filled, request.trigger == nil || before.state == .waiting else {
      return changes.formUnion(["refused"])
    }
    var kind = before.kind
    if let price = request.price {
      switch kind {
      case .immediateOrCancel: kind = .immediateOrCancel(price)
      case .fillOrKill: kind = .fillOrKill(price)
      default: kind = .limit(price)
      }
    }
    guard before.state == .working, let limit = kind.limit else {
      (ours[index].kind, ours[index].quantity) = (kind, quantity)
      ours[index].trigger = request.trigger ?? before.trigger
      if request.trigger?.trail != nil, let lastPrice {
        ours[index].follow(lastPrice, isFirst: true)
      }
      return changes.formUnion(["waiting"])
    }
    let keepsPlace = kind == before.kind && quantity <= before.quantity
    if before.request.terms.isPostOnly, !keepsPlace, takes(before.side, at: limit) {
      return changes.formUnion(["refused"])
    }
    (ours[index].kind, ours[index].quantity) = (kind, quantity)
    if before.filled > 0 { changes.insert("after a part") }
    let open = Quantity(units: quantity - before.filled)
    if keepsPlace {
      changes.insert("in place")
      return shrink(before, at: limit, to: open)
    }
    var fills: [Fill] = []
    _ = actual.modify(before.id, price: limit, quantity: open, fills: &fills)
    changes.insert(fills.isEmpty ? "requeued" : "taking")
    note(fills.reduce(0) { $0 + $1.quantity.units }, of: index)
  }

  /// The engine itself lets every modified order lose its place.
  mutating func shrink(_ order: EngineOrder, at limit: Price, to open: Quantity) {
    var none: [Fill] = []
    let queue = actual.orders(order.side).filter { $0.price == limit }
    for entry in queue { _ = actual.cancel(entry.id) }
    for entry in queue {
      let quantity = entry.id == order.id ? open : entry.quantity
      _ = actual.enter(
        NewOrder(id: entry.id, side: entry.side, kind: .limit(limit), quantity: quantity),
        fills: &none)
    }
  }
}

// One input on its way to a decision: a scratch copy of the market, and the events it leads to.
// Each order is touched at most once by a tick, so the orders themselves need no copy.

import MarketModel

/// Works out what one input leads to.
struct MatchRun {
  let history: OrderHistory
  let rules: TradingRules
  private let before: OfferPool
  private let time: Timestamp
  private let now: MonotonicTime
  private var pool: OfferPool
  private var events: [OrderEvent] = []
  private var reply = TradingReply.none
  private var notices: [TradingNotice] = []

  init(history: OrderHistory, pool: OfferPool, rules: TradingRules, now: ClockReading) {
    self.history = history
    self.rules = rules
    self.pool = pool
    before = pool
    self.now = now.monotonic
    self.pool.age(to: now.monotonic)
    time = now.wall
  }

  func decision(revision: UInt64) -> TradingDecision {
    var declined = before
    if pool.latest != before.latest || pool.freshness != before.freshness
      || pool.isOutdated != before.isOutdated || pool.suspect != before.suspect
      || pool.lateAt != before.lateAt
    {
      declined = pool
      if !events.isEmpty { declined.drain() }
    }
    return TradingDecision(
      events: events, reply: reply, notices: notices, pool: pool, declinedPool: declined,
      revision: revision)
  }

  mutating func place(_ request: OrderRequest) {
    if let first = history.order(named: request.clientIdentifier) {
      reply = .repeated(first.identifier, isSameRequest: first.request == request)
      return
    }
    let identifier = OrderIdentifier(number: UInt64(history.orders.count) + 1)
    let placement = Placement(identifier: identifier, request: request, arrival: pool.live)
    if let reason = rejection(of: request) {
      record(.rejected(placement, reason))
      reply = .rejected(identifier, reason)
      notices.append(TradingNotice(identifier, request, .rejected(reason)))
      return
    }
    record(.accepted(placement))
    reply = .placed(identifier)
    switch request.kind {
    case .market: takeOrCancel(request, identifier)
    case .limit: takeOrWait(request, identifier)
    }
  }

  mutating func cancel(_ identifier: OrderIdentifier) {
    guard let order = history.order(identifier) else {
      reply = .notCancelled(identifier, .unknownOrder)
      return
    }
    guard order.life.isOpen else {
      reply = .notCancelled(identifier, .ended(order.life.status))
      return
    }
    recordCancellation(of: order)
    reply = .cancelled(identifier)
    notices.append(
      TradingNotice(
        identifier, order.request,
        .cancelled(filled: order.filledQuantity, cancelled: order.openQuantity)))
  }

  /// The reply tells of all of them; a notice for each would bury every other.
  mutating func cancelAll(through newest: OrderIdentifier) {
    let orders = history.openOrders.filter { $0.identifier.number <= newest.number }
    for order in orders.reversed() { recordCancellation(of: order) }
    reply = .cancelledAll(count: orders.count)
  }

  mutating func takeUnusable(_ problem: SnapshotProblem) {
    reply = .tickRejected(problem)
    pool.outdate()
  }

  mutating func take(_ snapshot: TopOfBook, lateAt: MonotonicTime?) {
    if let problem = snapshot.problem(under: rules) { return takeUnusable(problem) }
    if let latest = pool.suspect ?? pool.latest, snapshot != latest,
      snapshot.number <= latest.number
    {
      reply = .tickRejected(.outOfOrder(latest: latest.number, found: snapshot.number))
      return
    }
    if let jump = jump(of: snapshot) {
      reply = .tickRejected(jump)
      return pool.distrust(snapshot)
    }
    if snapshot == pool.latest {
      pool.confirm(lateAt: lateAt)
    } else {
      pool.replace(with: snapshot, lateAt: lateAt) { side, offer in
        history.used(
          of: offer, venueTime: snapshot.venueTime, side: side, symbol: rules.symbol)
      }
    }
    // It may have waited for long itself.
    pool.age(to: now)
    serveWaiting()
  }

  mutating func take(_ state: FreshnessState, lateAt: MonotonicTime?) {
    if state == .waiting { return pool.clear() }
    let wasLive = pool.live != nil
    pool.freshness = state
    if let lateAt { pool.lateAt = lateAt }
    pool.age(to: now)
    if !wasLive { serveWaiting() }
  }
}

extension MatchRun {
  /// Lets the waiting orders take what they can, each side in price-time order.
  private mutating func serveWaiting() {
    guard pool.live != nil else { return }
    let waiting = history.waiting(for: rules.symbol)
    for side in [Side.buy, .sell] {
      for entry in waiting.queue(side) {
        // The queue is ordered by limit: once one cannot take, those behind it cannot either.
        guard let order = history.order(entry.identifier),
          let fill = pool.take(order.openQuantity, for: order.request)
        else { break }
        record(.filled(entry.identifier, fill))
        let left = Quantity(units: order.openQuantity.units - fill.quantity.units)
        notices.append(
          TradingNotice(entry.identifier, order.request, .filledWaiting(fill, left: left)))
      }
    }
  }

  private mutating func takeOrCancel(_ request: OrderRequest, _ identifier: OrderIdentifier) {
    let offer = pool.live?.opposite(of: request.side)
    let available = pool.available(for: request.side)
    let fill = pool.take(request.quantity, for: request)
    if let fill { record(.filled(identifier, fill)) }
    let left = Quantity(units: request.quantity.units - (fill?.quantity.units ?? 0))
    let cancellation = Cancellation(reason: .marketRest, offer: offer, available: available)
    if left > .zero { record(.cancelled(identifier, cancellation)) }
    notices.append(
      TradingNotice(
        identifier, request,
        .market(fill, rest: left > .zero ? cancellation : nil)))
  }

  private mutating func takeOrWait(_ request: OrderRequest, _ identifier: OrderIdentifier) {
    let fill = pool.take(request.quantity, for: request)
    if let fill {
      record(.filled(identifier, fill))
      let left = Quantity(units: request.quantity.units - fill.quantity.units)
      notices.append(TradingNotice(identifier, request, .filledAtOnce(fill, left: left)))
      return
    }
    let best = pool.live?.opposite(of: request.side)
    notices.append(TradingNotice(identifier, request, .waits(best: best, market: pool.reason)))
  }

  /// What is wrong with a price that neither the market nor the tick in doubt agrees with.
  private func jump(of snapshot: TopOfBook) -> SnapshotProblem? {
    guard let jump = pool.latest.flatMap(snapshot.jump(from:)) else { return nil }
    guard let suspect = pool.suspect, suspect != snapshot else { return jump }
    return snapshot.jump(from: suspect)
  }

  private func rejection(of request: OrderRequest) -> RejectionReason? {
    if let broken = rules.brokenLimit(of: request, market: pool.live) { return broken }
    if request.kind == .market, pool.live == nil { return .marketNotLive(pool.reason) }
    guard history.openCount < TradingRules.maximumOpenOrders else {
      return .tooManyOpenOrders(maximum: Int64(TradingRules.maximumOpenOrders))
    }
    return nil
  }

  private mutating func recordCancellation(of order: Order) {
    let side = order.request.side
    let cancellation = Cancellation(
      reason: .requested, offer: pool.live?.opposite(of: side), available: pool.available(for: side))
    record(.cancelled(order.identifier, cancellation))
  }

  private mutating func record(_ change: OrderEvent.Change) {
    let sequence = history.lastSequence &+ UInt64(events.count) &+ 1
    events.append(OrderEvent(sequence: sequence, time: time, change: change))
  }
}

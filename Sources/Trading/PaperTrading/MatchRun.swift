import MarketModel

/// Computes the decision for one input, on a scratch copy of the available liquidity.
///
/// A tick touches each order at most once, so the orders themselves need no copy.
struct MatchRun {
  let history: OrderHistory
  let rules: TradingRules
  private let before: AvailableLiquidity
  private let time: Timestamp
  private let now: MonotonicTime
  private var liquidity: AvailableLiquidity
  private var events: [OrderEvent] = []
  var reply = TradingReply.none
  private var notices: [OrderNotice] = []

  init(history: OrderHistory, liquidity: AvailableLiquidity, rules: TradingRules, now: ClockReading)
  {
    self.history = history
    self.rules = rules
    self.liquidity = liquidity
    before = liquidity
    self.now = now.monotonic
    self.liquidity.age(to: now.monotonic)
    time = now.wall
  }

  func decision(revision: UInt64) -> TradingDecision {
    var declined = before
    if liquidity.latest != before.latest || liquidity.freshness != before.freshness
      || liquidity.doubt != before.doubt || liquidity.suspect != before.suspect
      || liquidity.lateAt != before.lateAt
    {
      declined = liquidity
      if !events.isEmpty { declined.drain() }
    }
    return TradingDecision(
      events: events, reply: reply, notices: notices, liquidity: liquidity,
      declinedLiquidity: declined,
      revision: revision)
  }

  var market: TopOfBook? { liquidity.live }

  mutating func take(_ wanted: Quantity, for request: OrderRequest) -> OrderFill? {
    liquidity.take(wanted, for: request)
  }

  mutating func place(_ request: OrderRequest) {
    if let (order, _) = history.amendment(named: request.clientIdentifier) {
      reply = .repeated(order, isSameRequest: false)
      return
    }
    if let first = history.order(named: request.clientIdentifier) {
      reply = .repeated(first.identifier, isSameRequest: first.original == request)
      return
    }
    let identifier = OrderIdentifier(number: UInt64(history.orders.count) + 1)
    let placement = Placement(identifier: identifier, request: request, arrival: liquidity.live)
    if let reason = rejection(of: request) {
      record(.rejected(placement, reason))
      reply = .rejected(identifier, reason)
      notify(identifier, request, .rejected(reason))
      return
    }
    record(.accepted(placement))
    reply = .placed(identifier)
    switch request.kind {
    case .limit: takeOrRest(request, identifier)
    case .market, .protectedMarket, .immediateOrCancel, .fillOrKill:
      takeOrCancel(request, identifier)
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
    notify(
      identifier, order.request,
      .cancelled(filled: order.filledQuantity, cancelled: order.openQuantity))
  }

  /// One reply covers all of them; a notice per order would bury other notices.
  mutating func cancelAll(through newest: OrderIdentifier) {
    let orders = history.openOrders.filter { $0.identifier.number <= newest.number }
    for order in orders.reversed() { recordCancellation(of: order) }
    reply = .cancelledAll(count: orders.count)
  }

  mutating func takeUnusable(_ problem: SnapshotProblem) {
    reply = .tickRejected(problem)
    liquidity.outdate(.unusable)
  }

  mutating func takeUnreadable() { liquidity.outdate(.unreadable) }

  mutating func take(_ snapshot: TopOfBook, lateAt: MonotonicTime?) {
    if let problem = snapshot.problem(under: rules) { return takeUnusable(problem) }
    if let latest = liquidity.suspect ?? liquidity.latest, snapshot != latest,
      snapshot.number <= latest.number
    {
      reply = .tickRejected(.outOfOrder(latest: latest.number, found: snapshot.number))
      return
    }
    if let jump = jump(of: snapshot) {
      reply = .tickRejected(jump)
      return liquidity.distrust(snapshot)
    }
    if snapshot == liquidity.latest {
      liquidity.confirm(lateAt: lateAt)
    } else {
      liquidity.replace(with: snapshot, lateAt: lateAt) { side, level in
        history.used(
          of: level, venueTime: snapshot.venueTime, side: side, symbol: rules.symbol)
      }
    }
    // The tick may have aged in the queue.
    liquidity.age(to: now)
    fillResting()
  }

  mutating func take(_ state: FreshnessState, lateAt: MonotonicTime?) {
    if state == .waiting { return liquidity.clear() }
    let wasLive = liquidity.live != nil
    liquidity.take(state)
    if let lateAt { liquidity.lateAt = lateAt }
    liquidity.age(to: now)
    if !wasLive { fillResting() }
  }
}

extension MatchRun {
  /// Fills resting orders from the current tick, each side in price-time priority.
  private mutating func fillResting() {
    guard liquidity.live != nil else { return }
    let resting = history.resting(for: rules.symbol)
    for side in [Side.buy, .sell] {
      for entry in resting.queue(side) {
        // The queue is sorted by limit: once an order can't fill, later ones can't either.
        guard let order = history.order(entry.identifier),
          let fill = liquidity.take(order.openQuantity, for: order.request)
        else { break }
        record(.filled(entry.identifier, fill))
        let leaves = Quantity(units: order.openQuantity.units - fill.quantity.units)
        notify(entry.identifier, order.request, .filledResting(fill, leaves: leaves))
      }
    }
  }

  /// Cancels at once what the level does not hold within the order's bound; a FOK order is
  /// cancelled entirely unless all of it fills.
  private mutating func takeOrCancel(_ request: OrderRequest, _ identifier: OrderIdentifier) {
    let level = liquidity.live?.opposite(of: request.side)
    let available = liquidity.available(for: request.side)
    let isAllOrNothing = request.kind.timeInForce == .fillOrKill
    let fill =
      isAllOrNothing && available < request.quantity
      ? nil : liquidity.take(request.quantity, for: request)
    if let fill { record(.filled(identifier, fill)) }
    let leaves = Quantity(units: request.quantity.units - (fill?.quantity.units ?? 0))
    let cancellation = Cancellation(
      reason: isAllOrNothing ? .fillOrKill : .immediateOrCancel, level: level,
      available: available)
    if leaves > .zero { record(.cancelled(identifier, cancellation)) }
    notify(identifier, request, .immediate(fill, remainder: leaves > .zero ? cancellation : nil))
  }

  private mutating func takeOrRest(_ request: OrderRequest, _ identifier: OrderIdentifier) {
    let fill = liquidity.take(request.quantity, for: request)
    if let fill {
      record(.filled(identifier, fill))
      let leaves = Quantity(units: request.quantity.units - fill.quantity.units)
      notify(identifier, request, .filledAtOnce(fill, leaves: leaves))
      return
    }
    let best = liquidity.live?.opposite(of: request.side)
    notify(identifier, request, .rests(best: best, market: liquidity.reason))
  }

  /// The jump of a price that matches neither the market nor the suspect tick.
  private func jump(of snapshot: TopOfBook) -> SnapshotProblem? {
    guard let jump = liquidity.latest.flatMap(snapshot.jump(from:)) else { return nil }
    guard let suspect = liquidity.suspect, suspect != snapshot else { return jump }
    return snapshot.jump(from: suspect)
  }

  private func rejection(of request: OrderRequest) -> RejectionReason? {
    if let broken = rules.brokenLimit(of: request, market: liquidity.live) { return broken }
    if !request.kind.mayRest, liquidity.live == nil {
      return .notLive(liquidity.reason, request.kind)
    }
    guard history.openCount < TradingRules.maximumOpenOrders else {
      return .tooManyOpenOrders(maximum: Int64(TradingRules.maximumOpenOrders))
    }
    return nil
  }

  private mutating func recordCancellation(of order: Order) {
    let side = order.request.side
    let cancellation = Cancellation(
      reason: .requested, level: liquidity.live?.opposite(of: side),
      available: liquidity.available(for: side))
    record(.cancelled(order.identifier, cancellation))
  }

  mutating func notify(
    _ order: OrderIdentifier, _ request: OrderRequest, _ news: OrderNotice.News
  ) {
    notices.append(OrderNotice(order, request, news, at: time))
  }

  mutating func record(_ change: OrderEvent.Change) {
    let sequence = history.lastSequence &+ UInt64(events.count) &+ 1
    events.append(OrderEvent(sequence: sequence, time: time, change: change))
  }
}

// MARK: - Amendments

extension MatchRun {
  mutating func amend(_ request: AmendRequest) {
    let name = request.clientIdentifier
    if let (order, known) = history.amendment(named: name) {
      let isSame = order == request.order && request.asks(for: known)
      reply =
        isSame
        ? .amended(order, isRepeated: true) : .notAmended(request.order, .nameUsed(order))
      return
    }
    do throws(AmendProblem) {
      let (order, amendment) = try judge(request)
      record(.amended(order.identifier, amendment))
      reply = .amended(order.identifier, isRepeated: false)
      takeAmended(order, amendment)
    } catch {
      reply = .notAmended(request.order, error)
    }
  }

  private func judge(_ request: AmendRequest) throws(AmendProblem) -> (Order, Amendment) {
    if let other = history.order(named: request.clientIdentifier) {
      throw .nameUsed(other.identifier)
    }
    guard let order = history.order(request.order) else { throw .unknownOrder }
    guard order.life.isOpen, let limit = order.request.kind.limit else {
      throw .ended(order.life.status)
    }
    let quantity = request.quantity ?? order.request.quantity
    if let broken = rules.brokenLimit(ofQuantity: quantity) { throw .broken(broken) }
    guard quantity > order.filledQuantity else { throw .alreadyFilled(order.filledQuantity) }
    if let price = request.price, let broken = rules.brokenLimit(ofPrice: price, market: market) {
      throw .broken(broken)
    }
    return (
      order,
      Amendment(
        clientIdentifier: request.clientIdentifier, quantity: quantity,
        limit: request.price ?? limit)
    )
  }

  /// At its new price the order may fill at once, like a new one.
  private mutating func takeAmended(_ order: Order, _ amendment: Amendment) {
    let request = order.request.amended(by: amendment)
    notify(
      order.identifier, request,
      .amended(from: order.request, keepsPlace: amendment.keepsPlace(of: order.request)))
    let open = Quantity(units: amendment.quantity.units - order.filledQuantity.units)
    guard let fill = take(open, for: request) else { return }
    record(.filled(order.identifier, fill))
    let leaves = Quantity(units: open.units - fill.quantity.units)
    notify(order.identifier, request, .filledResting(fill, leaves: leaves))
  }
}

import MarketModel

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
    if let known = history.requestedAmendment(named: name) {
      reply =
        known == request
        ? .amended(known.order, isRepeated: true)
        : .notAmended(request.order, .nameUsed(known.order))
      return
    }
    do throws(AmendProblem) {
      let (order, amendment) = try judge(request)
      guard order.pending.isEmpty else { throw order.isCancelling ? .cancelling : .amending }
      try judgeExits(of: order, order.request.amended(by: amendment))
      guard !order.mayEnd(before: amendment) else { throw .mayBeFilled(order.possibleQuantity) }
      if sends(request, of: order) {
        reply = .amended(order.identifier, isRepeated: false)
        return notify(
          order.identifier, order.request,
          .amendmentSent(milliseconds: latency(of: order.request.symbol)))
      }
      record(.amended(order.identifier, amendment))
      reply = .amended(order.identifier, isRepeated: false)
      takeAmended(order, amendment, keepsPlace: amendment.keepsPlace(of: order.request))
    } catch {
      reply = .notAmended(request.order, error)
    }
  }

  func judge(_ request: AmendRequest) throws(AmendProblem) -> (Order, Amendment) {
    if let other = history.order(named: request.clientIdentifier) {
      throw .nameUsed(other.identifier)
    }
    guard let order = history.order(request.order) else { throw .unknownOrder }
    guard order.life.isOpen else { throw .ended(order.life.status) }
    guard !order.isTravelling else { throw .travelling }
    guard order.isWaiting || request.trigger == nil else { throw .notWaiting }
    guard order.request.kind.limit != nil || order.isWaiting && request.price == nil else {
      throw .atMarket
    }
    if let link = order.request.link, request.quantity != nil { throw .linked(link.primary) }
    let quantity = request.quantity ?? order.request.quantity
    if let broken = rules.brokenLimit(ofQuantity: quantity) { throw .broken(broken) }
    guard quantity > order.filledQuantity else { throw .alreadyFilled(order.filledQuantity) }
    if let broken = termsCheck.enlarging(order, to: quantity) { throw .broken(broken) }
    if let price = request.price,
      let broken = rules.brokenLimit(ofPrice: price, market: market?.reference)
    {
      throw .broken(broken)
    }
    let amendment = Amendment(
      clientIdentifier: request.clientIdentifier, quantity: quantity,
      limit: request.price ?? order.request.kind.limit, trigger: request.trigger)
    try judge(request.trigger, of: order.request.amended(by: amendment))
    if order.request.terms.isPostOnly, !amendment.keepsPlace(of: order.request),
      let taking = termsCheck.taking(order.request.amended(by: amendment))
    {
      throw .broken(taking)
    }
    return (order, amendment)
  }

  private func judge(_ trigger: Trigger?, of request: OrderRequest) throws(AmendProblem) {
    guard let trigger else { return }
    let broken =
      trigger.trail == nil
      ? rules.brokenLimit(ofPrice: trigger.price, market: market?.reference)
      : termsCheck.brokenTrail(request)
    if let broken { throw .broken(broken) }
  }

  /// Until a bracket's order fills, its price must trigger none of its exits; a limit beyond the
  /// market fills at the market.
  private func judgeExits(of order: Order, _ amended: OrderRequest) throws(AmendProblem) {
    let primary = amended.link.flatMap { history.order($0.primary) }
    let side = (primary?.request ?? amended).side
    guard (primary ?? order).original.exits?.kind == .bracket,
      (primary ?? order).filledQuantity == .zero,
      let limit = (primary?.request ?? amended).kind.limit
    else { return }
    let best = market?.reference?.opposite(of: side)?.price ?? limit
    let entry = side == .buy ? min(limit, best) : max(limit, best)
    let exits =
      primary == nil ? history.exits(of: order.identifier).map(\.request) : [amended]
    for exit in exits {
      guard let trigger = exit.trigger, trigger.isMet(by: entry, for: exit.side) else { continue }
      throw .exitBeyond(trigger, exit.side, entry: entry)
    }
  }

  /// A waiting order waits on; a trailing stop follows from the last price.
  private mutating func waitAmended(_ order: Order, _ request: OrderRequest, trigger: Trigger?) {
    var current = request.trigger ?? Trigger(.stop, at: Price(units: 0))
    if let trail = trigger?.trail, let move = market?.firstMove(of: trail, for: request.side) {
      record(.trailed(order.identifier, move))
      current = Trigger(current.kind, at: move.trigger, trail: trail)
    }
    notify(order.identifier, request, .waitsAmended(current))
  }

  /// At its new price the order may fill at once, like a new one.
  mutating func takeAmended(_ order: Order, _ amendment: Amendment, keepsPlace: Bool) {
    let request = order.request.amended(by: amendment)
    guard !order.isWaiting else {
      return waitAmended(order, request, trigger: amendment.trigger)
    }
    notify(order.identifier, request, .amended(from: order.request, keepsPlace: keepsPlace))
    let open = Quantity(units: amendment.quantity.units - order.filledQuantity.units)
    if !keepsPlace { market?.places[order.identifier] = nil }
    let fills = request.terms.isPostOnly ? [] : take(min(open, wanted(request)), for: request)
    for fill in fills { record(.filled(order.identifier, fill)) }
    let taken = fills.reduce(0) { $0 + $1.quantity.units }
    if taken < open.units, !keepsPlace { queue(request, order.identifier) }
    settle()
    guard let execution = Execution(fills) else { return }
    let leaves = Quantity(units: open.units - taken)
    notify(order.identifier, request, .filledResting(execution, leaves: leaves))
  }
}

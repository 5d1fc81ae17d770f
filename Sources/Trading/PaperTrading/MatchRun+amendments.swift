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
    guard order.life.isOpen else { throw .ended(order.life.status) }
    guard !order.isWaiting, let limit = order.request.kind.limit else { throw .waiting }
    let quantity = request.quantity ?? order.request.quantity
    if let broken = rules.brokenLimit(ofQuantity: quantity) { throw .broken(broken) }
    guard quantity > order.filledQuantity else { throw .alreadyFilled(order.filledQuantity) }
    if let price = request.price,
      let broken = rules.brokenLimit(ofPrice: price, market: market?.reference)
    {
      throw .broken(broken)
    }
    let amendment = Amendment(
      clientIdentifier: request.clientIdentifier, quantity: quantity,
      limit: request.price ?? limit)
    if order.request.terms.isPostOnly, !amendment.keepsPlace(of: order.request),
      let taking = termsCheck.taking(order.request.amended(by: amendment))
    {
      throw .broken(taking)
    }
    return (order, amendment)
  }

  /// At its new price the order may fill at once, like a new one.
  private mutating func takeAmended(_ order: Order, _ amendment: Amendment) {
    let request = order.request.amended(by: amendment)
    notify(
      order.identifier, request,
      .amended(from: order.request, keepsPlace: amendment.keepsPlace(of: order.request)))
    let open = Quantity(units: amendment.quantity.units - order.filledQuantity.units)
    let keepsPlace = amendment.keepsPlace(of: order.request)
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

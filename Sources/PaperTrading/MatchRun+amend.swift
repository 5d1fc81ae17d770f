// An amendment on its way to a decision.

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

  /// At its new price the order may take at once, as a new one would.
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

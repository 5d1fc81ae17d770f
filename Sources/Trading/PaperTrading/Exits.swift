public import MarketModel

/// What is placed together with an order and waits: of the same quantity, and linked to it.
public struct Exits: Hashable, Sendable {
  /// How the orders are linked.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// One cancels the other: an alternative on the same side.
    case oco
    /// Exits of what the order fills, on the other side.
    case bracket
  }

  /// The kind.
  public let kind: Kind
  /// The trigger of a stop; nil for none.
  public let stop: Price?
  /// The trigger of a take-profit; nil for none.
  public let takeProfit: Price?

  /// Creates unchecked exits; nil without any.
  public init?(_ kind: Kind, stop: Price?, takeProfit: Price? = nil) {
    guard stop != nil || takeProfit != nil else { return nil }
    (self.kind, self.stop, self.takeProfit) = (kind, stop, takeProfit)
  }

  var triggers: [Trigger] {
    (stop.map { [Trigger(.stop, at: $0)] } ?? [])
      + (takeProfit.map { [Trigger(.takeProfit, at: $0)] } ?? [])
  }

  /// The side of the exits of an order.
  func side(of entry: Side) -> Side { kind == .oco ? entry : entry == .buy ? .sell : .buy }
}

/// The order that an order was placed together with.
public struct OrderLink: Hashable, Sendable {
  /// How they are linked.
  public let kind: Exits.Kind
  /// The order.
  public let primary: OrderIdentifier

  /// Creates a link.
  public init(_ kind: Exits.Kind, to primary: OrderIdentifier) {
    (self.kind, self.primary) = (kind, primary)
  }
}

extension OrderRequest {
  /// The orders to place with this one, which has a number; nil if their names would be too long.
  func exitRequests(of primary: OrderIdentifier) -> [OrderRequest]? {
    guard let exits else { return [] }
    var requests: [OrderRequest] = []
    for trigger in exits.triggers {
      let text = "\(clientIdentifier.text):\(trigger.kind == .stop ? "stop" : "profit")"
      guard let name = ClientOrderIdentifier(text) else { return nil }
      requests.append(
        OrderRequest(
          clientIdentifier: name, symbol: symbol, side: exits.side(of: side), kind: .market,
          quantity: quantity, trigger: trigger, link: OrderLink(exits.kind, to: primary),
          terms: terms.inherited(by: exits.kind)))
    }
    return requests
  }

  func resized(_ quantity: Quantity) -> OrderRequest {
    OrderRequest(
      clientIdentifier: clientIdentifier, symbol: symbol, side: side, kind: kind,
      quantity: quantity, trigger: trigger, exits: exits, link: link, terms: terms)
  }
}

extension OrderHistory {
  /// The orders placed together with an order.
  func exits(of primary: OrderIdentifier) -> [Order] {
    guard let exits = order(primary)?.original.exits else { return [] }
    return (1...UInt64(exits.triggers.count)).compactMap {
      order(OrderIdentifier(number: primary.number + $0))
    }
  }

  /// How much an order is for once it triggers; zero if it does not.
  ///
  /// An exit is for what its order has certainly filled, an alternative for what is open of it,
  /// amended or not; no reduce-only order is for more than the position.
  func triggeredQuantity(of order: Order) -> Quantity {
    let request = order.request
    var quantity = request.quantity
    if let link = request.link, let primary = self.order(link.primary) {
      switch link.kind {
      case .bracket: quantity = primary.filledQuantity
      case .oco: if primary.life.isOpen { quantity = primary.openQuantity }
      }
    }
    return request.terms.isReduceOnly ? min(quantity, reducible(by: request)) : quantity
  }
}

extension MatchRun {
  /// Cancels what is linked to the orders that the latest events changed: no two legs work.
  mutating func settle() {
    cancelNeedless()
    let primaries = Set(unsettled.compactMap { event in primary(of: event) })
    guard !primaries.isEmpty else { return markSettled() }
    catchUp()
    for primary in primaries.sorted() { settle(primary) }
    catchUp()
    markSettled()
  }

  private func primary(of event: OrderEvent) -> OrderIdentifier? {
    if case .accepted(let placement) = event.change {
      return placement.request.exits == nil ? nil : placement.identifier
    }
    guard let order = event.order.flatMap({ history.order($0) }) else { return nil }
    return order.request.link?.primary ?? (order.original.exits == nil ? nil : order.identifier)
  }

  private mutating func settle(_ identifier: OrderIdentifier) {
    guard let primary = history.order(identifier), let exits = primary.original.exits else {
      return
    }
    let legs = history.exits(of: identifier)
    let worked = legs.first { $0.activation != nil }
    var over: [Order] = []
    if let worked {
      over = [primary] + legs.filter { $0.identifier != worked.identifier }
    } else if exits.kind == .oco {
      if primary.filledQuantity > .zero { over = legs }
    } else if !primary.life.isOpen, primary.filledQuantity == .zero {
      over = legs
    }
    for order in over where order.life.isOpen {
      if let proof = worked?.activation?.proof { doubt(order, endedBy: proof) }
      cancel(history.order(order.identifier) ?? order, because: .linked)
    }
  }

  /// The trade that triggered an exit may be a part of what fills its order: at the order's limit
  /// or beyond it, or on the taker's way to it through visible levels.
  private mutating func doubt(_ order: Order, endedBy proof: TradeProof) {
    let (request, whole) = (order.request, order.request.quantity)
    guard rules.hasBook, !order.isWaiting, let limit = request.kind.limit,
      order.possibleQuantity < whole
    else { return }
    let isBeyond = request.side == .buy ? proof.price <= limit : proof.price >= limit
    let mayReach =
      market?.lastTaker != request.side && market?.liquidity.latest?.shows(request) == true
    guard isBeyond || mayReach else { return }
    record(.possible(order.identifier, PossibleFill(upTo: whole, proof: proof)))
    catchUp()
  }
}

// MARK: - Tickets

/// Exits as typed.
public struct ExitsTicket: Hashable, Sendable {
  /// The kind.
  public let kind: Exits.Kind
  /// The stop as typed; nil for none.
  public let stop: String?
  /// The take-profit as typed; nil for none, and for an alternative.
  public let takeProfit: String?

  /// Creates exits from typed prices.
  public init(_ kind: Exits.Kind, stop: String?, takeProfit: String? = nil) {
    (self.kind, self.stop, self.takeProfit) = (kind, stop, takeProfit)
  }
}

extension TicketParser {
  /// `entry` is the price that the order has, if any; otherwise the last price counts.
  func exits(
    _ ticket: ExitsTicket, side: Side, entry: Price?, market: TopOfBook?, last: Price?
  ) throws(TicketProblem) -> Exits? {
    var (stop, profit): (Price?, Price?)
    if let text = ticket.stop {
      stop = try exit(.stop, text, ticket.kind, side, entry, market, last)
    }
    if let text = ticket.takeProfit {
      profit = try exit(.takeProfit, text, ticket.kind, side, entry, market, last)
    }
    return Exits(ticket.kind, stop: stop, takeProfit: profit)
  }

  private func exit(
    _ kind: Trigger.Kind, _ text: String, _ link: Exits.Kind, _ side: Side, _ entry: Price?,
    _ market: TopOfBook?, _ last: Price?
  ) throws(TicketProblem) -> Price {
    let exitSide = link == .oco ? side : side == .buy ? .sell : .buy
    let field: TicketProblem.Field = kind == .stop ? .trigger : .profit
    guard link == .bracket else {
      return try trigger(
        TriggerTicket(kind, at: text), side: exitSide, market: market, last: last
      ).price
    }
    // A limit beyond the market fills at the market.
    let best = market?.opposite(of: side)?.price ?? last
    let entry =
      entry.map { price in best.map { side == .buy ? min(price, $0) : max(price, $0) } ?? price }
      ?? last ?? best
    let trigger = Trigger(kind, at: try price(text, of: field, market: market))
    if let entry, trigger.isMet(by: entry, for: exitSide) {
      throw .exitBeyond(trigger, exitSide, entry: entry)
    }
    return trigger.price
  }
}

public import MarketModel

/// A request to change an order that rests or waits for its trigger.
///
/// The order keeps its number and fills. It keeps its place in the queue only if nothing but the
/// quantity falls.
public struct AmendRequest: Hashable, Sendable {
  /// The client identifier of the amendment, unique per amendment.
  public let clientIdentifier: ClientOrderIdentifier
  /// The order.
  public let order: OrderIdentifier
  /// The new total quantity including fills; nil to keep it.
  public let quantity: Quantity?
  /// The new limit; nil to keep it.
  public let price: Price?
  /// The new trigger of an order that waits; nil to keep it.
  public let trigger: Trigger?

  /// Creates an unchecked request.
  public init(
    clientIdentifier: ClientOrderIdentifier, order: OrderIdentifier, quantity: Quantity?,
    price: Price?, trigger: Trigger? = nil
  ) {
    self.clientIdentifier = clientIdentifier
    self.order = order
    self.quantity = quantity
    (self.price, self.trigger) = (price, trigger)
  }

  func asks(for amendment: Amendment) -> Bool {
    (quantity ?? amendment.quantity) == amendment.quantity
      && (price ?? amendment.limit) == amendment.limit
      && (trigger ?? amendment.trigger) == amendment.trigger
  }
}

/// The recorded form of an amendment.
public struct Amendment: Hashable, Sendable {
  /// The amendment's client identifier.
  public let clientIdentifier: ClientOrderIdentifier
  /// The order's new total quantity, including earlier fills.
  public let quantity: Quantity
  /// The order's new limit; nil for a market order that waits.
  public let limit: Price?
  /// The new trigger; nil if it is unchanged.
  public let trigger: Trigger?

  /// Creates an amendment record.
  public init(
    clientIdentifier: ClientOrderIdentifier, quantity: Quantity, limit: Price?,
    trigger: Trigger? = nil
  ) {
    self.clientIdentifier = clientIdentifier
    self.quantity = quantity
    (self.limit, self.trigger) = (limit, trigger)
  }

  func resized(_ quantity: Quantity) -> Amendment {
    Amendment(
      clientIdentifier: clientIdentifier, quantity: quantity, limit: limit, trigger: trigger)
  }

  func keepsPlace(of request: OrderRequest) -> Bool {
    limit == request.kind.limit && trigger == nil && quantity <= request.quantity
  }
}

/// Why an order could not be amended; the order is unchanged.
public enum AmendProblem: Error, Hashable, Sendable {
  case unknownOrder
  /// The order has already ended: filled (a fill overtook the amendment), cancelled or rejected.
  case ended(OrderStatus)
  /// The client identifier belongs to this order or to an amendment of it with other values.
  case nameUsed(OrderIdentifier)
  /// The order is on its way to the venue.
  case travelling
  /// An amendment of the order is on its way to the venue.
  case amending
  /// A cancellation of the order is on its way to the venue.
  case cancelling
  /// A trigger for an order that does not wait for one.
  case notWaiting
  /// A change of a market order's price, or of one that trades already.
  case atMarket
  /// A quantity for an order whose quantity is that of the order it is linked to.
  case linked(OrderIdentifier)
  /// At least the requested quantity is already filled.
  case alreadyFilled(Quantity)
  /// The order may have filled as much as it is for before or after the change of its quantity, so
  /// that the venue may refuse it.
  case mayBeFilled(Quantity)
  /// An exit that the price of its order would trigger at once.
  case exitBeyond(Trigger, Side, entry: Price)
  case broken(RejectionReason)

  /// The text for the user.
  public func userMessage(under rules: TradingRules) -> Sentence {
    switch self {
    case .unknownOrder: "There is no such order."
    case .ended(.filled): "Too late to amend: the order is already filled."
    case .ended(.cancelled): "Too late to amend: the order is cancelled."
    case .ended: "The order was rejected; there is nothing to amend."
    case .travelling: "The order has not reached the venue yet. Try again."
    case .amending: "Another amendment of the order is on its way. Try again."
    case .cancelling: "The order is being cancelled."
    case .notWaiting: "The order no longer waits for its trigger."
    case .atMarket: "The order trades at the market, so it has no price to amend."
    case .linked(let order): "The quantity is that of order \(order)."
    case .nameUsed(let order):
      "This was sent before with other values, about order \(order). Nothing was amended."
    case .alreadyFilled(let filled):
      """
      \(rules.text(filled)) are filled already, so the quantity must be more. Cancel the order \
      to end it here.
      """
    case .mayBeFilled(let possible):
      """
      Up to \(rules.text(possible)) may be filled, so the quantity can't change. Amend the price, \
      or cancel the order.
      """
    case .exitBeyond(let trigger, let side, let entry):
      TicketProblem.exitBeyond(trigger, side, entry: entry).userMessage(under: rules)
    case .broken(let reason): reason.userMessage(under: rules)
    }
  }

  /// The field to mark; nil if neither field is wrong.
  public var field: TicketProblem.Field? {
    switch self {
    case .alreadyFilled, .mayBeFilled: .quantity
    case .broken(let reason): reason.field
    case .unknownOrder, .ended, .nameUsed, .travelling, .amending, .cancelling, .notWaiting,
      .atMarket, .linked, .exitBeyond:
      nil
    }
  }
}

/// An amendment as typed, not yet parsed.
public struct AmendTicket: Hashable, Sendable {
  /// The client identifier of the amendment, unique per amendment.
  public let clientIdentifier: ClientOrderIdentifier
  /// The order.
  public let order: OrderIdentifier
  /// The new total quantity as typed, including fills; nil to keep it.
  public let quantity: String?
  /// The new limit as typed; nil to keep it.
  public let price: String?
  /// The new trigger, or distance of a trailing stop in its unit, as typed; nil to keep it.
  public let trigger: String?

  /// Creates a ticket from typed values.
  public init(
    clientIdentifier: ClientOrderIdentifier, order: OrderIdentifier, quantity: String?,
    price: String?, trigger: String? = nil
  ) {
    self.clientIdentifier = clientIdentifier
    self.order = order
    self.quantity = quantity
    (self.price, self.trigger) = (price, trigger)
  }
}

extension TicketParser {
  /// Parses an amendment's fields; `market` is the live market or nil, `last` the last trade's
  /// price, and `order` the request as it is.
  ///
  /// Throws the first field's problem, quantity before trigger before price.
  public func request(
    _ ticket: AmendTicket, of order: OrderRequest? = nil, market: TopOfBook?, last: Price? = nil
  ) throws(TicketProblem) -> AmendRequest {
    var request: (quantity: Quantity?, price: Price?, trigger: Trigger?)
    if let text = ticket.quantity { request.quantity = try quantity(text) }
    if let text = ticket.trigger {
      let trigger = TriggerTicket(text, like: order?.trigger)
      request.trigger = try self.trigger(
        trigger, side: order?.side ?? .sell, market: market, last: last)
    }
    if let text = ticket.price { request.price = try price(text, market: market) }
    return AmendRequest(
      clientIdentifier: ticket.clientIdentifier, order: ticket.order, quantity: request.quantity,
      price: request.price, trigger: request.trigger)
  }
}

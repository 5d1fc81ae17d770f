public import MarketModel

/// A request to change a resting order.
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

  /// Creates an unchecked request.
  public init(
    clientIdentifier: ClientOrderIdentifier, order: OrderIdentifier, quantity: Quantity?,
    price: Price?
  ) {
    self.clientIdentifier = clientIdentifier
    self.order = order
    self.quantity = quantity
    self.price = price
  }

  func asks(for amendment: Amendment) -> Bool {
    (quantity ?? amendment.quantity) == amendment.quantity
      && (price ?? amendment.limit) == amendment.limit
  }
}

/// The recorded form of an amendment.
public struct Amendment: Hashable, Sendable {
  /// The amendment's client identifier.
  public let clientIdentifier: ClientOrderIdentifier
  /// The order's new total quantity, including earlier fills.
  public let quantity: Quantity
  /// The order's new limit.
  public let limit: Price

  /// Creates an amendment record.
  public init(clientIdentifier: ClientOrderIdentifier, quantity: Quantity, limit: Price) {
    self.clientIdentifier = clientIdentifier
    self.quantity = quantity
    self.limit = limit
  }

  func keepsPlace(of request: OrderRequest) -> Bool {
    request.kind == .limit(limit) && quantity <= request.quantity
  }
}

/// Why an order could not be amended; the order is unchanged.
public enum AmendProblem: Error, Hashable, Sendable {
  case unknownOrder
  /// The order has already ended: filled (a fill overtook the amendment), cancelled or rejected.
  case ended(OrderStatus)
  /// The client identifier belongs to this order or to an amendment of it with other values.
  case nameUsed(OrderIdentifier)
  /// The order waits for its trigger.
  case waiting
  /// At least the requested quantity is already filled.
  case alreadyFilled(Quantity)
  case broken(RejectionReason)

  /// The text for the user.
  public func userMessage(under rules: TradingRules) -> Sentence {
    switch self {
    case .unknownOrder: "There is no such order."
    case .ended(.filled): "Too late to amend: the order is already filled."
    case .ended(.cancelled): "Too late to amend: the order is cancelled."
    case .ended: "The order was rejected; there is nothing to amend."
    case .waiting:
      "The order waits for its trigger. Cancel it and place another one to change it."
    case .nameUsed(let order):
      "This was sent before with other values, about order \(order). Nothing was amended."
    case .alreadyFilled(let filled):
      """
      \(rules.text(filled)) are filled already, so the quantity must be more. Cancel the order \
      to end it here.
      """
    case .broken(let reason): reason.userMessage(under: rules)
    }
  }

  /// The field to mark; nil if neither field is wrong.
  public var field: TicketProblem.Field? {
    switch self {
    case .alreadyFilled: .quantity
    case .broken(let reason): reason.field
    case .unknownOrder, .ended, .nameUsed, .waiting: nil
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

  /// Creates a ticket from typed values.
  public init(
    clientIdentifier: ClientOrderIdentifier, order: OrderIdentifier, quantity: String?,
    price: String?
  ) {
    self.clientIdentifier = clientIdentifier
    self.order = order
    self.quantity = quantity
    self.price = price
  }
}

extension TicketParser {
  /// Parses an amendment's fields; `market` is the live market or nil.
  ///
  /// Throws the first field's problem, quantity before price.
  public func request(
    _ ticket: AmendTicket, market: TopOfBook?
  ) throws(TicketProblem) -> AmendRequest {
    var request: (quantity: Quantity?, price: Price?)
    if let text = ticket.quantity { request.quantity = try quantity(text) }
    if let text = ticket.price { request.price = try price(text, market: market) }
    return AmendRequest(
      clientIdentifier: ticket.clientIdentifier, order: ticket.order, quantity: request.quantity,
      price: request.price)
  }
}

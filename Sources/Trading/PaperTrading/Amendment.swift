// A resting order that is to hold for another quantity or at another price. It keeps its number and
// its fills, and its place in the queue where it takes nothing from anybody: when only the quantity
// falls.

public import MarketModel

/// What a person wants of a resting order instead.
public struct AmendRequest: Hashable, Sendable {
  /// The device's name for the amendment: one name, one amendment.
  public let clientIdentifier: ClientOrderIdentifier
  /// The order.
  public let order: OrderIdentifier
  /// How much in all, with what is filled already; nil for as much as before.
  public let quantity: Quantity?
  /// The limit; nil for the one before.
  public let price: Price?

  /// Holds what was asked for, unchecked.
  public init(
    clientIdentifier: ClientOrderIdentifier, order: OrderIdentifier, quantity: Quantity?,
    price: Price?
  ) {
    self.clientIdentifier = clientIdentifier
    self.order = order
    self.quantity = quantity
    self.price = price
  }

  /// Whether an amendment that was made is what this asks for.
  func asks(for amendment: Amendment) -> Bool {
    (quantity ?? amendment.quantity) == amendment.quantity
      && (price ?? amendment.limit) == amendment.limit
  }
}

/// What is recorded of an amendment.
public struct Amendment: Hashable, Sendable {
  /// The device's name for it.
  public let clientIdentifier: ClientOrderIdentifier
  /// How much the order is for from now on, with what was filled before.
  public let quantity: Quantity
  /// Its limit from now on.
  public let limit: Price

  /// Records an amendment.
  public init(clientIdentifier: ClientOrderIdentifier, quantity: Quantity, limit: Price) {
    self.clientIdentifier = clientIdentifier
    self.quantity = quantity
    self.limit = limit
  }

  /// Whether the order keeps its place in the queue.
  func keepsPlace(of request: OrderRequest) -> Bool {
    request.kind == .limit(limit) && quantity <= request.quantity
  }
}

/// Why an order could not be amended; it is as it was.
public enum AmendProblem: Error, Hashable, Sendable {
  /// There is no such order.
  case unknownOrder
  /// The order ended before: filled (a fill met the amendment), cancelled or rejected.
  case ended(OrderStatus)
  /// The name was used before, for this order or for an amendment of it with other values.
  case nameUsed(OrderIdentifier)
  /// As much is filled already.
  case alreadyFilled(Quantity)
  /// A limit is broken.
  case broken(RejectionReason)

  /// The sentence for people.
  public func userMessage(under rules: TradingRules) -> String {
    switch self {
    case .unknownOrder: "There is no such order."
    case .ended(.filled): "Too late to amend: the order is already filled."
    case .ended(.cancelled): "Too late to amend: the order is cancelled."
    case .ended: "The order was rejected; there is nothing to amend."
    case .nameUsed(let order):
      "This was sent before with other values, about order \(order). Nothing was amended."
    case .alreadyFilled(let filled):
      "\(rules.text(filled)) are filled already, so the quantity must be more. "
        + "Cancel the order to end it here."
    case .broken(let reason): reason.userMessage(under: rules)
    }
  }

  /// The field to mark; nil when it is neither's fault.
  public var field: TicketProblem.Field? {
    switch self {
    case .alreadyFilled: .quantity
    case .broken(let reason): reason.field
    case .unknownOrder, .ended, .nameUsed: nil
    }
  }
}

/// An amendment as it was typed, not yet parsed.
public struct AmendTicket: Hashable, Sendable {
  /// The device's name for the amendment: one name, one amendment.
  public let clientIdentifier: ClientOrderIdentifier
  /// The order.
  public let order: OrderIdentifier
  /// How much in all, as typed; nil for as much as before.
  public let quantity: String?
  /// The limit, as typed; nil for the one before.
  public let price: String?

  /// Holds what was typed.
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
  /// Reads an amendment's fields; `market` is the live market, nil when there is none.
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

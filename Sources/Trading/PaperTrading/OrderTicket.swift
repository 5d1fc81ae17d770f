public import MarketModel

/// An order as typed, not yet parsed.
///
/// The order service parses it, so every client gets the same message for the same error.
public struct OrderTicket: Hashable, Sendable {
  /// How the order is priced.
  public enum Kind: Hashable, Sendable {
    /// IOC at the best opposite price.
    case market
    /// IOC at the best opposite price, but no worse than this price as typed.
    case protectedMarket(protection: String)
    /// This price, as typed, or better, with a time in force.
    case limit(price: String, TimeInForce = .goodTillCancelled)
  }

  /// The order's client identifier, unique per order.
  public let clientIdentifier: ClientOrderIdentifier
  /// The venue's market, "kraken:BTC/USD"; nil for the exchange's stock.
  public let instrument: Symbol?
  /// Buy or sell.
  public let side: Side
  /// Market or limit, with the price as typed.
  public let kind: Kind
  /// The quantity as typed.
  public let quantity: String
  /// What it waits for; nil for nothing.
  public let trigger: TriggerTicket?
  /// What is placed together with it; nil for nothing.
  public let exits: ExitsTicket?
  /// What else restricts it.
  public let terms: OrderTerms

  /// Creates a ticket from typed values.
  public init(
    clientIdentifier: ClientOrderIdentifier, instrument: Symbol? = nil, side: Side, kind: Kind,
    quantity: String, trigger: TriggerTicket? = nil,
    exits: ExitsTicket? = nil, terms: OrderTerms = OrderTerms()
  ) {
    (self.trigger, self.exits, self.terms) = (trigger, exits, terms)
    self.instrument = instrument
    self.clientIdentifier = clientIdentifier
    self.side = side
    self.kind = kind
    self.quantity = quantity
  }
}

extension TicketParser {
  /// Parses a ticket's fields; `market` is the live market or nil, `last` the last trade's price.
  ///
  /// Throws the first field's problem, quantity before trigger before price.
  public func request(
    _ ticket: OrderTicket, market: TopOfBook?, last: Price? = nil
  ) throws(TicketProblem) -> OrderRequest {
    let quantity = try quantity(ticket.quantity)
    var trigger: Trigger?
    if let typed = ticket.trigger {
      trigger = try self.trigger(typed, side: ticket.side, market: market, last: last)
    }
    let kind: OrderType
    switch ticket.kind {
    case .market: kind = .market
    case .protectedMarket(let text): kind = .protectedMarket(try price(text, market: market))
    case .limit(let text, .goodTillCancelled): kind = .limit(try price(text, market: market))
    case .limit(let text, .immediateOrCancel):
      kind = .immediateOrCancel(try price(text, market: market))
    case .limit(let text, .fillOrKill): kind = .fillOrKill(try price(text, market: market))
    }
    var exits: Exits?
    if let typed = ticket.exits {
      exits = try self.exits(
        typed, side: ticket.side, entry: kind.limit ?? trigger?.price, market: market, last: last)
    }
    return OrderRequest(
      clientIdentifier: ticket.clientIdentifier, symbol: rules.symbol, side: ticket.side,
      kind: kind, quantity: quantity, trigger: trigger, exits: exits, terms: ticket.terms)
  }
}

extension TicketProblem {
  /// The field to mark; nil if neither field is wrong.
  public var field: Field? {
    switch self {
    case .empty(let field), .tooLong(let field), .notANumber(let field, _), .comma(let field, _),
      .tooFine(let field, _), .tooBig(let field, _):
      field
    case .metTrigger, .badTrail: .trigger
    case .brokenTrigger(_, let field): field
    case .exitBeyond(let trigger, _, _): trigger.kind == .stop ? .trigger : .profit
    case .broken(let reason): reason.field
    }
  }
}

extension RejectionReason {
  /// The ticket field to mark; nil if neither field is wrong.
  public var field: TicketProblem.Field? {
    switch self {
    case .quantityNotPositive, .quantityOffLot, .quantityTooLarge, .reducesMore: .quantity
    case .priceNotPositive, .priceOffTick, .priceTooHigh, .priceFarFromMarket, .wouldTake: .price
    case .badTrail: .trigger
    case .unknownSymbol, .marketNotLive, .cannotWait, .bookNotLive, .tooManyOpenOrders,
      .nameTooLong,
      .postOnlyNotLive, .nothingToReduce, .badExpiry, .badTerms,
      .noPriceToTrail:
      nil
    }
  }
}

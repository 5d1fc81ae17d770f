public import MarketModel

/// How an order is priced.
public enum OrderType: Hashable, Sendable {
  /// IOC: takes what the best opposite level holds now; the remainder is cancelled.
  case market
  /// A market order that takes nothing at a price worse than this.
  case protectedMarket(Price)
  /// GTC: takes this price or better now, then rests until it is filled.
  case limit(Price)
  /// IOC: takes this price or better now; the remainder is cancelled.
  case immediateOrCancel(Price)
  /// FOK: all of it now at this price or better, or nothing.
  case fillOrKill(Price)

  /// The limit; nil for a market order.
  public var limit: Price? {
    switch self {
    case .market, .protectedMarket: nil
    case .limit(let price), .immediateOrCancel(let price), .fillOrKill(let price): price
    }
  }

  /// The protection price of a market order; nil if it has none, and for a limit order.
  public var protection: Price? {
    if case .protectedMarket(let price) = self { price } else { nil }
  }

  /// The worst acceptable price; nil if any price is.
  public var bound: Price? { limit ?? protection }

  /// Whether this is a market order, protected or not.
  public var isMarket: Bool { limit == nil }

  /// Whether an unfilled remainder rests instead of being cancelled.
  public var mayRest: Bool {
    if case .limit = self { true } else { false }
  }

  /// The same with another limit; unchanged for a market order.
  func moved(to limit: Price?) -> OrderType {
    guard let limit else { return self }
    switch self {
    case .market, .protectedMarket: return self
    case .limit: return .limit(limit)
    case .immediateOrCancel: return .immediateOrCancel(limit)
    case .fillOrKill: return .fillOrKill(limit)
    }
  }

  /// The time in force; a market order is immediate-or-cancel.
  public var timeInForce: TimeInForce {
    switch self {
    case .limit: .goodTillCancelled
    case .market, .protectedMarket, .immediateOrCancel: .immediateOrCancel
    case .fillOrKill: .fillOrKill
    }
  }
}

/// The time in force of a limit order.
public enum TimeInForce: String, Hashable, Sendable, CaseIterable {
  /// GTC: until it is filled or cancelled.
  case goodTillCancelled = "gtc"
  /// IOC: fills what is available now; the remainder is cancelled.
  case immediateOrCancel = "ioc"
  /// FOK: all of it now, or nothing.
  case fillOrKill = "fok"
}

/// An order as requested, unchecked: any number may be in it.
public struct OrderRequest: Hashable, Sendable {
  /// The order's client identifier, unique per order.
  public let clientIdentifier: ClientOrderIdentifier
  /// The instrument.
  public let symbol: Symbol
  /// Buy or sell.
  public let side: Side
  /// Order type and price, in the rules' price units; of an order with a trigger, once triggered.
  public let kind: OrderType
  /// What the order waits for; nil for nothing.
  public let trigger: Trigger?
  /// What is placed together with it.
  public let exits: Exits?
  /// What it was placed together with.
  public let link: OrderLink?
  /// What else restricts it.
  public let terms: OrderTerms
  /// The quantity in the rules' quantity units; not yet checked.
  public let quantity: Quantity

  /// Creates an unchecked request.
  public init(
    clientIdentifier: ClientOrderIdentifier, symbol: Symbol, side: Side, kind: OrderType,
    quantity: Quantity, trigger: Trigger? = nil, exits: Exits? = nil,
    link: OrderLink? = nil, terms: OrderTerms = OrderTerms()
  ) {
    (self.trigger, self.exits, self.link, self.terms) = (trigger, exits, link, terms)
    self.clientIdentifier = clientIdentifier
    self.symbol = symbol
    self.side = side
    self.kind = kind
    self.quantity = quantity
  }

  func trailed(to price: Price) -> OrderRequest {
    OrderRequest(
      clientIdentifier: clientIdentifier, symbol: symbol, side: side, kind: kind,
      quantity: quantity, trigger: trigger.map { Trigger($0.kind, at: price, trail: $0.trail) },
      exits: exits, link: link, terms: terms)
  }

  func amended(by amendment: Amendment) -> OrderRequest {
    OrderRequest(
      clientIdentifier: clientIdentifier, symbol: symbol, side: side,
      kind: kind.moved(to: amendment.limit), quantity: amendment.quantity,
      trigger: amendment.trigger ?? trigger, exits: exits, link: link, terms: terms)
  }

  /// Whether a price is the limit or protection price, or better; true if the order has neither.
  public func accepts(_ price: Price) -> Bool {
    guard let bound = kind.bound else { return true }
    return side == .buy ? price <= bound : price >= bound
  }
}

// What a person asks for, before anything is checked: any number may stand in it.

public import MarketModel

/// How an order is priced.
public enum OrderType: Hashable, Sendable {
  /// IOC: takes what the best opposite level holds now; the remainder is cancelled.
  case market
  /// The same, but nothing at a price worse than this one.
  case protectedMarket(Price)
  /// Good till cancelled: takes this price or better now, and rests until it is filled.
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

  /// The protection price of a market order; nil for one without, and for a limit order.
  public var protection: Price? {
    if case .protectedMarket(let price) = self { price } else { nil }
  }

  /// The worst price that is taken; nil where every price is.
  public var bound: Price? { limit ?? protection }

  /// Whether it is a market order, protected or not.
  public var isMarket: Bool { limit == nil }

  /// Whether what is not filled at once rests; it is cancelled otherwise.
  public var mayRest: Bool {
    if case .limit = self { true } else { false }
  }

  /// How long it holds; that of a market order is immediate-or-cancel.
  public var timeInForce: TimeInForce {
    switch self {
    case .limit: .goodTillCancelled
    case .market, .protectedMarket, .immediateOrCancel: .immediateOrCancel
    case .fillOrKill: .fillOrKill
    }
  }
}

/// How long a limit order holds.
public enum TimeInForce: String, Hashable, Sendable, CaseIterable {
  /// GTC: until it is filled or cancelled.
  case goodTillCancelled = "gtc"
  /// IOC: what can be had now; the remainder is cancelled.
  case immediateOrCancel = "ioc"
  /// FOK: all of it now, or nothing.
  case fillOrKill = "fok"
}

/// An order as it was asked for.
public struct OrderRequest: Hashable, Sendable {
  /// The device's name for the order: one name, one order.
  public let clientIdentifier: ClientOrderIdentifier
  /// The instrument.
  public let symbol: Symbol
  /// Buy or sell.
  public let side: Side
  /// Market or limit, with its price in the rules' price units.
  public let kind: OrderType
  /// How much, in the rules' quantity units; not yet checked.
  public let quantity: Quantity

  /// Holds what was asked for, unchecked.
  public init(
    clientIdentifier: ClientOrderIdentifier, symbol: Symbol, side: Side, kind: OrderType,
    quantity: Quantity
  ) {
    self.clientIdentifier = clientIdentifier
    self.symbol = symbol
    self.side = side
    self.kind = kind
    self.quantity = quantity
  }

  /// The same order, for another quantity and at another limit.
  func amended(by amendment: Amendment) -> OrderRequest {
    OrderRequest(
      clientIdentifier: clientIdentifier, symbol: symbol, side: side,
      kind: .limit(amendment.limit), quantity: amendment.quantity)
  }

  /// Whether a price is the limit, or the protection price, or better; every price is where there
  /// is neither.
  public func accepts(_ price: Price) -> Bool {
    guard let bound = kind.bound else { return true }
    return side == .buy ? price <= bound : price >= bound
  }
}

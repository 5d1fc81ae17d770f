// What a person asks for, before anything is checked: any number may stand in it.

public import MarketModel

/// How an order is priced.
public enum OrderType: Hashable, Sendable {
  /// IOC: takes what the best opposite level holds now; the remainder is cancelled.
  case market
  /// Good till cancelled: takes this price or better now, and rests until it is filled.
  case limit(Price)

  /// The limit; nil for a market order.
  public var limit: Price? {
    switch self {
    case .market: nil
    case .limit(let price): price
    }
  }
}

/// An order as it was asked for.
public struct OrderRequest: Hashable, Sendable {
  /// The device's name for the order: one name, one order.
  public let clientIdentifier: ClientOrderIdentifier
  /// The instrument.
  public let symbol: Symbol
  /// Buy or sell.
  public let side: Side
  /// Market, or limit with its price in the rules' price units.
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

  /// Whether a price is the limit or better; for a market order every price is.
  public func accepts(_ price: Price) -> Bool {
    guard let limit = kind.limit else { return true }
    return side == .buy ? price <= limit : price >= limit
  }
}

public import MarketModel

/// An engine's bounds, within which nothing can overflow, so its inner loops need no checks.
public struct MatchingLimits: Hashable, Sendable {
  /// The highest ``maximumPrice``: 2^24 - 1 ticks.
  ///
  /// A stock with a tick of 0.01 may cost 167,772.15; one that needs more has too fine a tick.
  public static let highestPrice = Price(units: (1 << 24) - 1)
  /// The highest ``maximumQuantity``: exact in an `Int64`.
  ///
  /// Times the highest price it is below 2^54, and summed over the most orders below 2^53.
  public static let largestQuantity = Quantity(units: 1_000_000_000)
  /// The highest possible ``maximumRestingOrders``.
  public static let mostRestingOrders = 1 << 22

  /// The highest price accepted, in ticks; at least 1.
  public let maximumPrice: Price
  /// The largest quantity of one order, in lots; at least 1.
  public let maximumQuantity: Quantity
  /// The most resting orders; at least 1.
  public let maximumRestingOrders: Int

  /// Sets the bounds, clamped to 1 and the highest possible.
  public init(
    maximumPrice: Price = MatchingLimits.highestPrice,
    maximumQuantity: Quantity = MatchingLimits.largestQuantity,
    maximumRestingOrders: Int = MatchingLimits.mostRestingOrders
  ) {
    self.maximumPrice = max(Price(units: 1), min(maximumPrice, MatchingLimits.highestPrice))
    self.maximumQuantity = max(
      Quantity(units: 1), min(maximumQuantity, MatchingLimits.largestQuantity))
    self.maximumRestingOrders = max(1, min(maximumRestingOrders, MatchingLimits.mostRestingOrders))
  }

  @inline(__always)
  func rejection(of quantity: Quantity) -> Rejection? {
    if quantity.units <= 0 { return .quantityNotPositive }
    return quantity.units > maximumQuantity.units ? .quantityTooLarge : nil
  }

  @inline(__always)
  func rejection(of price: Price) -> Rejection? {
    if price.units <= 0 { return .priceNotPositive }
    return price.units > maximumPrice.units ? .priceTooLarge : nil
  }

  @inline(__always)
  func rejection(of order: NewOrder) -> Rejection? {
    if let reason = rejection(of: order.quantity) { return reason }
    switch order.kind {
    case .limit(let price), .immediateOrCancel(let price), .fillOrKill(let price):
      return rejection(of: price)
    case .market: return nil
    }
  }
}

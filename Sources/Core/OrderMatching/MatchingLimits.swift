// A limit on everything: with these no sum, product or table in an engine can overflow, so the
// engines need no checks in their inner loops and refuse at the door instead.

public import MarketModel

/// The bounds within which an engine takes commands.
public struct MatchingLimits: Hashable, Sendable {
  /// The highest price any engine can be asked to take: 2^24 - 1 ticks.
  ///
  /// A stock with a tick of 0.01 may cost 167,772.15; an instrument that needs more has too fine a
  /// tick.
  public static let highestPrice = Price(units: (1 << 24) - 1)
  /// The largest quantity any engine can be asked to take.
  ///
  /// Times the highest price it is below 2^54, and the sum over the most orders is below 2^53:
  /// exact in an `Int64`.
  public static let largestQuantity = Quantity(units: 1_000_000_000)
  /// The most orders any engine can be asked to hold.
  public static let mostRestingOrders = 1 << 22

  /// The highest price taken, in ticks; at least 1.
  public let maximumPrice: Price
  /// The largest quantity of one order, in lots; at least 1.
  public let maximumQuantity: Quantity
  /// The most orders that may rest at one time; at least 1.
  public let maximumRestingOrders: Int

  /// Sets the bounds; values outside 1 and the largest possible are moved to the nearer end.
  public init(
    maximumPrice: Price = MatchingLimits.highestPrice,
    maximumQuantity: Quantity = MatchingLimits.largestQuantity,
    maximumRestingOrders: Int = MatchingLimits.mostRestingOrders
  ) {
    self.maximumPrice = max(Price(units: 1), min(maximumPrice, MatchingLimits.highestPrice))
    self.maximumQuantity = max(
      Quantity(units: 1), min(maximumQuantity, MatchingLimits.largestQuantity))
    self.maximumRestingOrders = max(
      1, min(maximumRestingOrders, MatchingLimits.mostRestingOrders))
  }

  /// What is wrong with a quantity; nil when nothing is.
  @inline(__always)
  func rejection(of quantity: Quantity) -> Rejection? {
    if quantity.units <= 0 { return .quantityNotPositive }
    return quantity.units > maximumQuantity.units ? .quantityTooLarge : nil
  }

  /// What is wrong with a price; nil when nothing is.
  @inline(__always)
  func rejection(of price: Price) -> Rejection? {
    if price.units <= 0 { return .priceNotPositive }
    return price.units > maximumPrice.units ? .priceTooLarge : nil
  }

  /// What is wrong with a new order by itself; the quantity is looked at before the price.
  @inline(__always)
  func rejection(of order: NewOrder) -> Rejection? {
    if let reason = rejection(of: order.quantity) { return reason }
    switch order.kind {
    case .limit(let price), .immediateOrCancel(let price), .fillOrKill(let price):
      return rejection(of: price)
    case .market:
      return nil
    }
  }
}

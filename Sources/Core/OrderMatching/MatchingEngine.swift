public import MarketModel

/// All orders at one price.
public struct BookLevel: Hashable, Sendable {
  /// Their price, in ticks.
  public let price: Price
  /// The sum of open quantities, in lots.
  public let quantity: Quantity
  /// The number of orders; at least 1.
  public let orders: Int

  /// Creates a level.
  public init(price: Price, quantity: Quantity, orders: Int) {
    self.price = price
    self.quantity = quantity
    self.orders = orders
  }
}

/// An order that rests in the book.
public struct RestingOrder: Hashable, Sendable {
  /// Its ID.
  public let id: OrderID
  /// Its owner.
  public let trader: TraderID
  /// Its side.
  public let side: Side
  /// Its limit, in ticks.
  public let price: Price
  /// The open quantity, in lots; positive.
  public var quantity: Quantity

  /// Creates a resting order.
  public init(id: OrderID, trader: TraderID, side: Side, price: Price, quantity: Quantity) {
    self.id = id
    self.trader = trader
    self.side = side
    self.price = price
    self.quantity = quantity
  }
}

/// A price-time-priority matching engine for one instrument: a value, without clock or randomness.
///
/// The fast engine and the tests' oracle must agree fill for fill. The rules:
/// 1. The best price trades first, and at one price the oldest order.
/// 2. A trade is at the resting order's price. One fill is one (taker, maker) pair.
/// 3. A partly filled resting order keeps its queue position. A modified one always loses it, even
///   when only its quantity decreases.
/// 4. Self-match, "cancel newest": when the next offer is from the taker's own trader, the rest of
///   the taker is cancelled and the resting order stays. Earlier fills are kept. A fill-or-kill
///   order that would meet an own order before it is complete is cancelled. ``TraderID/anonymous``
///   never counts as the same trader.
/// 5. A rejected command changes nothing. Every command with any content gets a result; none traps.
/// 6. The book is never crossed or locked: the best bid is below the best ask.
/// 7. Only resting orders' IDs are checked: an ID may be reused once its order is gone, and the
///   sender of a cancel or modify is not checked. The gateway checks both.
public protocol MatchingEngine: Sendable {
  init(limits: MatchingLimits)
  var limits: MatchingLimits { get }

  /// Enters an order; appends its fills in order, without allocating while `fills` has capacity.
  mutating func enter(_ order: NewOrder, fills: inout [Fill]) -> ExecutionReport
  mutating func cancel(_ id: OrderID) -> ExecutionReport
  /// Cancels a resting order and enters it again with a new price and open quantity.
  mutating func modify(
    _ id: OrderID, price: Price, quantity: Quantity, fills: inout [Fill]
  ) -> ExecutionReport

  var restingOrders: Int { get }
  /// The best level of a side; nil when empty.
  func best(_ side: Side) -> BookLevel?
  /// At most `limit` levels of a side, best first; O(levels returned).
  func levels(_ side: Side, limit: Int) -> [BookLevel]
  /// The level at a price, or the next one behind it; nil at the side's end.
  func level(_ side: Side, atOrBehind price: Price) -> BookLevel?
  /// The order that trades first at a price; nil when this side has no order there.
  func firstOrder(_ side: Side, at price: Price) -> RestingOrder?
  /// All orders of a side in priority order; O(orders).
  func orders(_ side: Side) -> [RestingOrder]
}

extension MatchingEngine {
  /// Creates an empty book with the widest bounds.
  public init() { self.init(limits: MatchingLimits()) }

  /// The open quantity of a side at a price; zero without orders.
  @inlinable
  public func quantity(_ side: Side, at price: Price) -> Quantity {
    guard let level = level(side, atOrBehind: price), level.price == price else { return .zero }
    return level.quantity
  }

  /// Executes a command.
  @inlinable
  public mutating func submit(_ command: OrderCommand, fills: inout [Fill]) -> ExecutionReport {
    switch command {
    case .enter(let order): enter(order, fills: &fills)
    case .cancel(let id): cancel(id)
    case .modify(let id, let price, let quantity):
      modify(id, price: price, quantity: quantity, fills: &fills)
    }
  }
}

extension Side {
  var opposite: Side { self == .buy ? .sell : .buy }
}

// The interface of the fast engine and of its plain oracle in the tests: both must agree fill for
// fill.

public import MarketModel

/// All orders at one price.
public struct BookLevel: Hashable, Sendable {
  /// Their price, in ticks.
  public let price: Price
  /// The sum of what is open, in lots.
  public let quantity: Quantity
  /// How many they are; at least 1.
  public let orders: Int

  /// Puts a level together.
  public init(price: Price, quantity: Quantity, orders: Int) {
    self.price = price
    self.quantity = quantity
    self.orders = orders
  }
}

/// One order that waits in the book.
public struct RestingOrder: Hashable, Sendable {
  /// Its number.
  public let id: OrderID
  /// Its owner.
  public let trader: TraderID
  /// Its side.
  public let side: Side
  /// Its limit, in ticks.
  public let price: Price
  /// What is still open, in lots; positive.
  public var quantity: Quantity

  /// Puts a resting order together.
  public init(id: OrderID, trader: TraderID, side: Side, price: Price, quantity: Quantity) {
    self.id = id
    self.trader = trader
    self.side = side
    self.price = price
    self.quantity = quantity
  }
}

/// A price-time-priority matching engine for one instrument: a value, without clock or chance.
///
/// The rules:
/// 1. The best price trades first, at one price the order that has waited longest.
/// 2. A trade is at the resting order's price. One fill is one (taker, maker) pair.
/// 3. A partly filled resting order keeps its place. A modified one always loses it, even when only
///    its quantity went down.
/// 4. Self-match, "cancel newest": when the next offer is the taker's own trader's, what is left of
///    the taker is cancelled and the resting order stays. What was filled before stands. A
///    fill-or-kill order that would meet an own order before it is whole is killed.
///    ``TraderID/anonymous`` never counts as the same trader.
/// 5. A refused command changes nothing. Every command with any content is answered; none traps.
/// 6. The book is never crossed nor locked: the best bid is below the best ask.
/// 7. Only resting orders have numbers to the engine: a number may come again once its order has
///    gone, and a cancel or modify is not asked who sent it. The gateway in front checks both.
public protocol MatchingEngine: Sendable {
  /// An empty book.
  init(limits: MatchingLimits)
  /// The bounds in force.
  var limits: MatchingLimits { get }

  /// Enters an order.
  /// - Parameters:
  ///   - order: The order; checked here.
  ///   - fills: Receives the order's fills at its end, in the order they happened. Nothing is
  ///     allocated while it has room.
  /// - Returns: What became of the order.
  mutating func enter(_ order: NewOrder, fills: inout [Fill]) -> ExecutionReport
  /// Takes a resting order out of the book.
  mutating func cancel(_ id: OrderID) -> ExecutionReport
  /// Takes a resting order out and enters it again with a new price and open quantity; `fills` as
  /// for ``enter(_:fills:)``.
  mutating func modify(
    _ id: OrderID, price: Price, quantity: Quantity, fills: inout [Fill]
  ) -> ExecutionReport

  /// How many orders rest.
  var restingOrders: Int { get }
  /// The best level of a side; nil when it is empty.
  func best(_ side: Side) -> BookLevel?
  /// At most `limit` levels of a side, best first; linear in the levels returned.
  func levels(_ side: Side, limit: Int) -> [BookLevel]
  /// The level at a price or, where nobody waits, the next one behind it; nil at the side's end.
  func level(_ side: Side, atOrBehind price: Price) -> BookLevel?
  /// The order that trades first at a price; nil when none of this side waits there.
  func firstOrder(_ side: Side, at price: Price) -> RestingOrder?
  /// Every order of a side in priority order; linear in the orders.
  func orders(_ side: Side) -> [RestingOrder]
}

extension MatchingEngine {
  /// An empty book within the widest bounds.
  public init() { self.init(limits: MatchingLimits()) }

  /// What waits on a side at a price; nothing for a price without orders.
  @inlinable
  public func quantity(_ side: Side, at price: Price) -> Quantity {
    guard let level = level(side, atOrBehind: price), level.price == price else { return .zero }
    return level.quantity
  }

  /// Does what a command says; see ``enter(_:fills:)``, ``cancel(_:)`` and
  /// ``modify(_:price:quantity:fills:)``.
  @inlinable
  public mutating func submit(
    _ command: OrderCommand, fills: inout [Fill]
  ) -> ExecutionReport {
    switch command {
    case .enter(let order): enter(order, fills: &fills)
    case .cancel(let id): cancel(id)
    case .modify(let id, let price, let quantity):
      modify(id, price: price, quantity: quantity, fills: &fills)
    }
  }
}

extension Side {
  /// The other side.
  var opposite: Side { self == .buy ? .sell : .buy }
}

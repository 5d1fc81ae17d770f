public import MarketModel

/// An order's ID, assigned by the caller; it must not equal that of a resting order.
public struct OrderID: Hashable, Sendable, Comparable {
  /// The number; any value.
  public let number: UInt64

  /// Wraps a number.
  @inlinable
  public init(_ number: UInt64) { self.number = number }

  /// Lower numbers first.
  @inlinable
  public static func < (left: OrderID, right: OrderID) -> Bool { left.number < right.number }
}

/// The owner of an order, compared by the self-match rule.
public struct TraderID: Hashable, Sendable {
  /// No specific trader: such orders may trade with each other.
  public static let anonymous = TraderID(0)

  /// The number; 0 is ``anonymous``.
  public let number: UInt32

  /// Wraps a number.
  @inlinable
  public init(_ number: UInt32) { self.number = number }
}

/// How an order trades and what happens to the rest; prices are in ticks.
public enum OrderKind: Hashable, Sendable {
  /// Trades at this price or better; the rest enters the book.
  case limit(Price)
  /// Trades at any price; the rest is cancelled.
  case market
  /// Trades at this price or better; the rest is cancelled.
  case immediateOrCancel(Price)
  /// Trades its whole quantity at this price or better, or nothing.
  case fillOrKill(Price)
}

/// An order entering the exchange.
public struct NewOrder: Hashable, Sendable {
  /// Its ID.
  public let id: OrderID
  /// Its owner.
  public let trader: TraderID
  /// Its side.
  public let side: Side
  /// Its kind.
  public let kind: OrderKind
  /// The quantity, in lots.
  public let quantity: Quantity

  /// Creates an order; only an engine validates it.
  @inlinable
  public init(
    id: OrderID, trader: TraderID = .anonymous, side: Side, kind: OrderKind, quantity: Quantity
  ) {
    self.id = id
    self.trader = trader
    self.side = side
    self.kind = kind
    self.quantity = quantity
  }
}

/// One command to a matching engine.
public enum OrderCommand: Hashable, Sendable {
  case enter(NewOrder)
  case cancel(OrderID)
  /// Re-enters a resting order as a limit order with the same ID: it loses priority and may trade.
  case modify(OrderID, price: Price, quantity: Quantity)
}

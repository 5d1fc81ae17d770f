// What a trader can ask of an exchange. Plain integers only, so that a flow of commands can be
// stored, replayed and compared byte for byte.

public import MarketModel

/// An order's number.
///
/// The caller gives it; it must not be that of an order that still rests.
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

/// Who owns an order: what the self-match rule compares.
public struct TraderID: Hashable, Sendable {
  /// Nobody in particular: such orders may trade with each other.
  public static let anonymous = TraderID(0)

  /// The number; 0 is ``anonymous``.
  public let number: UInt32

  /// Wraps a number.
  @inlinable
  public init(_ number: UInt32) { self.number = number }
}

/// How an order trades and what becomes of its rest.
///
/// Prices are in ticks.
public enum OrderKind: Hashable, Sendable {
  /// Trades at this price or better; the rest waits in the book until it is cancelled.
  case limit(Price)
  /// Trades at any price; the rest is cancelled.
  case market
  /// Trades at this price or better; the rest is cancelled.
  case immediateOrCancel(Price)
  /// Trades its whole quantity at this price or better, or nothing at all.
  case fillOrKill(Price)
}

/// An order as it enters the exchange.
public struct NewOrder: Hashable, Sendable {
  /// Its number.
  public let id: OrderID
  /// Its owner.
  public let trader: TraderID
  /// Whether it buys or sells.
  public let side: Side
  /// How it trades.
  public let kind: OrderKind
  /// How much, in lots.
  public let quantity: Quantity

  /// Puts an order together; nothing is checked before it enters an engine.
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
  /// Enter a new order.
  case enter(NewOrder)
  /// Take a resting order out of the book.
  case cancel(OrderID)
  /// Take a resting order out and enter it again under the same number, owner and side as a limit
  /// order: it always loses its place in the queue, and may trade.
  case modify(OrderID, price: Price, quantity: Quantity)
}

// What an observer of a market sees happen: trades, and the levels that changed with them.

public import MarketModel

/// One trade of a simulated market: a taker and one resting order.
public struct MarketTrade: Hashable, Sendable {
  /// The price, in ticks.
  public let price: Price
  /// How much traded, in lots.
  public let quantity: Quantity
  /// The taker's side.
  public let side: Side

  /// Describes a trade.
  public init(price: Price, quantity: Quantity, side: Side) {
    (self.price, self.quantity, self.side) = (price, quantity, side)
  }
}

/// What became of one level.
public struct LevelChange: Hashable, Sendable {
  /// The level's side.
  public let side: Side
  /// Its price, in ticks.
  public let price: Price
  /// What waited there before; nothing for a new level.
  public let before: Quantity
  /// What waits there now; nothing for a level that is gone.
  public internal(set) var after: Quantity

  /// Describes a change; `before` and `after` differ.
  public init(side: Side, price: Price, before: Quantity, after: Quantity) {
    (self.side, self.price, self.before, self.after) = (side, price, before, after)
  }
}

/// What happened at once: either one command that traded, or commands that only changed the book.
///
/// The trades of a sweep and the levels that it ate stand in one event.
public struct AgentEvent: Hashable, Sendable {
  /// Microseconds since the market's first moment; negative before it.
  public let microseconds: Int64
  /// Trades of one taker, in the order they happened; none when nobody traded.
  public let trades: [MarketTrade]
  /// Every level that is not as it was, once.
  public let changes: [LevelChange]

  /// Puts an event together.
  public init(microseconds: Int64, trades: [MarketTrade], changes: [LevelChange]) {
    (self.microseconds, self.trades, self.changes) = (microseconds, trades, changes)
  }
}

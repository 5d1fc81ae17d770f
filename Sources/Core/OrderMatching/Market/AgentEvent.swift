public import MarketModel

/// One trade of a simulated market: a taker and one resting order.
public struct MarketTrade: Hashable, Sendable {
  /// The price, in ticks.
  public let price: Price
  /// The quantity, in lots.
  public let quantity: Quantity
  /// The taker's side.
  public let side: Side

  /// Creates a trade.
  public init(price: Price, quantity: Quantity, side: Side) {
    (self.price, self.quantity, self.side) = (price, quantity, side)
  }
}

/// The change of one level.
public struct LevelChange: Hashable, Sendable {
  /// The level's side.
  public let side: Side
  /// Its price, in ticks.
  public let price: Price
  /// The quantity before; zero for a new level.
  public let before: Quantity
  /// The quantity now; zero for a removed level.
  public internal(set) var after: Quantity

  /// Creates a change; `before` and `after` must differ.
  public init(side: Side, price: Price, before: Quantity, after: Quantity) {
    (self.side, self.price, self.before, self.after) = (side, price, before, after)
  }
}

/// One command that traded, with the levels it consumed, or commands that only changed the book.
public struct AgentEvent: Hashable, Sendable {
  /// Microseconds since the market's first moment; may be negative.
  public let microseconds: Int64
  /// One taker's trades, in order; empty without trades.
  public let trades: [MarketTrade]
  /// Every changed level, once.
  public let changes: [LevelChange]

  /// Creates an event.
  public init(microseconds: Int64, trades: [MarketTrade], changes: [LevelChange]) {
    (self.microseconds, self.trades, self.changes) = (microseconds, trades, changes)
  }
}

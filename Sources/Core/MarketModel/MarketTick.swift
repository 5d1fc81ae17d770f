/// A snapshot of one instrument's market, which simulated orders are matched against.
public struct MarketTick: Hashable, Sendable {
  /// The venue's time; its unit is not documented (seconds are usual).
  public let time: UInt64
  /// Last traded price; more than 0.
  public let last: FixedDecimal
  /// Best bid; more than 0 and below ``ask``.
  public let bid: FixedDecimal
  /// Shares bid for at ``bid``, 0 to 2^32 - 1.
  public let bidQuantity: Quantity
  /// Best ask; above ``bid``.
  public let ask: FixedDecimal
  /// Shares offered at ``ask``, 0 to 2^32 - 1.
  public let askQuantity: Quantity

  /// Creates a tick from values that the caller has validated.
  public init(
    time: UInt64, last: FixedDecimal, bid: FixedDecimal, bidQuantity: Quantity, ask: FixedDecimal,
    askQuantity: Quantity
  ) {
    self.time = time
    self.last = last
    self.bid = bid
    self.bidQuantity = bidQuantity
    self.ask = ask
    self.askQuantity = askQuantity
  }
}

/// An update of the listed stock's feed, for order matching.
public enum ExchangeUpdate: Hashable, Sendable {
  /// A tick, its count in the feed and when it becomes late; nil where silence means nothing.
  case tick(MarketTick, number: UInt64, lateAt: MonotonicTime?)
  /// A message that may have been a tick was unreadable; the previous tick may be outdated.
  case unreadable
  /// The feed's freshness from now on and when it becomes late without another update.
  case freshness(FreshnessState, lateAt: MonotonicTime?)
}

/// An event of a stream, delivered individually, since each tick may fill orders.
public enum MarketEvent: Hashable, Sendable {
  /// A new trade and the scales of its units.
  case trade(Trade, priceScale: Scale, quantityScale: Scale)
  /// A snapshot; `number` counts the valid ones of a session, without repeats.
  case tick(MarketTick, number: UInt64)
  /// Events before the next one were dropped because too many arrived.
  case missed
  /// A message that may have been an event was unreadable.
  case unreadable
}

// One tick of a venue that sends whole snapshots, and what a stream brings one by one: neither may
// be conflated, since orders are matched against each tick and candles count each trade.

/// A snapshot of one instrument's market: what the app's own orders are matched against.
public struct MarketTick: Hashable, Sendable {
  /// The venue's time; its unit is not documented (seconds are usual).
  public let time: UInt64
  /// Last traded price; more than 0.
  public let last: FixedDecimal
  /// Best price that buyers offer; more than 0 and below ``ask``.
  public let bid: FixedDecimal
  /// Shares wanted at ``bid``, 0 to 2^32 - 1.
  public let bidQuantity: Quantity
  /// Best price that sellers ask; above ``bid``.
  public let ask: FixedDecimal
  /// Shares offered at ``ask``, 0 to 2^32 - 1.
  public let askQuantity: Quantity

  /// Puts a tick together that the caller has checked.
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

/// What the listed stock's feed says to those who match orders against it.
public enum ExchangeUpdate: Hashable, Sendable {
  /// A tick, with the number that counts the feed's ticks, and when it is late unless another
  /// comes; nil where silence says nothing.
  case tick(MarketTick, number: UInt64, lateAt: MonotonicTime?)
  /// A message that may have been a tick could not be read: the tick before it may no longer hold.
  case unreadable
  /// What the feed is worth from now on, and until when, unless another update comes.
  case freshness(FreshnessState, lateAt: MonotonicTime?)
}

/// What a stream brought: each one is told, none is conflated.
public enum MarketEvent: Hashable, Sendable {
  /// A trade that was not known before, with what its units are.
  case trade(Trade, priceScale: Scale, quantityScale: Scale)
  /// A snapshot; `number` counts the good ones of a session, so a repeated tick is none.
  case tick(MarketTick, number: UInt64)
  /// Events between the one before and the next are missing: more came than could be handed on.
  case missed
  /// A message that may have been the next event could not be read.
  case unreadable
}

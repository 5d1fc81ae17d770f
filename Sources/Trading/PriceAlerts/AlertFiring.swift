// What is told of an alert: which trade fired it, and since when nothing had been seen before.

public import MarketModel

/// What a venue said of one trade, as far as alerts need it.
public struct AlertTrade: Hashable, Sendable {
  /// What was paid; exact.
  public let price: FixedDecimal
  /// The venue's time, or that of the arrival for a tick, whose time has no known unit.
  public let time: Timestamp
  /// The venue's number of it; 0 where it has none.
  public let identifier: Int64
  /// Counts up while a connection's session lasts: the order of trades without numbers.
  public let arrival: UInt64
  /// Whether it is a snapshot of a market that repeats nothing of its past.
  public let isTick: Bool

  /// A trade of a venue with a tape.
  public init(_ trade: Trade, scale: Scale) {
    price = FixedDecimal(trade.price, scale: scale).trimmed
    (time, identifier, arrival) = (trade.time, trade.identifier, trade.arrival)
    isTick = false
  }

  /// The last price of a tick that came at `now`; `number` counts the session's ticks.
  public init(_ tick: MarketTick, number: UInt64, at now: Timestamp) {
    self.init(last: tick.last, at: now, number: number)
  }

  /// The last price of a quote as it stood at `now`.
  public init(last: FixedDecimal, at now: Timestamp, number: UInt64 = 0) {
    price = last.trimmed
    (time, identifier, arrival) = (now, 0, number)
    isTick = true
  }
}

/// One time that an alert fired.
public struct AlertFiring: Hashable, Sendable, Identifiable {
  /// Counts up from 1 over all alerts; by it a page knows what it has told.
  public let number: Int
  /// The alert, which may be gone since.
  public let alert: Int
  /// The instrument.
  public let instrument: InstrumentKey
  /// The level that was crossed.
  public let level: FixedDecimal
  /// Where the trade before was: below means that the price came from there.
  public let from: LevelSide
  /// What the trade paid.
  public let price: FixedDecimal
  /// The trade's time, by the venue, or of its arrival for a tick.
  public let time: Timestamp
  /// The venue's number of the trade; 0 where it has none.
  public let identifier: Int64
  /// When it fired, by the server's clock.
  public let at: Timestamp
  /// Since when nothing had been seen before that trade, so that the level may have been crossed
  /// earlier; nil when every trade was seen.
  public let blindSince: Timestamp?

  /// The firing's number.
  public var id: Int { number }
}

/// A time in which the trades of an instrument with alerts were not seen.
public struct BlindSpan: Hashable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// From when on nothing was seen, by the server's clock.
  public let since: Timestamp
  /// When trades could be seen again, not before ``since``; nil while they can't.
  public let until: Timestamp?
}

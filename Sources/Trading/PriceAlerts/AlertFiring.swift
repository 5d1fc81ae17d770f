public import MarketModel

/// The parts of a trade that alerts need.
public struct AlertTrade: Hashable, Sendable {
  /// The exact price.
  public let price: FixedDecimal
  /// The traded size; nil for a tick.
  public let size: FixedDecimal?
  /// The venue's time; for a tick, whose time has no known unit, the arrival time.
  public let time: Timestamp
  /// The venue's trade number; 0 if it has none.
  public let identifier: Int64
  /// Counts up within a connection's session; orders trades without numbers.
  public let arrival: UInt64
  /// Whether this is a tick of a market that never repeats past trades.
  public let isTick: Bool

  /// Converts a trade of a venue with a tape.
  public init(_ trade: Trade, scale: Scale, sizes: Scale) {
    price = FixedDecimal(trade.price, scale: scale).trimmed
    size = FixedDecimal(trade.size, scale: sizes).trimmed
    (time, identifier, arrival) = (trade.time, trade.identifier, trade.arrival)
    isTick = false
  }

  /// Converts the last price of a tick received at `now`; `number` counts the session's ticks.
  public init(_ tick: MarketTick, number: UInt64, at now: Timestamp) {
    self.init(last: tick.last, at: now, number: number)
  }

  /// Converts the last price of a quote at `now`.
  public init(last: FixedDecimal, at now: Timestamp, number: UInt64 = 0) {
    (price, size) = (last.trimmed, nil)
    (time, identifier, arrival) = (now, 0, number)
    isTick = true
  }
}

/// One firing of an alert: the value that fired it, and whether data was missed before.
public struct AlertFiring: Hashable, Sendable, Identifiable {
  /// Counts up from 1 over all alerts, so a page can detect firings it has already shown.
  public let number: Int
  /// The alert's number; the alert may have been deleted since.
  public let alert: Int
  /// The instrument.
  public let instrument: InstrumentKey
  /// What the alert waited for.
  public let condition: AlertCondition
  /// For a price, the side of the previous trade; else nil.
  public let from: LevelSide?
  /// The value that fulfilled the condition: the trade's price, percent, basis points, the volume,
  /// or seconds.
  public let value: FixedDecimal
  /// The trade's venue time; for a tick its arrival time, and without a trade ``at``.
  public let time: Timestamp
  /// The venue's trade number; 0 if it has none.
  public let identifier: Int64
  /// When it fired, by the server's clock.
  public let at: Timestamp
  /// Since when trades or books were missed before it or in its window; nil if none were.
  ///
  /// The condition may have held earlier.
  public let blindSince: Timestamp?

  /// The firing's number.
  public var id: Int { number }
}

/// A period in which trades of an instrument with alerts were not received.
public struct BlindSpan: Hashable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// The beginning, by the server's clock.
  public let since: Timestamp
  /// The end, not before ``since``; nil if ongoing.
  public let until: Timestamp?
}

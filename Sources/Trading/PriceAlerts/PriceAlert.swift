public import MarketModel

/// The side of an alert's level on which a price lies.
public enum LevelSide: String, Hashable, Sendable {
  case below
  case at
  case above

  /// The side of `level` on which `price` lies.
  public init(of price: FixedDecimal, from level: FixedDecimal) {
    self = price < level ? .below : price == level ? .at : .above
  }
}

/// LT11: an alert of one instrument.
public struct PriceAlert: Hashable, Sendable, Identifiable {
  /// Counts up from 1; never reused.
  public let id: Int
  /// The instrument that is observed.
  public let instrument: InstrumentKey
  /// What triggers it.
  public internal(set) var condition: AlertCondition
  /// Whether it stays active after firing.
  public internal(set) var repeats: Bool
  /// For how many seconds after firing a repeating alert does not fire again; 0 for none.
  public internal(set) var cooldownSeconds: Int64
  /// When it was created, by the server's clock.
  public let createdAt: Timestamp
  /// The side of a price on which the latest trade was; nil before the first trade, after firing
  /// once and for other conditions.
  public internal(set) var side: LevelSide?
  /// Whether it fires as soon as its condition holds.
  ///
  /// false after firing once, and for a repeating alert until the condition no longer holds: for a
  /// price, until a trade is not at it.
  public internal(set) var isArmed: Bool
  /// When it last fired; nil before it did.
  public internal(set) var firedAt: Timestamp?

  /// The trades that its condition looks back over; from memory only.
  var window: TradeWindow?

  /// Whether it needs trades.
  public var isFollowed: Bool { isArmed || repeats }

  /// What fires an alert: the value measured, and for a price the side before.
  struct Hit {
    let value: FixedDecimal
    var from: LevelSide?
    /// Since when data was missed before it; nil if none was.
    let blindSince: Timestamp?
  }

  /// Applies the next trade, after one at the price `last`; returns what fires the alert.
  mutating func receive(
    _ trade: AlertTrade, after last: FixedDecimal?, unseenSince: Timestamp?, at now: Timestamp
  ) -> Hit? {
    switch condition {
    case .price(let level):
      return receive(trade.price, from: level, at: now).map {
        Hit(value: trade.price, from: $0, blindSince: unseenSince)
      }
    case .spread, .invalidBook: return nil
    case .change(let percent, let seconds):
      expect(trade, after: last, seconds, unseenSince, at: now)
      return measure(
        window?.change(to: trade.price, isRise: percent.units > 0),
        blindSince: window?.blindSince, at: now)
    case .volume(_, let seconds):
      // The condition may have ended since the trade before.
      settle(at: now)
      expect(trade, after: last, seconds, unseenSince, at: now)
      return measure(window?.volume, blindSince: window?.blindSince, at: now)
    }
  }

  /// Applies a trade's price; returns the previous side if the alert fires.
  ///
  /// A crossing is a trade at the level or beyond it, relative to the previous trade. A trade that
  /// leaves the level does not fire: reaching it already did, or trading began there. Nor does one
  /// within the cooldown.
  private mutating func receive(
    _ price: FixedDecimal, from level: FixedDecimal, at now: Timestamp
  ) -> LevelSide? {
    let side = LevelSide(of: price, from: level)
    defer { self.side = isFollowed ? side : nil }
    if repeats, side != .at, self.side == .at { isArmed = true }
    guard let before = self.side, before != side, before != .at, isArmed else { return nil }
    isArmed = repeats && side != .at
    return isCooling(at: now) ? nil : before
  }

  /// Adds a trade to the window, at the venue's time but not after now.
  private mutating func expect(
    _ trade: AlertTrade, after last: FixedDecimal?, _ seconds: Int64, _ unseenSince: Timestamp?,
    at now: Timestamp
  ) {
    var window = window ?? TradeWindow(seconds: seconds, before: last)
    if let unseenSince { window.lose(since: unseenSince, until: now) }
    window.add(trade, at: trade.isTick ? now : min(trade.time, now))
    window.end(at: now)
    self.window = window
  }

  /// Rearms an alert whose volume has fallen below its level without a trade.
  mutating func settle(at now: Timestamp) {
    guard window != nil else { return }
    window?.end(at: now)
    if repeats, case .volume = condition, let volume = window?.volume,
      !condition.isMet(by: volume)
    {
      isArmed = true
    }
  }

  /// Applies a value that was measured; nil for none, which changes nothing.
  mutating func measure(
    _ value: FixedDecimal?, blindSince: Timestamp? = nil, at now: Timestamp
  ) -> Hit? {
    guard let value else { return nil }
    guard condition.isMet(by: value) else {
      if repeats { isArmed = true }
      return nil
    }
    guard isArmed else { return nil }
    isArmed = false
    return isCooling(at: now) ? nil : Hit(value: value.trimmed, blindSince: blindSince)
  }

  /// A clock that was set back ends the cooldown.
  private func isCooling(at now: Timestamp) -> Bool {
    guard cooldownSeconds > 0, let firedAt else { return false }
    let (elapsed, overflows) = now.nanoseconds.subtractingReportingOverflow(firedAt.nanoseconds)
    return !overflows && (0..<cooldownSeconds * 1_000_000_000).contains(elapsed)
  }
}

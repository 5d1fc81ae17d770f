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

/// LT11: an alert at a price level of one instrument.
public struct PriceAlert: Hashable, Sendable, Identifiable {
  /// Counts up from 1; never reused.
  public let id: Int
  /// The instrument whose trades count.
  public let instrument: InstrumentKey
  /// The price that triggers it.
  public internal(set) var level: FixedDecimal
  /// Whether it stays active after firing.
  public internal(set) var repeats: Bool
  /// For how many seconds after firing a repeating alert does not fire again; 0 for none.
  public internal(set) var cooldownSeconds: Int64
  /// When it was created, by the server's clock.
  public let createdAt: Timestamp
  /// The side of the latest trade; nil before the first trade and after firing once.
  public internal(set) var side: LevelSide?
  /// Whether the next crossing fires.
  ///
  /// false after firing once, and for a repeating alert while trades stay at the level that just
  /// fired it.
  public internal(set) var isArmed: Bool
  /// When it last fired; nil before it did.
  public internal(set) var firedAt: Timestamp?

  /// Whether it needs trades.
  public var isFollowed: Bool { isArmed || repeats }

  /// Applies the price of the next trade; returns the previous side if the alert fires.
  ///
  /// A crossing is a trade at the level or beyond it, relative to the previous trade. A trade that
  /// leaves the level does not fire: reaching it already did, or trading began there. Nor does one
  /// within the cooldown.
  mutating func receive(_ price: FixedDecimal, at now: Timestamp) -> LevelSide? {
    let side = LevelSide(of: price, from: level)
    defer { self.side = isFollowed ? side : nil }
    if repeats, side != .at, self.side == .at { isArmed = true }
    guard let before = self.side, before != side, before != .at, isArmed else { return nil }
    isArmed = repeats && side != .at
    return isCooling(at: now) ? nil : before
  }

  /// A clock that was set back ends the cooldown.
  private func isCooling(at now: Timestamp) -> Bool {
    guard cooldownSeconds > 0, let firedAt else { return false }
    let (elapsed, overflows) = now.nanoseconds.subtractingReportingOverflow(firedAt.nanoseconds)
    return !overflows && (0..<cooldownSeconds * 1_000_000_000).contains(elapsed)
  }
}

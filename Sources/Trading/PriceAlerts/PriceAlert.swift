// LT11: what a person wants to hear of: a price of an instrument that trades come to or beyond.

public import MarketModel

/// Where a price lies, seen from an alert's level.
public enum LevelSide: String, Hashable, Sendable {
  /// The price is less than the level.
  case below
  /// The price is the level.
  case at
  /// The price is more than the level.
  case above

  /// Where `price` lies, seen from `level`.
  public init(of price: FixedDecimal, from level: FixedDecimal) {
    self = price < level ? .below : price == level ? .at : .above
  }
}

/// A level of one instrument that somebody waits for.
public struct PriceAlert: Hashable, Sendable, Identifiable {
  /// Counts up from 1; never another alert's, also not later.
  public let id: Int
  /// The instrument whose trades count.
  public let instrument: InstrumentKey
  /// The price to wait for.
  public let level: FixedDecimal
  /// Whether it goes on after it has fired.
  public let repeats: Bool
  /// When it was made, by the server's clock.
  public let createdAt: Timestamp
  /// Where the latest trade was; nil before the first one that was seen, and for one that has fired
  /// once.
  public internal(set) var side: LevelSide?
  /// Whether the next crossing fires it: false for one that has fired once, and for one that
  /// repeats while trades stay at the level that has just fired it.
  public internal(set) var isArmed: Bool
  /// When it fired last; nil before it did.
  public internal(set) var firedAt: Timestamp?

  /// Whether trades mean anything to it.
  public var isFollowed: Bool { isArmed || repeats }

  /// Takes the price of the next trade; says whether it fires, and where the trade before was.
  ///
  /// A crossing is a trade at the level or beyond it, seen from the side of the trade before. A
  /// trade that leaves the level has been told already, or began there.
  mutating func receive(_ price: FixedDecimal) -> LevelSide? {
    let side = LevelSide(of: price, from: level)
    defer { self.side = isFollowed ? side : nil }
    if repeats, side != .at, self.side == .at { isArmed = true }
    guard let before = self.side, before != side, before != .at, isArmed else { return nil }
    isArmed = repeats && side != .at
    return before
  }
}

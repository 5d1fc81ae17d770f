// Last price of one instrument, and its best bid and ask where the venue sends them by themselves.

import MarketModel

/// The best bid and ask that a venue named; a side is nil when the book has none.
struct BestLevels: Equatable {
  /// In units of the instrument's price scale.
  var bidPrice: Int64?
  /// In units of its quantity scale.
  var bidSize: Int64?
  var askPrice: Int64?
  var askSize: Int64?
}

/// The quote of one instrument.
///
/// The last price is the newest trade's; one that the venue states, which may lag behind the
/// trades, counts only until there is a trade.
struct BookQuote {
  /// The rhythm to expect of quotes before one is known.
  static let expectedGapMilliseconds: Int64 = 1000

  /// The whole top of the book as the latest row said.
  var top = BestLevels()
  /// In units of the instrument's price scale; nil before the first.
  private(set) var price: Int64?
  private(set) var direction = Direction.unchanged
  private(set) var changes: UInt64 = 0
  /// When a message last confirmed the quote.
  private(set) var confirmedAt: ClockReading?
  /// Whether rows of quotes are dropped until a snapshot comes.
  private(set) var awaitsSnapshot = false
  /// When the snapshot was asked for; nil when none is on its way.
  private(set) var askedAt: MonotonicTime?
  private var hasTrade = false
  private var cadence = CadenceTracker(expectedGapMilliseconds: Self.expectedGapMilliseconds)

  /// A message of the quote's streams has come.
  mutating func confirm(at now: ClockReading) { confirmedAt = now }

  /// A message has come that belongs to the quote's rhythm.
  mutating func beat(at now: ClockReading) { cadence.record(now) }

  /// Takes the newest trade's price.
  mutating func takeTrade(price: Int64) {
    hasTrade = true
    set(price)
  }

  /// Takes the last price that the venue states; says whether it counts.
  mutating func takeLastPrice(_ price: Int64) -> Bool {
    if hasTrade { return false }
    set(price)
    return true
  }

  private mutating func set(_ new: Int64) {
    if let price, price != new {
      direction = new > price ? .up : .down
      changes &+= 1
    }
    price = new
  }

  mutating func endWaiting() {
    awaitsSnapshot = false
    askedAt = nil
  }

  /// Drops rows until a snapshot comes, asked for at `now`; nil when it is not asked for yet.
  mutating func awaitSnapshot(at now: MonotonicTime?) {
    awaitsSnapshot = true
    askedAt = now
    hasTrade = false
    cadence.restart()
  }

  /// Forgets everything but the count of changes.
  mutating func forget() {
    let counted = changes
    self = BookQuote()
    changes = counted
    awaitsSnapshot = true
  }

  /// What the quote is worth by its own rhythm, on a connection that is up.
  func freshness(at now: ClockReading, origin: DataOrigin) -> Freshness {
    let state: FreshnessState =
      awaitsSnapshot ? (confirmedAt == nil ? .waiting : .resyncing) : cadence.state(at: now)
    return Freshness(
      state: state, origin: origin, confirmedAt: confirmedAt,
      lateAfterMilliseconds: cadence.lateAfterMilliseconds)
  }
}

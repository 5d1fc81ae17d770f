// Best bid, best ask and last price of one instrument.

import MarketModel

/// The quote of one instrument.
///
/// The last price is the newest trade's; `instrument.lastPrice`, which may lag behind the trades,
/// counts only until there is a trade.
struct BitMEXQuote {
  /// The rhythm to expect of quotes before one is known.
  static let expectedGapMilliseconds: Int64 = 1000

  private(set) var latest = BitMEXQuoteRow()
  /// In units of 10^-8; nil before the first.
  private(set) var price: Int64?
  private(set) var direction = Direction.unchanged
  private(set) var changes: UInt64 = 0
  /// Whether quotes are dropped until a partial comes.
  private(set) var awaitsPartial = false
  private(set) var askedAt: MonotonicTime?
  private var hasTrade = false
  private var cadence = CadenceTracker(expectedGapMilliseconds: Self.expectedGapMilliseconds)
  private var confirmedAt: ClockReading?

  /// Takes a row of `quote`: each is the whole top of the book.
  mutating func take(_ row: BitMEXQuoteRow) { latest = row }

  /// A message of the quote's streams has come.
  mutating func confirm(at now: ClockReading) {
    cadence.record(now)
    confirmedAt = now
  }

  /// Takes the newest trade's price.
  mutating func takeTrade(price: Int64) {
    hasTrade = true
    set(price)
  }

  /// Takes the instrument's last price; says whether it counts.
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
    awaitsPartial = false
    askedAt = nil
  }

  mutating func awaitPartial(at now: MonotonicTime?) {
    awaitsPartial = true
    askedAt = now
    hasTrade = false
    cadence.restart()
  }

  mutating func forget() {
    let counted = changes
    self = BitMEXQuote()
    changes = counted
    awaitsPartial = true
  }

  /// What the quote is worth now, on a connection that is up.
  func freshness(at now: ClockReading, origin: DataOrigin) -> Freshness {
    let state: FreshnessState =
      awaitsPartial ? (confirmedAt == nil ? .waiting : .resyncing) : cadence.state(at: now)
    return Freshness(
      state: state, origin: origin, confirmedAt: confirmedAt,
      lateAfterMilliseconds: cadence.lateAfterMilliseconds)
  }
}

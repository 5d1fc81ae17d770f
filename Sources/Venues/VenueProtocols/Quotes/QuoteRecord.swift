// What a session remembers of one instrument's latest quote. Four venues send quotes without books;
// they differ in their messages, not in what a quote is.

import MarketModel

/// The values of one quote message, complete and checked.
struct QuoteUpdate: Equatable {
  let price: FixedDecimal
  var bid: FixedDecimal?
  var ask: FixedDecimal?
  var bidSize: Quantity?
  var askSize: Quantity?
}

/// The latest quote of one instrument and how it came about.
struct QuoteRecord: Equatable {
  /// The latest values; nil before the first quote.
  private(set) var latest: QuoteUpdate?
  /// Where the price went at its last change; the first price is no change.
  private(set) var direction = Direction.unchanged
  /// Changes of the price's value; the first price is none.
  private(set) var changes: UInt64 = 0
  /// When the latest quote came, on whichever connection.
  private(set) var confirmedAt: ClockReading?
  /// Whether a quote came since the instrument is followed on this connection.
  private(set) var isConfirmed = false
  /// Whether a message that may have been its quote could not be read since the latest one.
  var isDoubted = false
  /// The rhythm of this instrument's own quotes.
  private(set) var cadence: CadenceTracker
  /// Quotes of any instrument that the board had seen when this one was last seen.
  var seenAtBoardCount: UInt64 = 0
  /// The state that was last told to the host.
  var reportedState = FreshnessState.waiting

  init(cadence: CadenceTracker) { self.cadence = cadence }

  /// Takes a quote; says whether any value on screen differs.
  mutating func take(_ update: QuoteUpdate, at now: ClockReading) -> Bool {
    let isDifferent = update != latest
    if let old = latest?.price, old != update.price {
      direction = update.price > old ? .up : .down
      changes &+= 1
    }
    latest = update
    confirmedAt = now
    isConfirmed = true
    isDoubted = false
    cadence.record(now)
    return isDifferent
  }

  /// The instrument is no longer followed: the values stay, but nothing vouches for them.
  mutating func interrupt() {
    (isConfirmed, isDoubted) = (false, false)
    cadence.restart()
  }
}

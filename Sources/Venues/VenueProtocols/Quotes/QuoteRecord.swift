import MarketModel

/// The values of one quote message, complete and checked.
struct QuoteUpdate: Equatable {
  let price: FixedDecimal
  var bid: FixedDecimal?
  var ask: FixedDecimal?
  var bidSize: Quantity?
  var askSize: Quantity?
}

/// The latest quote of one instrument, common to the four venues that send quotes without books.
struct QuoteRecord: Equatable {
  /// The latest values; nil before the first quote.
  private(set) var latest: QuoteUpdate?
  /// The direction of the latest price change; the first price is no change.
  private(set) var direction = Direction.unchanged
  /// Changes of the price; the first price does not count.
  private(set) var changes: UInt64 = 0
  /// When the latest quote came, on whichever connection.
  private(set) var confirmedAt: ClockReading?
  /// Whether a quote has come since the instrument is followed on this connection.
  private(set) var isConfirmed = false
  /// Whether an unreadable message since the latest quote may have been its quote.
  var isDoubted = false
  private(set) var cadence: CadenceTracker
  /// The board's count of quotes of all instruments when this one last had a quote.
  var seenAtBoardCount: UInt64 = 0
  var reportedState = FreshnessState.waiting

  init(cadence: CadenceTracker) { self.cadence = cadence }

  /// Applies a quote; returns whether any visible value differs.
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

  /// Handles the end of following: the values stay, but are unconfirmed.
  mutating func interrupt() {
    (isConfirmed, isDoubted) = (false, false)
    cadence.restart()
  }
}

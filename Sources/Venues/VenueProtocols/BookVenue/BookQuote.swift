import MarketModel

/// The best bid and ask that a venue sent; a side is nil when the book has no level there.
struct BestLevels: Equatable {
  /// In units of the instrument's price scale.
  var bidPrice: Int64?
  /// In units of its quantity scale.
  var bidSize: Int64?
  var askPrice: Int64?
  var askSize: Int64?
}

/// The quote of one instrument: its last price, and its best bid and ask where the venue sends
/// them.
///
/// The last price is the newest trade's. A last price that the venue states may lag behind the
/// trades, so it counts only until the first trade.
struct BookQuote {
  /// The expected gap between quotes before any is measured.
  static let expectedGapMilliseconds: Int64 = 1000

  var top = BestLevels()
  /// In units of the instrument's price scale; nil before the first.
  private(set) var price: Int64?
  private(set) var direction = Direction.unchanged
  private(set) var changes: UInt64 = 0
  private(set) var confirmedAt: ClockReading?
  /// Whether rows of quotes are dropped until a snapshot comes.
  private(set) var awaitsSnapshot = false
  /// When the snapshot was requested; nil while no request is pending.
  private(set) var askedAt: MonotonicTime?
  private var hasTrade = false
  private var cadence = CadenceTracker(expectedGapMilliseconds: Self.expectedGapMilliseconds)

  mutating func confirm(at now: ClockReading) { confirmedAt = now }

  mutating func beat(at now: ClockReading) { cadence.record(now) }

  mutating func takeTrade(price: Int64) {
    hasTrade = true
    set(price)
  }

  /// Applies the last price that the venue states; returns whether it counts.
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

  /// Converts prices to units that are smaller by a factor; drops the last price if it does not
  /// fit.
  mutating func rescale(price factor: Int64) {
    guard let price else { return }
    let (units, overflows) = price.multipliedReportingOverflow(by: factor)
    self.price = overflows ? nil : units
  }

  mutating func endWaiting() {
    awaitsSnapshot = false
    askedAt = nil
  }

  /// Drops rows until a snapshot comes, requested at `now`; nil if not requested yet.
  mutating func awaitSnapshot(at now: MonotonicTime?) {
    awaitsSnapshot = true
    askedAt = now
    hasTrade = false
    cadence.restart()
  }

  /// Resets everything but the count of changes.
  mutating func forget() {
    let counted = changes
    self = BookQuote()
    changes = counted
    awaitsSnapshot = true
  }

  /// The freshness by the quote's own rhythm, on an open connection.
  func freshness(at now: ClockReading, origin: DataOrigin) -> Freshness {
    let state: FreshnessState =
      awaitsSnapshot ? (confirmedAt == nil ? .waiting : .resyncing) : cadence.state(at: now)
    return Freshness(
      state: state, origin: origin, confirmedAt: confirmedAt,
      lateAfterMilliseconds: cadence.lateAfterMilliseconds)
  }
}

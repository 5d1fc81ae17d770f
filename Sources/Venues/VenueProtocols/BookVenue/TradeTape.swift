import MarketModel

struct TapeRow: Equatable {
  /// Index in the decoder's symbol table.
  var number = 0
  /// In units of the instrument's price scale.
  var price: Int64 = 0
  /// In units of its quantity scale.
  var size: Int64 = 0
  /// Nil where the venue states none (settlements).
  var side: Side?
  var time = Timestamp(nanoseconds: 0)
  /// The venue's number of the trade; 0 where it has none.
  var identifier: Int64 = 0
  /// How many consecutive numbers it covers, up to ``identifier``: 1 where each has its own row.
  var covered: Int64 = 1
  /// Whether the number identifies the trade in the venue's history as well.
  var isNumbered = true
}

/// The latest 30 trades of one instrument, in the order in which the venue made them (decision 42).
///
/// The venue's rules decide whether a row is new, a repetition or a sign of a gap.
struct TradeTape {
  static let depth = 30
  /// The largest delay of a late trade, in nanoseconds; beyond it the venue's clock was set back.
  static let longestDelay: Int64 = 60_000_000_000

  /// Newest first.
  private(set) var trades: [Trade] = []
  /// Whether rows are dropped until a snapshot comes.
  private(set) var awaitsSnapshot: Bool
  /// When the snapshot was requested; nil while no request is pending.
  private(set) var askedAt: MonotonicTime?
  /// When the first of the latest trades was refused, so that the newest trade here is outdated.
  private(set) var behindSince: ClockReading?
  var numbers = TradeNumbers()
  private var isFilled = false
  /// Whether the venue has sent a snapshot without trades, and no trade since.
  private(set) var isKnownEmpty = false
  private var arrivals: UInt64 = 0

  /// An empty tape; `awaitsSnapshot` where no rows are applied before the first snapshot.
  init(awaitsSnapshot: Bool) { self.awaitsSnapshot = awaitsSnapshot }

  /// Inserts a trade at its place; returns whether it is among the latest 30.
  ///
  /// With `byTime`, a late trade is placed by its time. Numbered trades come in the venue's order.
  mutating func insert(_ row: TapeRow, byTime: Bool) -> (trade: Trade, isShown: Bool) {
    isFilled = true
    isKnownEmpty = false
    behindSince = nil
    arrivals &+= 1
    let trade = Trade(
      price: Price(units: row.price), size: Quantity(units: row.size), side: row.side,
      time: row.time, arrival: arrivals, identifier: row.isNumbered ? row.identifier : 0,
      covered: row.covered)
    var index = 0
    while byTime, index < trades.count, TradeTape.isLate(row, behind: trades[index]) { index += 1 }
    guard index < Self.depth else { return (trade, false) }
    if trades.count == Self.depth { trades.removeLast() }
    trades.insert(trade, at: index)
    return (trade, true)
  }

  private static func isLate(_ row: TapeRow, behind other: Trade) -> Bool {
    let (delay, overflow) = other.time.nanoseconds.subtractingReportingOverflow(
      row.time.nanoseconds)
    return !overflow && delay > 0 && delay <= longestDelay
  }

  /// Drops a trade with an impossible time: the tape is stale from this moment until a valid one.
  mutating func refuse(at now: ClockReading) {
    isFilled = true
    behindSince = behindSince ?? now
  }

  mutating func beginSnapshot() {
    awaitsSnapshot = false
    askedAt = nil
    isFilled = true
  }

  /// Handles a snapshot without trades: every later trade is new.
  mutating func beginEmptySnapshot() {
    beginSnapshot()
    isKnownEmpty = trades.isEmpty && numbers.latest == nil
  }

  /// Removes all trades, because the next ones do not continue them.
  mutating func removeTrades() {
    if !trades.isEmpty { trades.removeAll(keepingCapacity: true) }
  }

  /// Drops rows until a snapshot comes, requested at `now`; nil if not requested yet.
  mutating func awaitSnapshot(at now: MonotonicTime?) {
    awaitsSnapshot = true
    askedAt = now
  }

  /// Accepts rows without the missing snapshot, because each row is complete.
  mutating func stopWaiting() {
    beginSnapshot()
    removeTrades()
  }

  /// Converts prices and sizes to units that are smaller by these factors; drops all trades if one
  /// does not fit.
  mutating func rescale(price: Int64, size: Int64) {
    for index in trades.indices {
      let old = trades[index]
      let (units, priceOverflows) = old.price.units.multipliedReportingOverflow(by: price)
      let (amount, sizeOverflows) = old.size.units.multipliedReportingOverflow(by: size)
      if priceOverflows || sizeOverflows { return removeTrades() }
      trades[index] = Trade(
        price: Price(units: units), size: Quantity(units: amount), side: old.side, time: old.time,
        arrival: old.arrival, identifier: old.identifier, covered: old.covered)
    }
  }

  /// Clears the trades, but not the count of arrivals.
  mutating func forget() {
    trades.removeAll()
    numbers = TradeNumbers()
    awaitSnapshot(at: nil)
    (isFilled, isKnownEmpty) = (false, false)
  }

  func freshness(_ connection: Freshness) -> Freshness {
    guard connection.state != .disconnected else { return connection }
    if awaitsSnapshot { return connection.changed(to: trades.isEmpty ? .waiting : .resyncing) }
    guard isFilled else { return connection.changed(to: .waiting) }
    guard let behindSince else { return connection }
    return Freshness(
      state: .stale, origin: connection.origin, confirmedAt: trades.isEmpty ? nil : behindSince,
      lateAfterMilliseconds: connection.lateAfterMilliseconds)
  }
}

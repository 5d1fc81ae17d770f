// The latest 30 trades of one instrument, in the order in which the venue made them (decision 42).
// Whether a row is news, known or a sign of a hole is the venue's rule.

import MarketModel

/// A row of a venue's trades.
struct TapeRow: Equatable {
  /// Index in the decoder's symbol table.
  var number = 0
  /// In units of the instrument's price scale.
  var price: Int64 = 0
  /// In units of its quantity scale.
  var size: Int64 = 0
  /// Nil where the venue names none (settlements).
  var side: Side?
  var time = Timestamp(nanoseconds: 0)
  /// The venue's number of the trade; 0 where it has none.
  var identifier: Int64 = 0
}

/// The tape of one instrument.
struct TradeTape {
  /// Trades kept.
  static let depth = 30
  /// How much older than the newest trade a late one can be, in nanoseconds: an older one is not
  /// late, the venue's clock was set back.
  static let longestDelay: Int64 = 60_000_000_000

  /// Newest first.
  private(set) var trades: [Trade] = []
  /// Whether rows are dropped until a snapshot comes.
  private(set) var awaitsSnapshot: Bool
  /// When the snapshot was asked for; nil when none is on its way.
  private(set) var askedAt: MonotonicTime?
  /// Since when the latest trades could not be taken, so that what is here is not the latest.
  private(set) var behindSince: ClockReading?
  /// What the numbers of trades say, where the venue has some.
  var numbers = TradeNumbers()
  /// Whether anything has come.
  private var isFilled = false
  /// Whether the venue has sent a snapshot without trades, and no trade since.
  private(set) var isKnownEmpty = false
  private var arrivals: UInt64 = 0

  /// An empty tape; `awaitsSnapshot` where nothing may be taken before the first snapshot.
  init(awaitsSnapshot: Bool) { self.awaitsSnapshot = awaitsSnapshot }

  /// Puts a trade in its place; says whether it is among the latest 30.
  ///
  /// The place of a late trade is found by its time, unless it has a number: then the venue's order
  /// is known, whatever its clock shows.
  mutating func insert(_ row: TapeRow, byTime: Bool) -> (trade: Trade, isShown: Bool) {
    isFilled = true
    isKnownEmpty = false
    behindSince = nil
    arrivals &+= 1
    let trade = Trade(
      price: Price(units: row.price), size: Quantity(units: row.size), side: row.side,
      time: row.time, arrival: arrivals, identifier: row.identifier)
    var index = 0
    while byTime, index < trades.count, TradeTape.isLate(row, behind: trades[index]) { index += 1 }
    guard index < Self.depth else { return (trade, false) }
    if trades.count == Self.depth { trades.removeLast() }
    trades.insert(trade, at: index)
    return (trade, true)
  }

  /// Whether a trade happened before another one that came first, by the venue's clock.
  private static func isLate(_ row: TapeRow, behind other: Trade) -> Bool {
    let (delay, overflow) = other.time.nanoseconds.subtractingReportingOverflow(
      row.time.nanoseconds)
    return !overflow && delay > 0 && delay <= longestDelay
  }

  /// A trade with an impossible time is left out: until a good one comes the tape is not live, and
  /// what it shows was last the venue's at this moment.
  mutating func refuse(at now: ClockReading) {
    isFilled = true
    behindSince = behindSince ?? now
  }

  /// A snapshot is here; its rows follow.
  mutating func beginSnapshot() {
    awaitsSnapshot = false
    askedAt = nil
    isFilled = true
  }

  /// A snapshot without trades is here: every trade from now on is news.
  mutating func beginEmptySnapshot() {
    beginSnapshot()
    isKnownEmpty = trades.isEmpty && numbers.latest == nil
  }

  /// Takes out all trades: what follows does not continue them.
  mutating func removeTrades() {
    if !trades.isEmpty { trades.removeAll(keepingCapacity: true) }
  }

  /// Drops rows until a snapshot comes, asked for at `now`; nil when it is not asked for yet.
  mutating func awaitSnapshot(at now: MonotonicTime?) {
    awaitsSnapshot = true
    askedAt = now
  }

  /// Takes rows without the snapshot that did not come: they are whole by themselves.
  mutating func stopWaiting() {
    beginSnapshot()
    removeTrades()
  }

  /// Forgets the trades, not the count of arrivals.
  mutating func forget() {
    trades.removeAll()
    numbers = TradeNumbers()
    awaitSnapshot(at: nil)
    (isFilled, isKnownEmpty) = (false, false)
  }

  /// What the tape is worth on a connection of this freshness.
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

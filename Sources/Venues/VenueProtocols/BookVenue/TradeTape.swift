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

/// Assigns snapshots without rows, which contain no pair, to pairs.
///
/// Every subscribed pair gets one snapshot, so if as many are empty as pairs wait, all these are
/// empty. At Coinbase pairs are products.
struct EmptySnapshots {
  /// Empty snapshots that are not assigned yet.
  private var count = 0
  /// The pairs that one of them may belong to, with the times of their requests.
  private var candidates: [Int: MonotonicTime] = [:]

  /// Counts a snapshot whose rows have been applied, in O(instruments).
  ///
  /// - Returns: the pairs whose snapshots are now certain to be empty.
  mutating func receive<Details>(isEmpty: Bool, _ instruments: [InstrumentData<Details>]) -> [Int] {
    if !isEmpty, count == 0 { return [] }
    for (pair, askedAt) in candidates where instruments[pair].tape.askedAt != askedAt {
      candidates[pair] = nil
      // Requested again or dropped: an empty snapshot may have been its response.
      if instruments[pair].tape.awaitsSnapshot { forget() }
    }
    if isEmpty {
      count += 1
      for pair in instruments.indices {
        if let askedAt = instruments[pair].tape.askedAt { candidates[pair] = askedAt }
      }
    }
    guard candidates.count <= count else { return [] }
    let empty = candidates.keys.sorted()
    forget()
    return empty
  }

  private mutating func forget() { (count, candidates) = (0, [:]) }
}

/// The trade numbers of one instrument, for venues that number trades without gaps.
///
/// A repeated trade and a lost message are recognised by the number alone.
struct TradeNumbers {
  /// Distance below the latest number from which a row no longer counts as a repetition.
  static let maximumRepetition: Int64 = 1000

  /// The number of the latest received trade; kept over interruptions.
  fileprivate(set) var latest: Int64?
  /// The number of the oldest trade since which none is missing.
  fileprivate var first: Int64?
  /// Whether the latest snapshot itself skipped a number: then gaps mean nothing.
  fileprivate var maySkip = false

  fileprivate func isRepetition(_ identifier: Int64, _ latest: Int64) -> Bool {
    let (distance, overflow) = latest.subtractingReportingOverflow(identifier)
    guard !overflow, distance < Self.maximumRepetition else { return false }
    return first.map { identifier >= $0 } ?? false
  }
}

extension TradeTape {
  enum Arrival: Equatable {
    /// Received before, by its number.
    case known
    /// New; `isShown` when it is among the latest 30.
    case new(Trade, isShown: Bool)
    /// Earlier trades are missing, or its number is impossible: the row was not applied.
    case gap
    /// New by its number, but with an impossible time: the row was not applied.
    case impossible
  }

  /// Applies a row of an update; `isPossible` is the result of the check of its time.
  ///
  /// A number at or below the latest is a repetition only if it was received before. Otherwise a
  /// venue that restarts its numbers, or once sent an absurd one, would be ignored.
  mutating func take(_ row: TapeRow, isPossible: Bool = true, at now: ClockReading) -> Arrival {
    if let latest = numbers.latest {
      guard row.identifier > latest else {
        return numbers.isRepetition(row.identifier, latest) ? .known : .gap
      }
      if row.identifier &- row.covered != latest, !numbers.maySkip { return .gap }
    }
    return insertNumbered(row, isPossible, now)
  }

  mutating func takeFromSnapshot(
    _ row: TapeRow, isPossible: Bool = true, at now: ClockReading
  ) -> Arrival {
    if let latest = numbers.latest, row.identifier <= latest { return .known }
    return insertNumbered(row, isPossible, now)
  }

  /// Prepares the tape for the rows of a snapshot, oldest first; returns whether they continue it.
  ///
  /// Rows after the latest received trade were missed in an outage and are new. If the previous
  /// snapshot was empty, all rows are new. Without earlier data, all rows are history.
  mutating func beginSnapshot(_ rows: ArraySlice<TapeRow>) -> Bool {
    // Only the response to another request continues an empty snapshot.
    let continuesEmpty = isKnownEmpty && awaitsSnapshot
    beginSnapshot()
    numbers.maySkip = false
    var former: Int64?
    for row in rows {
      if let former, row.identifier &- row.covered != former { numbers.maySkip = true }
      former = row.identifier
    }
    guard let latest = numbers.latest else { return continuesEmpty }
    let continues = rows.first.map { $0.identifier &- $0.covered <= latest } ?? true
    // Numbers that fell: the venue restarted its numbers, so earlier ones are void.
    let restarted = rows.last.map { $0.identifier < latest } ?? false
    if !continues || restarted {
      removeTrades()
      numbers.first = nil
    }
    if restarted { numbers.latest = nil }
    return !restarted
  }

  private mutating func insertNumbered(
    _ row: TapeRow, _ isPossible: Bool, _ now: ClockReading
  ) -> Arrival {
    numbers.latest = row.identifier
    numbers.first = numbers.first ?? row.identifier
    guard isPossible else {
      refuse(at: now)
      return .impossible
    }
    let (trade, isShown) = insert(row, byTime: false)
    return .new(trade, isShown: isShown)
  }
}

// The latest 30 trades of one pair. The venue numbers them without a gap, so a lost message shows.

import MarketModel

/// The tape of one pair.
struct KrakenTape {
  /// What a row was.
  enum Arrival: Equatable {
    /// Known already, by its number.
    case known
    /// New; `isShown` when it is among the latest 30.
    case new(Trade, isShown: Bool)
    /// Trades before it are missing, or its number cannot be: the row was not taken.
    case gap
    /// New by its number, from a time that cannot be: the row was not taken.
    case impossible
  }

  /// Trades kept.
  static let depth = 30
  /// Numbers below the latest at which a row is no repetition any more.
  static let maximumRepetition: Int64 = 1000

  /// Newest first by venue time; later arrivals first among equal times.
  private(set) var trades: [Trade] = []
  /// The number of the latest trade known; stays over interruptions.
  private(set) var latest: Int64?
  /// Whether updates are dropped until a snapshot comes.
  private(set) var awaitsSnapshot = true
  /// Whether anything has come.
  private(set) var isFilled = false
  /// When the snapshot was asked for.
  private(set) var askedAt: MonotonicTime?
  /// The number of the oldest trade since which all are known.
  private var first: Int64?
  /// Whether the latest trades could not be taken, so that what is here is not the latest.
  private(set) var isBehind = false
  /// The latest snapshot of this venue skipped a number itself: gaps mean nothing then.
  private var maySkip = false
  private var arrivals: UInt64 = 0

  /// Takes a row of an update, whose time was found possible or not.
  ///
  /// A number at or below the latest is a repetition only where it was seen before: a venue that
  /// counts anew, or once sent an absurd number, would otherwise be silenced without a word.
  mutating func take(_ row: KrakenTradeRow, isPossible: Bool = true) -> Arrival {
    if let latest {
      guard row.identifier > latest else { return isRepetition(row, latest) ? .known : .gap }
      if row.identifier != latest &+ 1, !maySkip { return .gap }
    }
    return insert(row, isPossible)
  }

  private func isRepetition(_ row: KrakenTradeRow, _ latest: Int64) -> Bool {
    let (distance, overflow) = latest.subtractingReportingOverflow(row.identifier)
    guard !overflow, distance < KrakenTape.maximumRepetition else { return false }
    return first.map { row.identifier >= $0 } ?? false
  }

  /// A snapshot is about to fill the tape, oldest row first.
  ///
  /// Returns whether its rows continue what was known: those after the latest known trade were
  /// missed in an outage and are news. With nothing known before, all of them are history.
  mutating func beginSnapshot(_ rows: ArraySlice<KrakenTradeRow>) -> Bool {
    awaitsSnapshot = false
    askedAt = nil
    isFilled = true
    maySkip = false
    var former: Int64?
    for row in rows {
      if let former, row.identifier != former &+ 1 { maySkip = true }
      former = row.identifier
    }
    guard let latest else { return false }
    let continues = rows.first.map { $0.identifier <= latest &+ 1 } ?? true
    // Numbers that fell: the venue counts anew, so nothing that was known means anything.
    let restarted = rows.last.map { $0.identifier < latest } ?? false
    if !continues || restarted {
      trades.removeAll(keepingCapacity: true)
      first = nil
    }
    if restarted { self.latest = nil }
    return !restarted
  }

  /// Takes a row of a snapshot.
  mutating func takeFromSnapshot(_ row: KrakenTradeRow, isPossible: Bool = true) -> Arrival {
    if let latest, row.identifier <= latest { return .known }
    return insert(row, isPossible)
  }

  private mutating func insert(_ row: KrakenTradeRow, _ isPossible: Bool) -> Arrival {
    latest = row.identifier
    first = first ?? row.identifier
    isFilled = true
    isBehind = !isPossible
    guard isPossible else { return .impossible }
    arrivals &+= 1
    let trade = Trade(
      price: Price(units: row.price), size: Quantity(units: row.size), side: row.side,
      time: row.time, arrival: arrivals)
    var index = 0
    while index < trades.count, trades[index].time > row.time { index += 1 }
    guard index < Self.depth else { return .new(trade, isShown: false) }
    if trades.count == Self.depth { trades.removeLast() }
    trades.insert(trade, at: index)
    return .new(trade, isShown: true)
  }

  /// Drops updates until a snapshot comes, asked for at `now`; nil when it is not asked for yet.
  mutating func awaitSnapshot(at now: MonotonicTime?) {
    awaitsSnapshot = true
    askedAt = now
  }

  /// Forgets the trades, not the count of arrivals.
  mutating func forget() {
    trades.removeAll()
    (latest, first) = (nil, nil)
    awaitsSnapshot = true
    askedAt = nil
    isFilled = false
  }

  /// What the tape is worth on a connection of this freshness.
  func freshness(_ connection: Freshness) -> Freshness {
    guard connection.state != .disconnected else { return connection }
    if awaitsSnapshot { return connection.changed(to: trades.isEmpty ? .waiting : .resyncing) }
    guard isFilled else { return connection.changed(to: .waiting) }
    return isBehind ? connection.changed(to: .stale) : connection
  }
}

// The figures of an instrument's day as a venue states them, and when they may be believed.

import MarketModel

/// One statement of a venue; what it leaves out is nil.
struct DayFiguresRow: Equatable {
  /// The symbol's number.
  var number = 0
  var last: FixedDecimal?
  var change: FixedDecimal?
  var changePercent: FixedDecimal?
  var high: FixedDecimal?
  var low: FixedDecimal?
  var volume: FixedDecimal?
  var vwap: FixedDecimal?
  var bid: FixedDecimal?
  var ask: FixedDecimal?
  var bidSize: FixedDecimal?
  var askSize: FixedDecimal?
  var trades: Int64?
  var time: Timestamp?
}

/// The figures of one instrument.
///
/// Each statement is whole, so nothing is added up, and a lost one is cured by the next.
struct BookFigures {
  /// The latest statement.
  private(set) var row: DayFiguresRow?
  private(set) var direction = Direction.unchanged
  private(set) var changes: UInt64 = 0
  /// When a message last confirmed the figures.
  private(set) var confirmedAt: ClockReading?
  /// Whether statements are dropped until a snapshot comes.
  private(set) var awaitsSnapshot = false
  /// When the snapshot was asked for; nil when none is on its way.
  private(set) var askedAt: MonotonicTime?

  /// Takes a statement; false when it must be dropped.
  ///
  /// A snapshot is no change: between it and what was known before, anything may have happened.
  mutating func take(_ new: DayFiguresRow, isSnapshot: Bool, at now: ClockReading) -> Bool {
    if isSnapshot {
      awaitsSnapshot = false
      askedAt = nil
      direction = .unchanged
    } else if awaitsSnapshot {
      return false
    } else if let old = row?.last, let last = new.last, old != last {
      direction = last > old ? .up : .down
      changes &+= 1
    }
    row = new
    confirmedAt = now
    return true
  }

  /// Drops statements until a snapshot comes, asked for at `now`; nil when it is not asked for yet.
  mutating func awaitSnapshot(at now: MonotonicTime?) {
    awaitsSnapshot = true
    askedAt = now
  }

  /// Forgets everything but the count of changes.
  mutating func forget() {
    let counted = changes
    self = BookFigures()
    changes = counted
    awaitsSnapshot = true
  }

  /// What the figures are worth on a connection of this freshness: what the venue has not sent has
  /// not changed.
  func freshness(_ connection: Freshness) -> Freshness {
    var state = connection.state
    if state != .disconnected {
      if awaitsSnapshot || row == nil { state = row == nil ? .waiting : .resyncing }
    }
    return Freshness(
      state: state, origin: connection.origin, confirmedAt: confirmedAt,
      lateAfterMilliseconds: connection.lateAfterMilliseconds)
  }

  /// The figures as everybody sees them.
  func view(of symbol: Symbol, _ freshness: Freshness) -> DayFigures {
    var figures = DayFigures(
      symbol: symbol, direction: direction, changes: changes, freshness: freshness)
    guard let row else { return figures }
    figures.last = row.last
    (figures.change, figures.changePercent) = (row.change, row.changePercent)
    (figures.high, figures.low) = (row.high, row.low)
    (figures.volume, figures.vwap, figures.trades) = (row.volume, row.vwap, row.trades)
    (figures.bid, figures.bidSize) = (row.bid, row.bidSize)
    (figures.ask, figures.askSize) = (row.ask, row.askSize)
    figures.at = row.time
    return figures
  }
}

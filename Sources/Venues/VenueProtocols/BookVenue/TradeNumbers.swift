// For venues that number an instrument's trades without a gap: a repetition and a lost message show
// by the number alone.

import MarketModel

/// The numbers of one instrument's trades that are known.
struct TradeNumbers {
  /// Numbers below the latest at which a row is no repetition any more.
  static let maximumRepetition: Int64 = 1000

  /// The number of the latest trade known; stays over interruptions.
  fileprivate(set) var latest: Int64?
  /// The number of the oldest trade since which all are known.
  fileprivate var first: Int64?
  /// The latest snapshot of this venue skipped a number itself: gaps mean nothing then.
  fileprivate var maySkip = false

  fileprivate func isRepetition(_ identifier: Int64, _ latest: Int64) -> Bool {
    let (distance, overflow) = latest.subtractingReportingOverflow(identifier)
    guard !overflow, distance < Self.maximumRepetition else { return false }
    return first.map { identifier >= $0 } ?? false
  }
}

extension TradeTape {
  /// What a numbered row was.
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

  /// Takes a row of an update, whose time was found possible or not.
  ///
  /// A number at or below the latest is a repetition only where it was seen before: a venue that
  /// counts anew, or once sent an absurd number, would otherwise be silenced without a word.
  mutating func take(
    _ row: TapeRow, isPossible: Bool = true, at now: ClockReading
  ) -> Arrival {
    if let latest = numbers.latest {
      guard row.identifier > latest else {
        return numbers.isRepetition(row.identifier, latest) ? .known : .gap
      }
      if row.identifier != latest &+ 1, !numbers.maySkip { return .gap }
    }
    return insertNumbered(row, isPossible, now)
  }

  /// Takes a row of a snapshot.
  mutating func takeFromSnapshot(
    _ row: TapeRow, isPossible: Bool = true, at now: ClockReading
  ) -> Arrival {
    if let latest = numbers.latest, row.identifier <= latest { return .known }
    return insertNumbered(row, isPossible, now)
  }

  /// A snapshot is about to fill the tape, oldest row first.
  ///
  /// Returns whether its rows continue what was known: those after the latest known trade were
  /// missed in an outage and are news. So are all of them where the snapshot before this one was
  /// empty; with nothing known before, all of them are history.
  mutating func beginSnapshot(_ rows: ArraySlice<TapeRow>) -> Bool {
    // Only the answer to another request continues an empty snapshot.
    let continuesEmpty = isKnownEmpty && awaitsSnapshot
    beginSnapshot()
    numbers.maySkip = false
    var former: Int64?
    for row in rows {
      if let former, row.identifier != former &+ 1 { numbers.maySkip = true }
      former = row.identifier
    }
    guard let latest = numbers.latest else { return continuesEmpty }
    let continues = rows.first.map { $0.identifier <= latest &+ 1 } ?? true
    // Numbers that fell: the venue counts anew, so nothing that was known means anything.
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

import MarketModel

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
  mutating func take(
    _ row: TapeRow, isPossible: Bool = true, at now: ClockReading
  ) -> Arrival {
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

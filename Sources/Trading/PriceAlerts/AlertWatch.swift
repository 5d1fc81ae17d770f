import MarketModel

/// The watch state of an instrument with alerts: its latest trade, and whether trades arrive.
struct AlertWatch: Hashable, Sendable {
  struct Mark: Hashable, Sendable {
    let price: FixedDecimal
    let time: Timestamp
    let identifier: Int64
    /// nil after an interruption: arrivals of different sessions are not comparable.
    var arrival: UInt64?
  }

  /// nil before the first trade.
  var mark: Mark?
  /// Since when trades are unavailable; nil while they arrive.
  var openSince: Timestamp?
  /// Since when trades may have been missed before the next one; nil if none were.
  var unseenSince: Timestamp?
  /// The latest book or best prices; nil before the first, or if no alert needs them.
  private(set) var book: AlertBookState?
  /// Since when the book is invalid; nil while it is valid, and without one.
  private var invalidSince: Timestamp?
  /// Since when spreads may have been missed; nil if none were.
  var bookUnseenSince: Timestamp?

  mutating func receive(_ book: AlertBookState, at now: Timestamp) {
    switch (self.book, book) {
    case (_, .live): bookUnseenSince = nil
    case (.live, _): bookUnseenSince = now
    default: break
    }
    invalidSince = book == .invalid ? invalidSince ?? now : nil
    self.book = book
  }

  mutating func forgetBook() { (book, invalidSince, bookUnseenSince) = (nil, nil, nil) }

  /// For how many seconds the book is invalid; nil while it is valid.
  ///
  /// A clock that was set back
  /// restarts the count.
  mutating func invalidSeconds(at now: Timestamp) -> FixedDecimal? {
    guard let since = invalidSince else { return nil }
    let (elapsed, overflows) = now.nanoseconds.subtractingReportingOverflow(since.nanoseconds)
    guard !overflows, elapsed >= 0 else {
      invalidSince = now
      return nil
    }
    return FixedDecimal(units: elapsed / 1_000_000_000, scale: .whole)
  }

  /// Whether a trade is later than all applied ones: by number if both have one, otherwise by
  /// arrival within a session, and by time only across sessions.
  ///
  /// A venue's clock may run ahead, so time is the last resort. Ticks are always new: they repeat
  /// nothing, and their times have no unit.
  func isNew(_ trade: AlertTrade) -> Bool {
    guard let mark, !trade.isTick else { return true }
    if trade.identifier > 0, mark.identifier > 0 {
      return trade.identifier > mark.identifier || isRenumbered(trade, after: mark)
    }
    if let arrival = mark.arrival, arrival != trade.arrival { return trade.arrival > arrival }
    return trade.time > mark.time
  }

  /// Whether a venue has restarted its numbers: the trade is later than clock differences explain.
  private func isRenumbered(_ trade: AlertTrade, after mark: Mark) -> Bool {
    let (lead, overflow) = trade.time.nanoseconds.subtractingReportingOverflow(
      mark.time.nanoseconds)
    return !overflow && lead > ClockReading.toleratedLead
  }
}

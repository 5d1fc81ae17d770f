// What is known of an instrument with alerts: its latest trade, and whether trades are seen at all.

import MarketModel

/// One instrument that alerts wait on.
struct AlertWatch: Hashable, Sendable {
  /// The latest trade that was taken.
  struct Mark: Hashable, Sendable {
    let price: FixedDecimal
    let time: Timestamp
    let identifier: Int64
    /// Nil after an interruption: arrivals of another session don't compare.
    var arrival: UInt64?
  }

  /// The latest trade; nil before the first.
  var mark: Mark?
  /// Since when nothing is seen; nil while trades are seen.
  var openSince: Timestamp?
  /// Since when something may have been missed before the next trade; nil when nothing was.
  var unseenSince: Timestamp?

  /// Whether a trade is later than all that were applied: by its number where both have one, else
  /// by its arrival in the same session, and by its time only across sessions.
  ///
  /// A venue's clock may run ahead, so a time says the least. Ticks repeat nothing, and their times
  /// have no unit: all of them are new.
  func isNew(_ trade: AlertTrade) -> Bool {
    guard let mark, !trade.isTick else { return true }
    if trade.identifier > 0, mark.identifier > 0 {
      return trade.identifier > mark.identifier || isRenumbered(trade, after: mark)
    }
    if let arrival = mark.arrival, arrival != trade.arrival { return trade.arrival > arrival }
    return trade.time > mark.time
  }

  /// Whether a venue has begun to count again: the trade is later than clocks that differ explain.
  private func isRenumbered(_ trade: AlertTrade, after mark: Mark) -> Bool {
    let (lead, overflow) = trade.time.nanoseconds.subtractingReportingOverflow(
      mark.time.nanoseconds)
    return !overflow && lead > ClockReading.toleratedLead
  }
}

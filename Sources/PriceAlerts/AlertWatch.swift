// What is known of an instrument with alerts: its latest trade, and whether trades are seen at all.

import MarketModel

/// One instrument that alerts wait on.
struct AlertWatch: Hashable, Sendable {
  /// The latest trade that was taken.
  struct Mark: Hashable, Sendable {
    let price: FixedDecimal
    let time: Timestamp
    let identifier: Int64
    /// Nil after a restart: arrivals of another session say nothing.
    var arrival: UInt64?
  }

  /// The latest trade; nil before the first.
  var mark: Mark?
  /// Since when nothing is seen; nil while trades are seen.
  var openSince: Timestamp?
  /// Since when something may have been missed before the next trade; nil when nothing was.
  var unseenSince: Timestamp?

  /// Whether a trade is later than all that were taken: by its time, then by its number, then by
  /// its arrival in the same session.
  ///
  /// Ticks repeat nothing, and their times have no unit: all of them are new.
  func isNew(_ trade: AlertTrade) -> Bool {
    guard let mark, !trade.isTick else { return true }
    if trade.time != mark.time { return trade.time > mark.time }
    if trade.identifier != mark.identifier { return trade.identifier > mark.identifier }
    guard trade.identifier == 0, let arrival = mark.arrival else { return false }
    return trade.arrival > arrival
  }
}

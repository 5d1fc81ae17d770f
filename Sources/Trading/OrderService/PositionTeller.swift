package import MarketModel
package import PaperTrading

/// Reports a position whenever it differs from the last reported one.
package struct PositionTeller: Sendable {
  /// The equity per minute since the start; the ledger holds the fills.
  private var minutes = EquityLine()
  private var told: PositionReport?

  package init() {}

  /// The position if it differs from the previous one.
  ///
  /// - Parameters:
  ///   - trader: its orders and market.
  ///   - doubt: why the position may be incomplete; nil if it is complete.
  ///   - now: both clocks.
  /// - Returns: nil if nothing changed.
  package mutating func news(
    of trader: PaperTrader, doubt: String? = nil, at now: ClockReading
  ) -> PositionReport? {
    var report = trader.position(minutes: minutes, doubt: doubt)
    if doubt == nil, trader.liveMarket != nil, report.account.hasTraded,
      let equity = report.equity
    {
      minutes.add(minute: EquityPoint(time: now.wall, equity: equity, kind: .minute))
      report = trader.position(minutes: minutes)
    }
    guard report != told else { return nil }
    told = report
    return report
  }
}

extension TradingRules {
  /// Converts a feed tick to top of book; throws if it is unusable.
  package func snapshot(
    _ tick: MarketTick, number: UInt64
  ) throws(SnapshotProblem) -> TopOfBook {
    try snapshot(
      number: number, venueTime: tick.time, bid: tick.bid, bidQuantity: tick.bidQuantity,
      ask: tick.ask, askQuantity: tick.askQuantity)
  }
}

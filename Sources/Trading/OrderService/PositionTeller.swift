// What is owned, told whenever it is another than what was told last, with its worth minute by
// minute since the start.

package import MarketModel
package import PaperTrading

/// Judges when there is news of a position.
package struct PositionTeller: Sendable {
  /// What all was worth, minute by minute since the start; the fills are in the ledger.
  private var minutes = EquityLine()
  private var told: PositionReport?

  package init() {}

  /// The position where it is another than the one before.
  ///
  /// - Parameters:
  ///   - trader: whose orders and market.
  ///   - doubt: why it may not be all that is owned; nil where it is.
  ///   - now: both clocks.
  /// - Returns: nil where there is no news.
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
  /// A tick of the feed as top of book; throws what makes it of no use.
  package func snapshot(
    _ tick: MarketTick, number: UInt64
  ) throws(SnapshotProblem) -> TopOfBook {
    try snapshot(
      number: number, venueTime: tick.time, bid: tick.bid, bidQuantity: tick.bidQuantity,
      ask: tick.ask, askQuantity: tick.askQuantity)
  }
}

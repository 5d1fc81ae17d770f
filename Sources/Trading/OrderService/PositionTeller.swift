package import MarketModel
package import PaperTrading

/// Reports the positions that differ from those last reported.
package struct PositionTeller: Sendable {
  /// The equity per minute since the start; the ledger holds the fills.
  private var minutes: [Symbol: EquityLine] = [:]
  private var told: [Symbol: PositionReport] = [:]

  package init() {}

  /// The positions that differ from the previous ones; O(instruments).
  ///
  /// - Parameters:
  ///   - trader: its orders and markets.
  ///   - doubt: why the positions may be incomplete; nil if they are complete.
  ///   - now: both clocks.
  /// - Returns: the stock's first, then those of the markets that have had fills, by symbol.
  package mutating func news(
    of trader: PaperTrader, doubt: Sentence? = nil, at now: ClockReading
  ) -> [PositionReport] {
    let markets = trader.history.tradedSymbols.filter { $0 != trader.rules.symbol }.sorted()
    return ([trader.rules.symbol] + markets).compactMap { symbol in
      var line = minutes[symbol] ?? EquityLine()
      var report = trader.position(of: symbol, minutes: line, doubt: doubt)
      if doubt == nil, trader.market(of: symbol)?.live != nil, report.account.hasTraded,
        let equity = report.equity
      {
        line.add(minute: EquityPoint(time: now.wall, equity: equity, kind: .minute))
        minutes[symbol] = line
        report = trader.position(of: symbol, minutes: line)
      }
      guard report != told[symbol] else { return nil }
      told[symbol] = report
      return report
    }
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

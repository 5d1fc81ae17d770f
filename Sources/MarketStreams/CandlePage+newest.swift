// As many of the newest candles of a page as somebody asks for.

import ChartModel
import MarketModel

extension CandlePage {
  /// The newest candles, `limit` at most, and that there are older ones where some were left out.
  ///
  /// Gaps stay: who has older candles already would else forget theirs. O(candles).
  public func newest(_ limit: Int) -> CandlePage {
    guard candles.count > limit, let first = candles.suffix(limit).first else { return self }
    // An absent second is one without a tick only where everything was seen.
    let seenSince =
      interval.isRecorded ? self.seenSince.map { max($0, first.start) } : self.seenSince
    return CandlePage(
      interval: interval, priceScale: priceScale, quantityScale: quantityScale,
      revision: revision, lastArrival: lastArrival, seenSince: seenSince, status: status,
      hasOlder: true, candles: candles.suffix(limit),
      contradicted: contradicted.filter { $0.start >= first.start }, mismatches: mismatches,
      gaps: gaps)
  }
}

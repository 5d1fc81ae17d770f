// As many of the newest candles as requested.

import ChartModel
import MarketHistory
import MarketModel
import Testing

@testable import MarketStreams

@Suite struct CandlePageTests {
  private func page(_ interval: CandleInterval, count: Int, seenSince: Int64?) throws -> CandlePage
  {
    let candles = (0..<count).map {
      Candle(
        start: Int64($0) * interval.milliseconds, price: Price(units: 100 + Int64($0)),
        volume: .zero)
    }
    return CandlePage(
      interval: interval, priceScale: try #require(Scale(digits: 2)),
      quantityScale: try #require(Scale(digits: 0)),
      revision: 3, lastArrival: 7, seenSince: seenSince, status: .ready, hasOlder: false,
      candles: candles, contradicted: candles, mismatches: count,
      gaps: [SeriesGap(start: 1, end: 2)])
  }

  @Test func `omitted candles are older, and the page marks it`() throws {
    let page = try page(.minute, count: 5, seenSince: 17)
    let newest = page.newest(2)
    #expect(newest.candles == page.candles.suffix(2) && newest.hasOlder)
    #expect(newest.contradicted == page.contradicted.suffix(2) && newest.mismatches == 5)
    #expect(newest.gaps == page.gaps && newest.lastArrival == 7 && newest.revision == 3)
    // It refers to the newest candle from a minute on.
    #expect(newest.seenSince == 17)
  }

  @Test(arguments: [5, 6, 1000]) func `a page that fits stays as it is`(limit: Int) throws {
    let page = try page(.second, count: 5, seenSince: 0)
    #expect(page.newest(limit) == page)
    #expect(try self.page(.second, count: 0, seenSince: nil).newest(1).hasOlder == false)
  }

  @Test func `absent seconds before the oldest that is given are not ones without a tick`() throws {
    #expect(try page(.second, count: 9, seenSince: 500).newest(4).seenSince == 5_000)
    #expect(try page(.second, count: 9, seenSince: 8_200).newest(4).seenSince == 8_200)
    #expect(try page(.second, count: 9, seenSince: nil).newest(4).seenSince == nil)
  }
}

// The responses of /history, as specified in docs/page-protocol.md.

import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import Testing

@testable import LivetapeServer

@Suite struct ChartHistoryTests {
  private func page(
    _ candles: [Candle], seenSince: Int64? = nil, _ status: HistoryStatus = .ready,
    contradicted: [Candle] = []
  ) -> CandlePage {
    CandlePage(
      interval: .minute, priceScale: Scale(clamping: 1), quantityScale: .whole, revision: 9,
      lastArrival: 3,
      seenSince: seenSince, status: status, hasOlder: true, candles: candles,
      contradicted: contradicted, mismatches: contradicted.count,
      gaps: [SeriesGap(start: 5, end: 7)])
  }

  private func text(_ page: CandlePage) -> String { String(decoding: page.json, as: UTF8.self) }

  private func price(_ units: Int64) -> Price { Price(units: units) }

  @Test("LT15 each candle has its source, its missing part, and whether it was proven")
  func candles() {
    let candle = Candle(
      start: 60_000, open: price(10), high: price(14), low: price(9), close: price(12),
      volume: Quantity(units: 6), count: 3, missing: 500, source: .trades, proof: .contradicted)
    let venues = Candle(
      start: 60_000, open: price(10), high: price(15), low: price(9), close: price(12),
      volume: Quantity(units: 6), count: 3)
    let text = text(page([candle], seenSince: 1000, contradicted: [venues]))
    #expect(text.contains(#""candles":[[60000,10,14,9,12,6,3,500,1,2]]"#))
    #expect(text.contains(#""contradicted":[[60000,10,15,9,12,6,3]]"#))
    #expect(text.contains(#""mismatches":1"#) && text.contains(#""revision":9"#))
    #expect(text.contains(#""gaps":[[5,7]]"#))
    #expect(text.contains(#""seenSince":1000"#) && text.contains(#""lastArrival":3"#))
    #expect(text.contains(#""status":"ready""#) && text.contains(#""hasOlder":true"#))
  }

  @Test("LT15 an unavailable history gives the reason")
  func failure() {
    let text = text(page([], .failed(.rateLimited)))
    #expect(text.contains(#""status":"failed","problem":"The venue limits requests"#))
    #expect(text.contains(#""candles":[]"#) && !text.contains("seenSince"))
  }
}

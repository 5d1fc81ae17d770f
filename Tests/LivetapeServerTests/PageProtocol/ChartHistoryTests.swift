// What /history answers, to the letter of the page protocol.

import ChartModel
import MarketModel
import Testing

@testable import LivetapeServer

@Suite struct ChartHistoryTests {
  private func recorded() -> ChartRecorder {
    var recorder = ChartRecorder(priceScale: Scale(clamping: 1))
    for (price, time) in [(10, 1000), (14, 1500), (12, 6000)] as [(Int64, Int64)] {
      let trade = Trade(
        price: Price(units: price), size: Quantity(units: 3), side: .buy,
        time: Timestamp(milliseconds: time), arrival: 1)
      recorder.record(
        .trade(trade, priceScale: Scale(clamping: 1), quantityScale: .whole),
        at: ClockReading(milliseconds: time))
    }
    return recorder
  }

  private func text(_ interval: CandleInterval) -> String {
    String(decoding: ChartHistory(recorder: recorded(), interval: interval).json, as: UTF8.self)
  }

  @Test func `EX2 candles of a second come with scales and the number of the latest tick`() {
    #expect(
      text(.second) == #"{"interval":1000,"priceScale":1,"quantityScale":0,"lastArrival":3,"#
        + #""seenSince":1000,"candles":[[1000,10,14,10,14,6],[6000,12,12,12,12,3]],"gaps":[]}"#)
  }

  @Test func `EX2 a coarser interval comes in its own candles`() {
    #expect(text(.minute).contains(#""candles":[[0,10,14,10,12,9]]"#))
  }
}

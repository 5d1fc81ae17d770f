import ChartModel
import HistoryStore
import MarketModel
import Testing

@Suite struct CandleRecordTests {
  @Test("A record says whose candle it is")
  func record() throws {
    let instrument = InstrumentKey(.kraken, try #require(Symbol("BTC/USD")))
    let candle = Candle(start: 60_000, price: Price(units: 5), volume: .zero)
    let record = CandleRecord(
      instrument, .minute, priceScale: .whole, quantityScale: .whole, candle)
    #expect(record.candle.start == 60_000)
  }
}

// EX2, OB2: a chart's screen.

import MarketHistory
import MarketModel
import MarketStreams
import Testing

@testable import AppState

@Suite struct ChartScreenTests {
  @Test("OB2 only instruments that their venue has open a chart")
  func instruments() throws {
    #expect(ChartScreen(venue: .bitmex, symbol: try symbol("NO*PE")) == nil)
    #expect(ChartScreen(venue: .isin, symbol: try symbol("XBTUSD")) == nil)
    #expect(ChartScreen(venue: .bitmex, symbol: try symbol("XBTUSD")) != nil)
  }

  @Test("EX2 a chart shows the candles of its own instrument, and no others")
  func candles() throws {
    let xbt = try symbol("XBTUSD")
    var screen = try #require(ChartScreen(venue: .bitmex, symbol: xbt, origin: .simulated))
    #expect(screen.wantedCandles == InstrumentKey(.bitmex, xbt))
    #expect(screen.state.freshness.state == .waiting)
    var candles = screen.state.candles
    candles.freshness = fresh(.live, 1000)
    (candles.revision, candles.history) = (3, .ready)
    screen.take(.candles(InstrumentKey(.bitmex, try symbol("ETHUSD")), candles))
    #expect(screen.state.freshness.state == .waiting)
    screen.take(.candles(InstrumentKey(.bitmex, xbt), candles))
    #expect(screen.state.candles == candles)
  }
}

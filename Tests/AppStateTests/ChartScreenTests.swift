// The chart's screen: events become numbered ticks, outages gaps.

import ChartModel
import MarketModel
import Testing
import VenueProtocols

@testable import AppState

@Suite struct ChartScreenTests {
  private func screen() throws -> ChartScreen {
    try #require(
      ChartScreen(venue: .bitmex, symbol: try symbol("XBTUSD"), origin: .simulated))
  }

  private func trade(_ price: Int64, _ time: Int64) throws -> ScreenInput {
    .event(
      MarketKey(.bitmex, .trades, try symbol("XBTUSD")),
      .trade(
        Trade(
          price: Price(units: price), size: Quantity(units: 5), side: .sell,
          time: Timestamp(milliseconds: time), arrival: 1),
        priceScale: Scale(clamping: 1), quantityScale: .whole))
  }

  private func tape(_ symbol: Symbol, confirmed: Int64) -> MarketValue {
    .trades(
      TapeView(
        symbol: symbol, trades: [], priceScale: .whole, quantityScale: .whole,
        priceDecimals: .whole, freshness: fresh(.live, confirmed)))
  }

  @Test func `OB2 only instruments that their venue has open a chart`() throws {
    #expect(ChartScreen(venue: .bitmex, symbol: try symbol("NOPE")) == nil)
    #expect(ChartScreen(venue: .isin, symbol: try symbol("XBTUSD")) == nil)
    #expect(ChartScreen(venue: .exchange, symbol: try symbol("XBTUSD")) == nil)
    let exchange = ExchangeCatalogue.symbol
    #expect(ChartScreen(venue: .exchange, symbol: exchange)?.wantedEvents.count == 1)
  }

  @Test func `EX2 every trade of a burst is in the chart, in its order`() throws {
    var screen = try screen()
    for price in 1...5 { screen.take(try trade(Int64(price), 1000)) }
    #expect(screen.state.ticks.map(\.arrival) == [1, 2, 3, 4, 5])
    #expect(screen.recorder.series.candles.last?.volume == Quantity(units: 25))
    #expect(screen.state.quantityScale == .whole)
  }

  @Test func `EX2 a lost connection is a gap, and the chart says so meanwhile`() throws {
    var screen = try screen()
    let xbt = try symbol("XBTUSD")
    let key = MarketKey(.bitmex, .trades, xbt)
    screen.take(connection(.bitmex, .live), 0)
    screen.take(.value(key, tape(xbt, confirmed: 1000)), 1000)
    #expect(screen.state.freshness.state == .live)
    screen.take(connection(.bitmex, .backingOff, since: 2000), 2000)
    #expect(screen.state.freshness.state == .disconnected)
    screen.take(connection(.bitmex, .live, since: 5000), 5000)
    #expect(screen.state.freshness.state == .stale, "nothing has been confirmed yet")
    screen.take(.value(key, tape(xbt, confirmed: 5500)), 5500)
    #expect(screen.recorder.series.gaps == [SeriesGap(start: 1000, end: 5500)])
  }

  @Test func `EX2 a chart begins with the trades that the tape shows, each once`() throws {
    var screen = try screen()
    let xbt = try symbol("XBTUSD")
    let trades = [3, 2, 1].map { arrival in
      Trade(
        price: Price(units: Int64(arrival)), size: Quantity(units: 5), side: .buy,
        time: Timestamp(milliseconds: Int64(arrival) * 1000), arrival: UInt64(arrival))
    }
    let tape = TapeView(
      symbol: xbt, trades: trades, priceScale: Scale(clamping: 1), quantityScale: .whole,
      priceDecimals: Scale(clamping: 1), freshness: fresh(.live, 3000))
    let key = MarketKey(.bitmex, .trades, xbt)
    screen.take(.value(key, .trades(tape)), 3000)
    #expect(screen.recorder.series.candles.count == 3)
    #expect(screen.recorder.series.seenSince == 1000)
    screen.take(try trade(4, 4000), 4000)
    screen.take(.value(key, .trades(tape)), 4000)
    #expect(screen.state.ticks.map(\.arrival) == [1, 2, 3, 4])
  }
}

// OB5, OB6: the screen of recent trades.

import MarketModel
import Testing

@testable import AppState

@Suite struct TradesScreenTests {
  private let xbt: Symbol
  private let key: MarketKey

  init() throws {
    xbt = try symbol("XBTUSD")
    key = MarketKey(.bitmex, .trades, xbt)
  }

  private func tape(_ trades: [Trade], _ freshness: Freshness = fresh(.live)) -> ScreenInput {
    .value(
      key,
      .trades(
        TapeView(
          symbol: xbt, trades: trades, priceScale: Scale(clamping: 1), quantityScale: .whole,
          priceDecimals: Scale(clamping: 1), freshness: freshness)))
  }

  private func trade(_ arrival: UInt64, side: Side? = .buy) -> Trade {
    Trade(
      price: Price(units: 321_805), size: Quantity(units: 1000), side: side,
      time: Timestamp(milliseconds: Int64(arrival) * 10), arrival: arrival)
  }

  @Test func `OB5 a row shows price, contracts, XBT, side and the venue's time`() throws {
    var screen = TradesScreen(symbol: xbt)
    screen.take(tape([trade(9, side: .sell), trade(8), trade(7, side: nil)]))
    let row = try #require(screen.state.trades.first)
    #expect(row.price.description == "32180.5")
    #expect(row.size.description == "1000")
    #expect(row.sizeInBase?.description == "0.0311")
    #expect(row.time == Timestamp(milliseconds: 90))
    #expect(screen.state.trades.map(\.side) == [.sell, .buy, nil])
    #expect(screen.state.priceDecimals?.digits == 1)
  }

  @Test func `OB5 never more than the latest 30, in the tape's order`() {
    var screen = TradesScreen(symbol: xbt)
    screen.take(tape((1...40).reversed().map { trade($0) }))
    #expect(screen.state.trades.map(\.arrival) == Array((11...40).reversed()))
  }

  @Test func `OB6 a row keeps its number, so that only new rows light up`() {
    var screen = TradesScreen(symbol: xbt)
    screen.take(tape([trade(2), trade(1)]))
    let before = Set(screen.state.trades.map(\.arrival))
    screen.take(tape([trade(3), trade(2), trade(1)]))
    let added = screen.state.trades.map(\.arrival).filter { !before.contains($0) }
    #expect(added == [3])
  }

  @Test func `OB5 a lost connection keeps the trades, marked disconnected`() {
    var screen = TradesScreen(symbol: xbt)
    screen.take(connection(.bitmex, .live))
    screen.take(tape([trade(1)], fresh(.live, 10)), 10)
    screen.take(connection(.bitmex, .stale, since: 20), 20)
    #expect(screen.state.freshness.state == .stale)
    screen.take(connection(.bitmex, .backingOff, since: 30), 30)
    #expect(screen.state.freshness.state == .disconnected)
    #expect(screen.state.trades.count == 1)
  }

  @Test func `OB1 a screen subscribes its instrument's trades; an unknown symbol nothing`() throws {
    #expect(TradesScreen(symbol: xbt).wanted == [key])
    let unknown = TradesScreen(symbol: try symbol("NO*PE"))
    #expect(unknown.wanted.isEmpty)
    #expect(unknown.state.instrument == nil)
  }
}

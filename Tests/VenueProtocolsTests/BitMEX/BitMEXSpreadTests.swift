// A spread between two contracts: its price may be 0 or less, in the book, the tape, the quote and
// the grouped rows. Prices as BitMEX listed XBTM26-XBTU26 on 29 April 2026.

import MarketModel
import OrderBook
import Testing
import VenueProtocols

struct BitMEXSpreadTests {
  private static let spread = symbol("XBTM26-XBTU26")

  private func live() -> SessionHarness {
    var harness = SessionHarness(
      wanting: Subscription(.book, Self.spread), Subscription(.trades, Self.spread),
      Subscription(.quote, Self.spread))
    harness.receive(
      #"{"table":"instrument","action":"partial","filter":{"symbol":"XBTM26-XBTU26"},"#
        + #""data":[{"symbol":"XBTM26-XBTU26","tickSize":0.5,"lastPrice":-13311.5}]}"#)
    harness.receive(
      Wire.partial(
        "1 Buy -13311 7", "2 Buy -13320.5 8", "3 Sell -13310.5 9", "4 Sell 0 1", "5 Sell 0.5 2",
        symbol: "XBTM26-XBTU26"))
    harness.receive(Wire.trades("partial", "36:33.432 Sell -13310.5 100", symbol: "XBTM26-XBTU26"))
    harness.receive(
      #"{"table":"quote","action":"partial","filter":{"symbol":"XBTM26-XBTU26"},"data":["#
        + #"{"symbol":"XBTM26-XBTU26","bidPrice":-13311,"bidSize":7,"askPrice":-13310.5,"#
        + #""askSize":9}]}"#)
    return harness
  }

  @Test func `book, tape and quote of a negative price are live and exact`() {
    let harness = live()
    #expect(
      harness.table(Self.spread) == "-13311×7 -13320.5×8 | -13310.5×9 0×1 0.5×2",
      "best first on both sides of 0")
    #expect(harness.book(Self.spread)?.freshness.state == .live)
    #expect(harness.tape(Self.spread)?.trades.first?.price.units == -1_331_050_000_000)
    let quote = harness.quote(Self.spread)
    #expect(quote?.price?.description == "-13310.5" && quote?.bid?.description == "-13311.0")
    #expect(quote?.freshness.state == .live)
  }

  @Test func `rows of a negative book are grouped outward, bids down and asks up`() throws {
    let harness = live()
    let grouping = try #require(PriceGrouping(ticks: 10))
    var session = harness.session
    let stream = Subscription(.book, Self.spread, grouping: grouping)
    _ = session.handle(.wanted([stream]), at: harness.now)
    guard case .book(let view)? = session.value(for: stream, at: harness.now) else {
      Issue.record("no book")
      return
    }
    let scale = Int64(100_000_000)
    #expect(view.bids.map { $0.price.units / scale } == [-13_315, -13_325])
    #expect(view.asks.map { $0.price.units / scale } == [-13_310, 0, 5])
  }

  @Test func `steps to group by go by the size of a price, whatever its sign`() {
    let tick = Price(units: 50_000_000)
    let below = PriceGrouping.choices(tick: tick, near: Price(units: -1_331_050_000_000))
    #expect(below == PriceGrouping.choices(tick: tick, near: Price(units: 1_331_050_000_000)))
    #expect(below.count > 3)
    #expect(PriceGrouping.choices(tick: tick, near: Price(units: .min)).count > 3)
    #expect(PriceGrouping.choices(tick: tick, near: Price(units: 0)) == [.none])
  }
}

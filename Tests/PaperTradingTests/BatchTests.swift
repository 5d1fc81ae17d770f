// Batches are stored together; a failed batch leaves no trace.

import MarketModel
import PaperTrading
import Testing

@Suite struct `Batches` {
  private struct Full: Error {}
  private let now = ClockReading(milliseconds: 9_000_000)

  private func place(_ name: String, _ desk: Desk, at limit: String) -> TradingInput {
    .place(
      OrderRequest(
        clientIdentifier: ClientOrderIdentifier(name) ?? unreachable(), symbol: Desk.stock,
        side: .buy, kind: .limit(desk.price(limit)), quantity: Quantity(units: 10)))
  }

  @Test func `a batch is stored at once and equals the same inputs one by one`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    var single = desk.trader
    let inputs = [
      place("a", desk, at: "45.20"), place("a", desk, at: "45.20"), place("b", desk, at: "45.00"),
      .cancel(OrderIdentifier(number: 2)),
    ]
    var stored: [[OrderEvent]] = []
    let decisions = desk.trader.handle(inputs, at: now) { events throws(Never) in
      stored.append(events)
    }
    let expected = inputs.map { single.handle($0, at: now) }
    #expect(decisions.map(\.reply) == expected.map(\.reply))
    #expect(stored == [expected.flatMap(\.events)])
    #expect(desk.trader.history == single.history)
    #expect(desk.trader.available(for: .buy) == single.available(for: .buy))
  }

  @Test func `nothing is stored when no order changes`() {
    var desk = Desk()
    var calls = 0
    let inputs: [TradingInput] = [
      .feed(.freshness(.stale), of: Desk.stock), .cancel(OrderIdentifier(number: 9)),
    ]
    _ = desk.trader.handle(inputs, at: now) { _ throws(Never) in calls += 1 }
    #expect(calls == 0)
  }

  @Test func `market data before what can't be stored takes effect`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    let before = desk.trader.history
    let tick = TopOfBook(number: 2, venueTime: 2, bid: nil, ask: desk.level("45.00 x 36"))
    #expect(throws: Full.self) {
      try desk.trader.handle(
        [.feed(.tick(tick), of: Desk.stock), place("x", desk, at: "45.00")], at: now
      ) { _ throws(Full) in throw Full() }
    }
    #expect(desk.trader.history == before && desk.trader.liveMarket == tick)
  }

  @Test func `a batch that can't be stored changes no order, and its tick fills nothing`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    desk.place(.buy, 10, at: "45.00")
    let before = desk.trader.history
    let tick = TopOfBook(number: 2, venueTime: 2, bid: nil, ask: desk.level("45.00 x 36"))
    #expect(throws: Full.self) {
      try desk.trader.handle(
        [.feed(.tick(tick), of: Desk.stock), place("x", desk, at: "45.00")], at: now
      ) {
        _ throws(Full) in throw Full()
      }
    }
    #expect(desk.trader.history == before)
    #expect(desk.trader.liveMarket == tick)
    #expect(desk.trader.available(for: .buy) == .zero)
    desk.tick(ask: "45.00 x 36")  // the same tick again offers nothing new
    #expect(desk.line(OrderIdentifier(number: 1)) == "PENDING 0/10")
    desk.tick(ask: "45.00 x 36")
    #expect(desk.line(OrderIdentifier(number: 1)) == "FILLED 10/10 at 45.00")
  }
}

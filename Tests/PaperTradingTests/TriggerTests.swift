// Orders that wait for a trade.

import MarketModel
import PaperTrading
import Testing

@Suite struct TriggerTests {
  @Test func `a stop waits for a trade at it or beyond and then takes the book as a market order`()
    throws
  {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5), (98, 4)], asks: [(101, 2)])
    let stop = desk.wait(.sell, 7, .stop, 97)
    #expect(
      desk.reports == [
        "Order waiting: sell 7 kraken:BTC/USD at the market after a trade at 97 or lower."
      ])
    desk.trade(98, 1, .sell)
    #expect(desk.trader.history.order(stop)?.isWaiting == true)
    desk.book(bids: [(95, 5), (94, 4)], asks: [(101, 2)])
    #expect(desk.trader.history.order(stop)?.isWaiting == true, "quotes trigger nothing")
    desk.trade(96, 1, .sell)
    #expect(
      desk.reports.first
        == "Stop triggered: sell 7 kraken:BTC/USD at the market; at 96, 1 beyond its trigger.")
    let order = try #require(desk.trader.history.order(stop))
    #expect(order.gap == Price(units: 1))
    #expect(order.activation?.proof.number == 2)
    #expect(desk.fills(stop) == [], "the book may not show yet what the trade took")
    desk.book(bids: [(95, 4), (94, 4)], asks: [(101, 2)])
    #expect(desk.fills(stop) == ["4 at 95", "3 at 94"])
    #expect(desk.trader.receipt(for: stop)?.arrivalPrice == Price(units: 95))
  }

  @Test func `a stop-limit rests at its limit once triggered, behind the queue there`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    let stop = desk.wait(.sell, 3, .stop, 97, .limit(Price(units: 96)))
    desk.book(bids: [(90, 5)], asks: [(95, 2), (96, 4)])
    desk.trade(95, 1, .sell)
    desk.book(bids: [(90, 5)], asks: [(95, 1), (96, 4)])
    #expect(desk.bounds(stop) == "0...0")
    #expect(!desk.isWaiting(stop))
    desk.trade(96, 4, .buy)
    #expect(desk.bounds(stop) == "0...3")
    desk.trade(96, 2, .buy)
    #expect(desk.fills(stop) == ["2 at 96, trade 3 after 4"])
  }

  @Test func `a take-profit triggers on the other side of the market`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    let sell = desk.wait(.sell, 1, .takeProfit, 105)
    let buy = desk.wait(.buy, 1, .takeProfit, 95)
    desk.trade(104, 1, .buy)
    desk.trade(96, 1, .sell)
    #expect([sell, buy].map(desk.isWaiting) == [true, true])
    desk.trade(105, 1, .buy)
    #expect([sell, buy].map(desk.isWaiting) == [false, true])
    desk.trade(90, 1, .sell)
    desk.book(bids: [(99, 4)], asks: [(101, 2)])
    #expect(desk.fills(sell) == ["1 at 99"])
    #expect(desk.fills(buy) == ["1 at 101"])
  }

  @Test func `a trade that arrives again triggers nothing`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    desk.trade(90, 1, .sell)
    desk.trade(99, 1, .sell)
    let stop = desk.wait(.sell, 1, .stop, 95)
    desk.feed(
      .trade(
        Trade(
          price: Price(units: 90), size: Quantity(units: 1), side: .sell,
          time: Timestamp(milliseconds: 9), arrival: 9, identifier: 1), priceScale: .whole,
        quantityScale: .whole))
    #expect(desk.isWaiting(stop))
  }

  @Test func `a market order triggered during an outage takes the first live book`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    let stop = desk.wait(.sell, 2, .stop, 95)
    let limit = desk.wait(.sell, 1, .stop, 95, .limit(Price(units: 80)))
    desk.feed(.freshness(.late))
    desk.trade(94, 1, .sell)
    #expect([stop, limit].map(desk.bounds) == ["0...0", "0...0"])
    desk.book(bids: [(90, 5)], asks: [(101, 2)])
    #expect(desk.fills(stop) == ["2 at 90"])
    #expect(desk.fills(limit) == ["1 at 90"], "not at its own limit, which it never rested at")
  }

  @Test func `missed trades leave the trigger in doubt, and the next trade beyond it is late`()
    throws
  {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    desk.trade(100, 1, .sell)
    let stop = desk.wait(.sell, 2, .stop, 95)
    let before = try #require(desk.trader.history.order(stop))
    #expect(before.missed == nil)
    desk.milliseconds += 5000
    desk.feed(.missedTrades)
    let order = try #require(desk.trader.history.order(stop))
    #expect(desk.bounds(stop) == "0...2")
    #expect(order.missed?.to == Timestamp(milliseconds: desk.milliseconds))
    #expect(order.missed?.from == before.placedAt)
    desk.trade(97, 1, .sell)
    #expect(desk.isWaiting(stop))
    desk.trade(95, 1, .sell)
    #expect(desk.trader.history.order(stop)?.activation?.isLate == true)
    #expect(desk.reports.first?.hasSuffix("at 95; late, because trades were missed.") == true)
  }

  @Test func `a cancelled order no longer waits`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    let stop = desk.wait(.sell, 2, .stop, 95, .limit(Price(units: 94)))
    desk.handle(.cancel(stop))
    desk.trade(90, 1, .sell)
    #expect(desk.bounds(stop) == "0...0")
    #expect(desk.trader.history.openCount == 0)
    #expect(desk.trader.history.openSymbols.isEmpty)
  }

  @Test(arguments: [Trigger.Kind.stop, .takeProfit], [Side.buy, .sell])
  func `a trigger on the wrong side of the last trade is refused with both prices`(
    kind: Trigger.Kind, side: Side
  ) throws {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    desk.trade(100, 1, .sell)
    let parser = TicketParser(rules: try #require(desk.trader.rules(of: MarketDesk.symbol)))
    let isRising = (kind == .stop) == (side == .buy)
    func parse(_ price: String, last: Int64?) throws -> OrderRequest {
      try parser.request(
        OrderTicket(
          clientIdentifier: try #require(ClientOrderIdentifier("a")), side: side, kind: .market,
          quantity: "1", trigger: TriggerTicket(kind, at: price)),
        market: desk.trader.market(of: MarketDesk.symbol)?.latest,
        last: last.map { Price(units: $0) })
    }
    #expect(try parse(isRising ? "101" : "99", last: 100).trigger?.kind == kind)
    let wrong = #expect(throws: TicketProblem.self) { try parse("100", last: 100) }
    #expect(wrong?.field == .trigger)
    #expect(
      wrong?.userMessage(under: parser.rules).description
        == "A \(kind == .stop ? "stop" : "take-profit") to \(side.rawValue) must be "
        + "\(isRising ? "above" : "below") the market; 100 would trigger at once: "
        + "the last price is 100.")
    // Before any trade, one is not known to be beyond the best level.
    #expect(throws: TicketProblem.self) { try parse(isRising ? "99" : "101", last: nil) }
    #expect(try parse("100", last: nil).trigger?.price == Price(units: 100))
    #expect(throws: TicketProblem.brokenTrigger(.priceNotPositive(Price(units: 0)), .trigger)) {
      try parse("0", last: 100)
    }
  }

  @Test func `the exchange's ticks trigger orders for its stock at the level that they take`() {
    var desk = Desk()
    desk.tick(bid: "99.00 x 5", ask: "101.00 x 5")
    let sell = desk.wait(.sell, 2, .stop, "95.00")
    let buy = desk.wait(.buy, 2, .stop, "105.00")
    desk.tick(bid: "96.00 x 5", ask: "104.00 x 5")
    #expect([sell, buy].map { desk.line($0) } == ["PENDING 0/2", "PENDING 0/2"])
    desk.tick(bid: "94.50 x 5", ask: "95.00 x 5")
    #expect(desk.line(sell) == "FILLED 2/2 at 94.50")
    #expect(desk.told.first?.contains("at 94.50, 0.50 beyond its trigger") == true)
    // Another run of the feed: ticks may be missing.
    desk.feed(.freshness(.waiting))
    desk.tick(bid: "94.50 x 5", ask: "106.00 x 5")
    #expect(desk.line(buy) == "FILLED 2/2 at 106.00")
    #expect(desk.trader.history.order(buy)?.activation?.isLate == true)
  }

  @Test(arguments: 1...UInt64(60))
  func `what is triggered, when and by which trade is what a naive reference finds`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var desk = MarketDesk()
    desk.book(bids: [(50, 500)], asks: [(150, 500)])
    var waiting: [(order: OrderIdentifier, isRising: Bool, price: Int64, side: Side)] = []
    var expected: [OrderIdentifier: Int64] = [:]
    for step in 1...60 as ClosedRange<Int64> {
      if random.below(3) == 0 {
        let side: Side = random.below(2) == 0 ? .buy : .sell
        let kind: Trigger.Kind = random.below(2) == 0 ? .stop : .takeProfit
        let price = 90 + random.below(21)
        let order = desk.wait(side, 1, kind, price)
        waiting.append((order, (kind == .stop) == (side == .buy), price, side))
      }
      if random.below(8) == 0, let some = waiting.popLast() { desk.handle(.cancel(some.order)) }
      let price = 90 + random.below(21)
      desk.trade(price, 1, random.below(2) == 0 ? .buy : .sell)
      for order in waiting where order.isRising ? price >= order.price : price <= order.price {
        expected[order.order] = step
      }
      waiting.removeAll { expected[$0.order] != nil }
    }
    for order in desk.trader.history.orders {
      #expect(order.activation?.proof.number == expected[order.identifier], "seed \(seed)")
    }
    // Replayed, the events lead to the same orders.
    #expect(
      (try? OrderHistory(replaying: desk.events))?.stateHash == desk.trader.history.stateHash)
  }
}

extension Desk {
  fileprivate mutating func wait(
    _ side: Side, _ quantity: Int64, _ kind: Trigger.Kind, _ price: String
  ) -> OrderIdentifier {
    let name = ClientOrderIdentifier("wait-\(trader.history.orders.count)") ?? unreachable()
    handle(
      .place(
        OrderRequest(
          clientIdentifier: name, symbol: Desk.stock, side: side, kind: .market,
          quantity: Quantity(units: quantity), trigger: Trigger(kind, at: self.price(price)))))
    return OrderIdentifier(number: UInt64(trader.history.orders.count))
  }
}

extension MarketDesk {
  mutating func wait(
    _ side: Side, _ quantity: Int64, _ kind: Trigger.Kind, _ price: Int64,
    _ then: OrderType = .market
  ) -> OrderIdentifier {
    let plain = request(side, quantity, then)
    handle(
      .place(
        OrderRequest(
          clientIdentifier: ClientOrderIdentifier("wait-\(trader.history.orders.count)")
            ?? unreachable(), symbol: plain.symbol, side: side, kind: then,
          quantity: plain.quantity, trigger: Trigger(kind, at: Price(units: price)))))
    return OrderIdentifier(number: UInt64(trader.history.orders.count))
  }

  func isWaiting(_ order: OrderIdentifier) -> Bool {
    trader.history.order(order)?.isWaiting == true
  }
}

// Orders that are on their way for a while before they act on the book.

import MarketModel
import PaperTrading
import TestSupport
import Testing

@Suite struct LatencyTests {
  private func desk(_ latency: Int64 = 80) -> MarketDesk {
    var desk = MarketDesk()
    desk.latency = latency
    desk.book(bids: [(99, 5)], asks: [(100, 5)])
    return desk
  }

  @Test func `an order takes the book at its arrival, and the receipt has both prices`() throws {
    var desk = desk()
    let order = desk.place(.buy, 3)
    #expect(desk.reports == ["Order sent: buy 3 kraken:BTC/USD at the market; it acts in 80 ms."])
    #expect(desk.status(order) == .pending && desk.fills(order).isEmpty)
    desk.milliseconds += 40
    desk.book(bids: [(101, 5)], asks: [(102, 5)])
    #expect(desk.fills(order).isEmpty, "still on its way")
    desk.milliseconds += 60
    // The book at its arrival is the one before this.
    desk.book(bids: [(109, 5)], asks: [(110, 5)])
    #expect(desk.fills(order) == ["3 at 102"])
    let receipt = try #require(desk.trader.receipt(for: order))
    #expect(receipt.submissionPrice == Price(units: 100))
    #expect(receipt.arrivalPrice == Price(units: 102))
    #expect(receipt.slippage?.notional == 0)
    let replayed = try OrderHistory(replaying: desk.events)
    #expect(replayed == desk.trader.history)
  }

  @Test func `without other input an order arrives with the time`() {
    var desk = desk()
    let order = desk.place(.buy, 3)
    #expect(desk.trader.history.symbols(dueAt: desk.now) == [])
    desk.milliseconds += 100
    #expect(desk.trader.history.symbols(dueAt: desk.now) == [MarketDesk.symbol])
    desk.feed(.time(afterStop: false))
    #expect(desk.fills(order) == ["3 at 100"])
    #expect(desk.trader.history.nextDue == nil)
  }

  @Test func `a trade on the way fills nothing, and the queue counts from the arrival`() {
    var desk = desk()
    let order = desk.place(.buy, 2, .limit(Price(units: 99)))
    desk.trade(98, 9, .sell)
    #expect(desk.bounds(order) == "0...0")
    desk.milliseconds += 100
    desk.feed(.time(afterStop: false))
    desk.trade(99, 6, .sell)
    #expect(desk.bounds(order) == "1...2")
  }

  @Test func `a post-only order that would take at its arrival is cancelled`() {
    var desk = desk()
    let order = desk.place(
      .buy, 2, .limit(Price(units: 99)), terms: OrderTerms(isPostOnly: true))
    desk.book(bids: [(97, 5)], asks: [(98, 5)])
    desk.milliseconds += 100
    desk.feed(.time(afterStop: false))
    #expect(desk.status(order) == .cancelled && desk.fills(order).isEmpty)
  }

  @Test func `a stop on the way is not triggered, and counts trades from its arrival`() {
    var desk = desk()
    let order = desk.place(.sell, 2, trigger: Trigger(.stop, at: Price(units: 95)))
    desk.trade(94, 1, .sell)
    #expect(desk.trader.history.order(order)?.activation == nil)
    desk.milliseconds += 100
    desk.trade(94, 1, .sell)
    #expect(desk.trader.history.order(order)?.activation?.proof.number == 2)
  }

  @Test func `an order on its way can be cancelled, but not amended`() {
    var desk = desk()
    let order = desk.place(.buy, 2, .limit(Price(units: 99)))
    desk.amend(order, quantity: 3, to: 98)
    #expect(desk.reply == .notAmended(order, .travelling))
    desk.handle(.cancel(order))
    #expect(desk.trader.history.order(order)?.isCancelling == true)
    desk.milliseconds += 100
    desk.feed(.time(afterStop: false))
    #expect(desk.status(order) == .cancelled)
    #expect(desk.trader.history.nextDue == nil && desk.trader.history.openCount == 0)
  }

  @Test(arguments: [nil, Trigger(.stop, at: Price(units: 120))])
  func `nothing is possibly filled of an order that is cancelled on its way`(trigger: Trigger?) {
    var desk = desk()
    let order = desk.place(.buy, 2, .limit(Price(units: 99)), trigger: trigger)
    // It overtakes the order, as the latency is gone.
    desk.latency = 0
    desk.book(bids: [(99, 5)], asks: [(100, 5)])
    desk.feed(.freshness(.resyncing))
    desk.handle(.cancel(order))
    #expect(desk.status(order) == .cancelled && desk.bounds(order) == "0...0")
  }

  @Test func `an order that arrives without a live book acts on the first one`() {
    var desk = desk()
    let order = desk.place(.buy, 3)
    desk.feed(.freshness(.late))
    desk.milliseconds += 100
    desk.feed(.time(afterStop: false))
    #expect(desk.status(order) == .pending)
    desk.book(bids: [(103, 5)], asks: [(104, 5)])
    #expect(desk.fills(order) == ["3 at 104"])
  }

  @Test func `a clock that is set back lets an order arrive at once`() {
    var desk = desk()
    let order = desk.place(.buy, 3)
    desk.milliseconds -= 3_600_000
    desk.feed(.time(afterStop: false))
    #expect(desk.fills(order) == ["3 at 100"])
  }

  @Test func `an order that arrives while the book is invalid may have filled whole`() {
    var desk = desk()
    let order = desk.place(.buy, 5)
    desk.feed(.freshness(.resyncing))
    desk.milliseconds += 100
    desk.feed(.time(afterStop: false))
    desk.book(bids: [(99, 5)], asks: [(100, 2)])
    #expect(desk.bounds(order) == "2...5" && desk.status(order) == .cancelled)
  }

  @Test func `the legs of a bracket arrive with it`() {
    var desk = desk()
    let order = desk.place(
      .buy, 2,
      exits: Exits(.bracket, stop: Price(units: 90), takeProfit: Price(units: 110)))
    desk.milliseconds += 100
    desk.feed(.time(afterStop: false))
    #expect(desk.fills(order) == ["2 at 100"])
    #expect(desk.trader.history.openOrders.allSatisfy { $0.isWaiting && !$0.isTravelling })
    desk.trade(110, 1, .buy)
    desk.book(bids: [(109, 5)], asks: [(111, 5)])
    #expect(desk.trader.history.openCount == 0)
    #expect(desk.trader.history.account(of: MarketDesk.symbol).quantity == .zero)
  }

  @Test func `the preview states the latency, which is bounded and none without a connection`() {
    let desk = desk()
    guard case .shown(let figures) = desk.trader.preview(desk.request(.buy, 1)) else {
      Issue.record("no figures")
      return
    }
    #expect(figures.latencyMilliseconds == 80)
    var status = ConnectionStatus(
      venue: .kraken, origin: .venue, since: ClockReading(milliseconds: 1))
    #expect(OrderLatency.measured.milliseconds(of: nil) == 0)
    #expect(OrderLatency.measured.milliseconds(of: status) == 0)
    status.roundTripMicroseconds = 45_900
    #expect(OrderLatency.measured.milliseconds(of: status) == 45)
    status.roundTripMicroseconds = .max
    #expect(OrderLatency.measured.milliseconds(of: status) == OrderLatency.maximumMilliseconds)
    status.origin = .simulated
    #expect(OrderLatency.measured.milliseconds(of: status) == 0)
    #expect(OrderLatency.fixed(milliseconds: -1).milliseconds(of: status) == 0)
    #expect(OrderLatency.fixed(milliseconds: 7).milliseconds(of: nil) == 7)
  }
}

// Cancellations and amendments that are on their way for a while before they act.

import MarketModel
import TestSupport
import Testing

@testable import PaperTrading

@Suite struct ChangeLatencyTests {
  /// A market with a latency of 80 ms, in which an order to buy 4 at 99 rests already.
  private func desk() -> (MarketDesk, OrderIdentifier) {
    var desk = MarketDesk()
    desk.book(bids: [(98, 5)], asks: [(100, 5)])
    let order = desk.place(.buy, 4, .limit(Price(units: 99)))
    desk.latency = 80
    desk.book(bids: [(99, 4), (98, 5)], asks: [(100, 5)])
    return (desk, order)
  }

  private func wait(_ desk: inout MarketDesk, _ milliseconds: Int64 = 100) {
    desk.milliseconds += milliseconds
    desk.feed(.time(afterStop: false))
  }

  private func replays(_ desk: MarketDesk) throws -> Bool {
    let history = try OrderHistory(replaying: desk.events)
    return history == desk.trader.history && history.stateHash == desk.trader.stateHash
  }

  @Test func `an order fills until its cancellation has reached the venue`() throws {
    var (desk, order) = desk()
    desk.handle(.cancel(order))
    #expect(desk.reply == .cancelled(order))
    #expect(desk.reports == ["Cancellation sent: buy 4 kraken:BTC/USD at 99; it acts in 80 ms."])
    #expect(desk.trader.history.order(order)?.isCancelling == true)
    desk.trade(98, 1, .sell)
    #expect(desk.bounds(order) == "1...1" && desk.status(order) == .partiallyFilled)
    wait(&desk)
    #expect(desk.status(order) == .cancelled && desk.trader.history.nextDue == nil)
    #expect(
      desk.reports == [
        "Order cancelled: buy 3 of 4 kraken:BTC/USD at 99; 1 had been bought."
      ])
    desk.trade(98, 9, .sell)
    #expect(desk.bounds(order) == "1...1")
    #expect(try replays(desk))
  }

  @Test func `a fill of the whole order overtakes its cancellation`() throws {
    var (desk, order) = desk()
    desk.handle(.cancel(order))
    desk.trade(98, 9, .sell)
    #expect(desk.status(order) == .filled)
    #expect(desk.trader.history.nextDue == nil)
    let count = desk.events.count
    wait(&desk)
    #expect(desk.events.count == count && desk.reports.isEmpty)
    #expect(desk.trader.history.order(order)?.isCancelling == false)
    #expect(try replays(desk))
  }

  @Test func `a repeated cancellation is the same one`() {
    var (desk, order) = desk()
    desk.handle(.cancel(order))
    let due = desk.trader.history.nextDue
    desk.milliseconds += 40
    let count = desk.events.count
    desk.handle(.cancel(order))
    desk.handle(.cancelAll(through: order))
    #expect(desk.events.count == count && desk.trader.history.nextDue == due)
    wait(&desk, 50)
    #expect(desk.status(order) == .cancelled)
  }

  @Test func `an amended order fills as before until the amendment arrives`() throws {
    var (desk, order) = desk()
    desk.amend(order, quantity: 4, to: 97)
    #expect(desk.reply == .amended(order, isRepeated: false))
    #expect(desk.reports == ["Amendment sent: buy 4 kraken:BTC/USD at 99; it acts in 80 ms."])
    desk.trade(98, 1, .sell)
    #expect(desk.fills(order) == ["1 at 99, trade 1"])
    wait(&desk)
    let amended = try #require(desk.trader.history.order(order))
    #expect(amended.request.kind.limit == Price(units: 97) && !amended.isAmending)
    desk.trade(98, 1, .sell)
    #expect(desk.bounds(order) == "1...1")
    #expect(try replays(desk))
  }

  @Test func `an amendment that is no longer possible at its arrival is refused there`() throws {
    var (desk, order) = desk()
    desk.amend(order, quantity: 2, to: 99)
    desk.trade(98, 3, .sell)
    wait(&desk)
    #expect(desk.reports.count == 1)
    #expect(
      desk.reports.first?.hasPrefix(
        "Not amended: buy 4 kraken:BTC/USD at 99. 3 are filled already") == true)
    #expect(desk.bounds(order) == "3...3" && desk.status(order) == .partiallyFilled)
    #expect(desk.trader.history.order(order)?.isAmending == false)
    // Its name is free again.
    #expect(
      !desk.trader.history.knowsAmendment(named: try #require(ClientOrderIdentifier("amend-2"))))
    #expect(try replays(desk))
  }

  @Test(arguments: [2, 4, 9] as [Int64])
  func `a quantity can't change once as much may have filled`(quantity: Int64) throws {
    var (desk, order) = desk()
    desk.trade(99, 4, .buy)
    desk.amend(order, quantity: quantity, to: 98)
    let isKept = quantity == 4
    #expect(
      desk.reply
        == (isKept
          ? .amended(order, isRepeated: false)
          : .notAmended(order, .mayBeFilled(Quantity(units: 4)))))
    #expect(desk.bounds(order) == "0...4")
    #expect(desk.trader.history.order(order)?.isAmending == isKept)
  }

  @Test(arguments: [(2, "0...4", 2), (9, "0...9", 4)])
  func `an amendment that a fill may overtake leaves the smaller quantity and the larger doubt`(
    quantity: Int64, bounds: String, rest: Int64
  ) throws {
    var (desk, order) = desk()
    let request = AmendRequest(
      clientIdentifier: try #require(ClientOrderIdentifier("a")), order: order,
      quantity: Quantity(units: quantity), price: Price(units: 98))
    desk.handle(.amend(request))
    desk.trade(99, 4, .buy)
    wait(&desk)
    #expect(desk.bounds(order) == bounds)
    let isReported = desk.reports.contains {
      $0.hasPrefix("Amendment in doubt: buy 4 kraken:BTC/USD")
    }
    #expect(isReported)
    desk.handle(.amend(request))
    #expect(desk.reply == .amended(order, isRepeated: true))
    desk.trade(97, 9, .sell)
    #expect(desk.bounds(order) == bounds.replacing("0...", with: "\(rest)..."))
    #expect(desk.status(order) == .filled)
    #expect(desk.trader.history.order(order)?.hasMissedTrades == false)
    #expect(try replays(desk))
  }

  @Test func `changes act in the order in which they were sent, and one amendment at a time`()
    throws
  {
    var (desk, order) = desk()
    desk.amend(order, quantity: 3, to: 99)
    desk.amend(order, quantity: 2, to: 99)
    #expect(desk.reply == .notAmended(order, .amending))
    // A cancellation that would be faster waits for it.
    desk.latency = 10
    desk.book(bids: [(99, 4), (98, 5)], asks: [(100, 5)])
    desk.handle(.cancel(order))
    desk.amend(order, quantity: 2, to: 99)
    #expect(desk.reply == .notAmended(order, .cancelling))
    desk.milliseconds += 30
    desk.feed(.time(afterStop: false))
    #expect(desk.status(order) == .pending)
    wait(&desk)
    let ended = try #require(desk.trader.history.order(order))
    #expect(ended.amendments == 1 && ended.cancelledQuantity == Quantity(units: 3))
    #expect(try replays(desk))
  }

  @Test func `a repeated amendment on its way is the same one, and its name is taken`() throws {
    var (desk, order) = desk()
    let request = AmendRequest(
      clientIdentifier: try #require(ClientOrderIdentifier("a")), order: order,
      quantity: Quantity(units: 3), price: nil)
    desk.handle(.amend(request))
    let count = desk.events.count
    desk.handle(.amend(request))
    #expect(desk.reply == .amended(order, isRepeated: true) && desk.events.count == count)
    desk.handle(
      .amend(
        AmendRequest(
          clientIdentifier: request.clientIdentifier, order: order, quantity: Quantity(units: 2),
          price: nil)))
    #expect(desk.reply == .notAmended(order, .nameUsed(order)))
    desk.handle(
      .place(
        OrderRequest(
          clientIdentifier: request.clientIdentifier, symbol: MarketDesk.symbol, side: .buy,
          kind: .market, quantity: Quantity(units: 1))))
    #expect(desk.reply == .repeated(order, isSameRequest: false))
    wait(&desk)
    desk.handle(.amend(request))
    #expect(desk.reply == .amended(order, isRepeated: true))
    #expect(desk.trader.history.order(order)?.amendments == 1)
  }

  @Test func `without latency a change acts at once, and stores no request`() {
    var (desk, order) = desk()
    desk.latency = 0
    desk.book(bids: [(99, 4)], asks: [(100, 5)])
    desk.amend(order, quantity: 3, to: 98)
    desk.handle(.cancel(order))
    #expect(desk.status(order) == .cancelled)
    #expect(!desk.events.contains { if case .requested = $0.change { true } else { false } })
  }

  @Test func `all orders are cancelled with the latency of their markets, by one reply`() throws {
    var (desk, order) = desk()
    let other = desk.place(.buy, 1, .limit(Price(units: 90)))
    wait(&desk)
    desk.handle(.cancelAll(through: other))
    #expect(desk.reply == .cancelledAll(count: 2) && desk.trader.history.openCount == 2)
    wait(&desk)
    #expect(desk.reports.isEmpty && desk.trader.history.openCount == 0)
    #expect(desk.status(order) == .cancelled && desk.status(other) == .cancelled)
    #expect(try replays(desk))
  }

  @Test func `a stop that is being cancelled triggers until then`() throws {
    var (desk, _) = desk()
    let stop = desk.place(.sell, 2, trigger: Trigger(.stop, at: Price(units: 95)))
    wait(&desk)
    desk.handle(.cancel(stop))
    desk.trade(94, 1, .sell)
    #expect(desk.trader.history.order(stop)?.activation != nil)
    desk.book(bids: [(93, 5)], asks: [(101, 5)])
    #expect(desk.fills(stop) == ["2 at 93"] && desk.status(stop) == .filled)
    #expect(try replays(desk))
  }

  @Test func `a change that is due when the program starts acts then, and leaves its doubt`() throws
  {
    var (desk, order) = desk()
    desk.handle(.cancel(order))
    var next = MarketDesk(history: try OrderHistory(replaying: desk.events))
    next.milliseconds = desk.milliseconds + 5000
    #expect(next.trader.history.symbols(dueAt: next.now) == [MarketDesk.symbol])
    next.feed(.time(afterStop: true))
    #expect(next.status(order) == .cancelled && next.bounds(order) == "0...4")
  }

  @Test func `a clock that is set back lets a change act at once`() {
    var (desk, order) = desk()
    desk.handle(.cancel(order))
    desk.milliseconds -= 3_600_000
    desk.feed(.time(afterStop: false))
    #expect(desk.status(order) == .cancelled)
  }

  @Test func `events of changes that can't be sent or refused are rejected`() throws {
    let (desk, order) = desk()
    let history = desk.trader.history
    let name = try #require(ClientOrderIdentifier("a"))
    func problem(_ changes: ChangeRequest...) -> OrderEventProblem? {
      var copy = history
      do throws(OrderEventProblem) {
        for change in changes {
          try copy.apply(
            OrderEvent(
              sequence: copy.lastSequence + 1, time: Timestamp(milliseconds: 1_000_000),
              change: .requested(order, change)))
        }
        return nil
      } catch {
        return error
      }
    }
    func amend(_ order: OrderIdentifier, _ name: ClientOrderIdentifier) -> ChangeRequest {
      .amend(
        AmendRequest(clientIdentifier: name, order: order, quantity: nil, price: nil),
        milliseconds: 80)
    }
    let placed = try #require(history.order(order)?.request.clientIdentifier)
    #expect(problem(.cancel(milliseconds: 80)) == nil)
    #expect(problem(amend(order, name), .cancel(milliseconds: 1)) == nil)
    #expect(problem(amend(order, name), .refused, amend(order, name)) == nil)
    let bad = OrderEventProblem.badRequest(order)
    #expect(problem(.cancel(milliseconds: 80), .cancel(milliseconds: 80)) == bad)
    #expect(problem(.cancel(milliseconds: 80), amend(order, name)) == bad)
    #expect(problem(.refused) == bad)
    #expect(problem(.cancel(milliseconds: 80), .refused) == bad)
    for milliseconds in [0, -1, OrderLatency.maximumMilliseconds + 1, .min, .max] {
      #expect(problem(.cancel(milliseconds: milliseconds)) == bad)
    }
    #expect(problem(amend(OrderIdentifier(number: 9), name)) == bad)
    #expect(problem(amend(order, placed)) == .clientIdentifierTwice(placed))
    #expect(problem(amend(order, name), amend(order, name)) == .clientIdentifierTwice(name))
  }
}

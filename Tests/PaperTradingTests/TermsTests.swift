// Post-only, reduce-only and orders with a time of expiry.

import MarketModel
import PaperTrading
import TestSupport
import Testing

@Suite struct TermsTests {
  @Test func `a post-only order is refused if it would take, and never takes once it rests`() throws
  {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    desk.place(.buy, 4, .limit(Price(units: 101)), OrderTerms(isPostOnly: true))
    #expect(desk.reply == .rejected(OrderIdentifier(number: 1), desk.wouldTake(101, 101)))
    #expect(
      desk.reports.first?.contains(
        "A post-only order must not trade at once; at 101 it would, because the best offer is 101.")
        == true)
    let order = desk.place(.buy, 4, .limit(Price(units: 100)), OrderTerms(isPostOnly: true))
    desk.book(bids: [(97, 5)], asks: [(98, 1), (101, 2)])
    #expect(desk.fills(order) == ["1 at 100"], "met at its own limit")
    desk.amend(order, quantity: 9, to: 101)
    #expect(desk.reply == .notAmended(order, .broken(desk.wouldTake(101, 98))))
    desk.feed(.freshness(.late))
    desk.amend(order, quantity: 9, to: 90)
    #expect(desk.reply == .notAmended(order, .broken(.postOnlyNotLive(.late))))
    desk.amend(order, quantity: 3, to: 100)
    #expect(desk.reply == .amended(order, isRepeated: false), "it keeps its place")
  }

  @Test func `a resting post-only order for the stock fills at its limit`() throws {
    var desk = Desk()
    desk.tick(ask: "45.10 x 10")
    let limit = desk.price("45.05")
    let order = OrderIdentifier(number: 1)
    desk.handle(
      .place(
        OrderRequest(
          clientIdentifier: try #require(ClientOrderIdentifier("post")), symbol: Desk.stock,
          side: .buy, kind: .limit(limit), quantity: Quantity(units: 4),
          terms: OrderTerms(isPostOnly: true))))
    desk.tick(ask: "45.00 x 10")
    #expect(desk.trader.history.order(order)?.life.fills?.fills.map(\.fill.price) == [limit])
  }

  @Test func `a reduce-only order closes the position at most, and ends with it`() throws {
    var desk = MarketDesk()
    desk.book(bids: [(99, 50)], asks: [(101, 50)])
    let terms = OrderTerms(isReduceOnly: true)
    desk.place(.sell, 1, .limit(Price(units: 110)), terms)
    #expect(desk.reply == .rejected(OrderIdentifier(number: 1), .nothingToReduce))
    desk.place(.buy, 10)
    desk.place(.buy, 1, .market, terms)
    #expect(desk.reply == .rejected(OrderIdentifier(number: 3), .nothingToReduce))
    desk.place(.sell, 11, .market, terms)
    #expect(
      desk.reply
        == .rejected(
          OrderIdentifier(number: 4),
          .reducesMore(Quantity(units: 11), position: Quantity(units: 10))))
    let first = desk.place(.sell, 10, .limit(Price(units: 105)), terms)
    let second = desk.place(.sell, 7, .limit(Price(units: 106)), terms)
    for (quantity, isAccepted) in [(11, false), (8, true)] as [(Int64, Bool)] {
      desk.handle(
        .amend(
          AmendRequest(
            clientIdentifier: try #require(ClientOrderIdentifier("to-\(quantity)")),
            order: second, quantity: Quantity(units: quantity), price: nil)))
      let refused = TradingReply.notAmended(
        second, .broken(.reducesMore(Quantity(units: 11), position: Quantity(units: 10))))
      #expect(desk.reply == (isAccepted ? .amended(second, isRepeated: false) : refused))
    }
    desk.place(.sell, 4)
    #expect(desk.position == 6)
    // All ten would fill, and then the eight.
    desk.book(bids: [(107, 50)], asks: [(109, 50)])
    #expect(desk.bounds(first) == "6...6")
    #expect(desk.bounds(second) == "0...0")
    #expect(desk.position == 0)
    #expect(
      [first, second].map(desk.end)
        == Array(
          repeating: "Cancelled: nothing was left of the position to reduce.", count: 2))
  }

  @Test func `a reduce-only stop is cut to the position when it triggers`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 50)], asks: [(101, 50)])
    desk.place(.buy, 10)
    let stop = desk.place(
      .sell, 10, .market, OrderTerms(isReduceOnly: true), Trigger(.stop, at: Price(units: 95)))
    desk.place(.sell, 7)
    desk.trade(95, 1, .sell)
    desk.book(bids: [(94, 50)], asks: [(101, 50)])
    #expect(desk.fills(stop) == ["3 at 94"])
    #expect(desk.trader.history.order(stop)?.life.status == .filled)
    #expect(desk.position == 0)
  }

  @Test func `a triggered reduce-only order ends with the position that a resting one closes`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 50)], asks: [(101, 50)])
    desk.place(.buy, 10)
    let terms = OrderTerms(isReduceOnly: true)
    let stop = desk.place(.sell, 10, .market, terms, Trigger(.stop, at: Price(units: 95)))
    let limit = desk.place(.sell, 10, .limit(Price(units: 102)), terms)
    desk.trade(95, 1, .sell)
    desk.book(bids: [(102, 50)], asks: [(103, 50)])
    #expect([limit, stop].map(desk.bounds) == ["10...10", "0...0"])
    #expect(desk.end(stop) == "Cancelled: nothing was left of the position to reduce.")
    #expect(desk.position == 0)
  }

  @Test func `an order ends at its time, by whatever its market receives next`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    let terms = OrderTerms(expiry: Timestamp(milliseconds: desk.milliseconds + 100))
    let limit = desk.place(.buy, 4, .limit(Price(units: 98)), terms)
    let stop = desk.place(.sell, 4, .market, terms, Trigger(.stop, at: Price(units: 95)))
    let other = desk.place(.buy, 1, .limit(Price(units: 97)))
    desk.book(bids: [(99, 4)], asks: [(101, 2)])
    #expect(desk.trader.history.openCount == 3)
    desk.milliseconds += 100
    desk.trade(90, 9, .sell)
    #expect(
      [limit, stop].map(desk.end) == Array(repeating: "Cancelled: its time was up.", count: 2))
    #expect(desk.reports.first == "Order expired: buy 4 of 4 kraken:BTC/USD at 98.")
    #expect([limit, stop].map(desk.bounds) == ["0...0", "0...0"], "before the trade")
    #expect(desk.bounds(other) == "1...1")
  }

  @Test func `after a stop an expired order may have filled, and its receipt says so`() throws {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    let terms = OrderTerms(expiry: Timestamp(milliseconds: desk.milliseconds + 100))
    let limit = desk.place(.buy, 4, .limit(Price(units: 98)), terms)
    let stop = desk.place(.sell, 4, .market, terms, Trigger(.stop, at: Price(units: 95)))
    var later = MarketDesk(history: try OrderHistory(replaying: desk.events))
    later.milliseconds = desk.milliseconds + 500
    later.feed(.time(afterStop: true))
    #expect([limit, stop].map(later.bounds) == ["0...4", "0...4"])
    #expect(
      [limit, stop].map(later.end)
        == Array(
          repeating: "Cancelled: its time was up while Livetape was not running.", count: 2))
    #expect(later.trader.history.order(stop)?.missed != nil)
  }

  @Test func `terms that an order can't have are refused`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    let limit = OrderType.limit(Price(units: 98))
    let soon = Timestamp(milliseconds: desk.milliseconds + 1000)
    let stop = Trigger(.stop, at: Price(units: 95))
    let bad: [(OrderType, OrderTerms, Trigger?, RejectionReason)] = [
      (.market, OrderTerms(isPostOnly: true), nil, .badTerms),
      (.immediateOrCancel(Price(units: 98)), OrderTerms(isPostOnly: true), nil, .badTerms),
      (limit, OrderTerms(isPostOnly: true), stop, .badTerms),
      (.market, OrderTerms(expiry: soon), nil, .badTerms),
      (limit, OrderTerms(expiry: Timestamp(milliseconds: desk.milliseconds)), nil, .badExpiry),
      (
        limit, OrderTerms(expiry: Timestamp(milliseconds: soon.milliseconds + 367 * 86_400_000)),
        nil, .badExpiry
      ),
    ]
    for (kind, terms, trigger, reason) in bad {
      let order = desk.place(.sell, 1, kind, terms, trigger)
      #expect(desk.reply == .rejected(order, reason))
    }
  }

  @Test(arguments: 1...UInt64(repetitions(100, all: 5000)))
  func `no fill of a reduce-only order opens or enlarges a position`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var desk = MarketDesk()
    for _ in 0..<60 {
      let side: Side = random.below(2) == 0 ? .buy : .sell
      let price = Price(units: 95 + random.below(11))
      switch random.below(6) {
      case 0: desk.trade(price.units, 1 + random.below(9), side)
      case 1:
        let bid = 95 + random.below(10)
        desk.book(
          bids: [(bid, 1 + random.below(9))],
          asks: [(bid + 1 + random.below(3), 1 + random.below(9))])
      case 2: desk.place(side, 1 + random.below(9))
      default:
        let kinds: [OrderType] = [.market, .limit(price), .limit(price), .fillOrKill(price)]
        desk.place(
          side, 1 + random.below(6), kinds[Int(random.below(4))], OrderTerms(isReduceOnly: true),
          random.below(3) == 0 ? Trigger(.stop, at: price) : nil)
      }
    }
    var history = OrderHistory()
    for event in desk.events {
      let before = history.account(of: MarketDesk.symbol).quantity.units
      try history.apply(event)
      let after = history.account(of: MarketDesk.symbol).quantity.units
      guard case .filled(let order, _) = event.change,
        history.order(order)?.request.terms.isReduceOnly == true
      else { continue }
      #expect(abs(after) < abs(before) && after * before >= 0, "seed \(seed)")
    }
    #expect(history.stateHash == desk.trader.history.stateHash)
    // None is left open without a position.
    let open = history.openOrders.filter(\.request.terms.isReduceOnly)
    for order in open {
      #expect(order.request.side == .sell ? desk.position > 0 : desk.position < 0, "seed \(seed)")
    }
  }
}

extension MarketDesk {
  @discardableResult
  fileprivate mutating func place(
    _ side: Side, _ quantity: Int64, _ kind: OrderType, _ terms: OrderTerms,
    _ trigger: Trigger? = nil
  ) -> OrderIdentifier {
    handle(
      .place(
        OrderRequest(
          clientIdentifier: ClientOrderIdentifier("terms-\(trader.history.orders.count)")
            ?? unreachable(), symbol: MarketDesk.symbol, side: side, kind: kind,
          quantity: Quantity(units: quantity), trigger: trigger, terms: terms)))
    return OrderIdentifier(number: UInt64(trader.history.orders.count))
  }

  fileprivate func wouldTake(_ limit: Int64, _ best: Int64) -> RejectionReason {
    .wouldTake(Price(units: limit), best: Price(units: best))
  }

  fileprivate var position: Int64 { trader.history.account(of: MarketDesk.symbol).quantity.units }

  /// Why the order ended.
  fileprivate func end(_ order: OrderIdentifier) -> String? {
    trader.rules(of: MarketDesk.symbol).flatMap {
      trader.receipt(for: order)?.unfilled?.text(under: $0).description
    }
  }
}

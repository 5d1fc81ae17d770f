// Stops that follow the best traded price.

import MarketModel
import PaperTrading
import TestSupport
import Testing

@Suite struct TrailingTests {
  @Test func `a trailing stop follows the best trade since it was placed and never moves back`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    desk.trade(100, 1, .buy)
    let stop = desk.trail(.sell, 2, .distance(Price(units: 5)))
    #expect(
      desk.reports == [
        "Order waiting: sell 2 kraken:BTC/USD at the market after a trade at 95 or lower, "
          + "trailing by 5."
      ])
    desk.book(bids: [(120, 5)], asks: [(121, 2)])
    #expect(desk.stop(stop) == 95, "quotes move nothing")
    desk.trade(103, 1, .buy)
    #expect(desk.stop(stop) == 98)
    desk.trade(99, 1, .sell)
    #expect(desk.stop(stop) == 98)
    desk.trade(98, 1, .sell)
    #expect(!desk.isWaiting(stop))
    desk.book(bids: [(97, 5)], asks: [(99, 2)])
    #expect(desk.fills(stop) == ["2 at 97"])
  }

  @Test func `a distance in percent is one of the best price, rounded away from it`() {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    let sell = desk.trail(.sell, 1, .basisPoints(250))
    let buy = desk.trail(.buy, 1, .basisPoints(250))
    // 2.5 % of the bid and of the ask: no trade has arrived yet.
    #expect([sell, buy].map(desk.stop) == [96, 104])
    desk.trade(200, 1, .buy)
    #expect(!desk.isWaiting(buy))
    #expect(desk.stop(sell) == 195)
  }

  @Test func `a stop follows in steps of a hundredth of its distance`() {
    var desk = MarketDesk()
    desk.book(bids: [(9_999, 5)], asks: [(10_001, 2)])
    desk.trade(10_000, 1, .buy)
    let stop = desk.trail(.sell, 1, .distance(Price(units: 1000)))
    desk.trade(10_009, 1, .buy)
    #expect(desk.stop(stop) == 9000)
    desk.trade(10_010, 1, .buy)
    #expect(desk.stop(stop) == 9010)
  }

  @Test func `a stop with no price to follow, or an invalid distance, is refused`() {
    var desk = MarketDesk()
    desk.book(bids: [], asks: [(101, 2)])
    let order = desk.trail(.sell, 1, .distance(Price(units: 5)))
    #expect(desk.reply == .rejected(order, .noPriceToTrail), "no bid to follow")
    desk.trade(100, 1, .buy)
    for trail in [
      Trail.distance(Price(units: 0)), .distance(Price(units: 100)), .basisPoints(0),
      .basisPoints(5001),
    ] {
      let order = desk.trail(.sell, 1, trail)
      #expect(desk.reply == .rejected(order, .badTrail))
    }
    var stock = Desk()
    stock.handle(
      .place(
        OrderRequest(
          clientIdentifier: ClientOrderIdentifier("a") ?? unreachable(), symbol: Desk.stock,
          side: .sell, kind: .market, quantity: Quantity(units: 1),
          trigger: Trigger(.stop, at: Price(units: 0), trail: .basisPoints(100)))))
    #expect(stock.reply == .rejected(OrderIdentifier(number: 1), .noPriceToTrail))
  }

  @Test func `the stock's ticks move it, each by the level that the order would take`() {
    var desk = Desk()
    desk.tick(bid: "45.00 x 9", ask: "45.10 x 9")
    desk.handle(
      .place(
        OrderRequest(
          clientIdentifier: ClientOrderIdentifier("a") ?? unreachable(), symbol: Desk.stock,
          side: .sell, kind: .market, quantity: Quantity(units: 1),
          trigger: Trigger(.stop, at: Price(units: 0), trail: .distance(desk.price("0.50"))))))
    let order = OrderIdentifier(number: 1)
    desk.tick(bid: "46.00 x 9", ask: "47.10 x 9")
    #expect(desk.trader.history.order(order)?.request.trigger?.price == desk.price("45.50"))
    desk.tick(bid: "45.40 x 9", ask: "47.10 x 9")
    #expect(desk.trader.history.order(order)?.life.status == .filled)
  }

  @Test func `after a restart it keeps its stop, is in doubt, and is the same order if sent again`()
    throws
  {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 2)])
    desk.trade(100, 1, .buy)
    let stop = desk.trail(.sell, 2, .distance(Price(units: 5)))
    desk.trade(110, 1, .buy)
    var later = MarketDesk(history: try OrderHistory(replaying: desk.events))
    later.milliseconds = desk.milliseconds
    #expect(later.trader.history.stateHash == desk.trader.history.stateHash)
    later.feed(.missedTrades)
    #expect(later.bounds(stop) == "0...2")
    #expect(later.stop(stop) == 105)
    let first = try #require(later.trader.history.order(stop)?.original)
    later.handle(.place(first))
    #expect(later.reply == .repeated(stop, isSameRequest: true))
    later.trade(104, 1, .sell)
    #expect(later.trader.history.order(stop)?.activation?.isLate == true)
  }

  @Test(arguments: 1...UInt64(repetitions(100, all: 5000)))
  func `it triggers where a plain reference does`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var desk = MarketDesk()
    desk.book(bids: [(999, 5)], asks: [(1001, 2)])
    desk.trade(1000, 1, .buy)
    let side: Side = random.below(2) == 0 ? .buy : .sell
    let distance = 1 + random.below(30)
    let stop = desk.trail(side, 1, .distance(Price(units: distance)))
    var (price, best) = (Int64(1000), Int64(1000))
    for _ in 0..<200 {
      price += random.below(9) - 4
      let limit = side == .sell ? best - distance : best + distance
      let isMet = side == .sell ? price <= limit : price >= limit
      desk.trade(price, 1, .buy)
      #expect(desk.isWaiting(stop) == !isMet, "seed \(seed)")
      if isMet { return }
      best = side == .sell ? max(best, price) : min(best, price)
      #expect(desk.stop(stop) == (side == .sell ? best - distance : best + distance))
    }
  }
}

extension MarketDesk {
  fileprivate mutating func trail(_ side: Side, _ quantity: Int64, _ trail: Trail)
    -> OrderIdentifier
  {
    handle(
      .place(
        OrderRequest(
          clientIdentifier: ClientOrderIdentifier("trail-\(trader.history.orders.count)")
            ?? unreachable(), symbol: MarketDesk.symbol, side: side, kind: .market,
          quantity: Quantity(units: quantity),
          trigger: Trigger(.stop, at: Price(units: 0), trail: trail))))
    return OrderIdentifier(number: UInt64(trader.history.orders.count))
  }

  fileprivate func stop(_ order: OrderIdentifier) -> Int64? {
    trader.history.order(order)?.request.trigger?.price.units
  }
}

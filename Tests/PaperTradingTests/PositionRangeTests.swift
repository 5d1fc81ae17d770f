// What a position and its equity may be while fills are possible.

import MarketModel
import PaperTrading
import TestSupport
import Testing

@Suite struct PositionRangeTests {
  private func range(_ desk: MarketDesk) -> PositionRange? {
    desk.trader.position(of: MarketDesk.symbol, minutes: EquityLine()).range
  }

  @Test func `a possible fill widens quantity and equity until it is certain`() throws {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 5)])
    #expect(range(desk) == nil)
    desk.place(.buy, 4, .limit(Price(units: 99)))
    #expect(range(desk) == nil)
    desk.trade(99, 3, .sell)
    desk.book(bids: [(90, 5)], asks: [(100, 5)])
    let possible = try #require(range(desk))
    #expect(possible.low == .zero && possible.high == Quantity(units: 3))
    // Bought at 99, it could be sold at 90.
    #expect(possible.equity?.low == WideInteger(-27) && possible.equity?.high == .zero)
    #expect(desk.trader.history.tradedSymbols == [MarketDesk.symbol])
    desk.trade(98, 9, .sell)
    #expect(range(desk) == nil)
  }

  @Test func `possible fills of both sides bound the position from both sides`() throws {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 5)])
    desk.place(.buy, 2, .limit(Price(units: 99)))
    desk.place(.sell, 3, .limit(Price(units: 101)))
    desk.feed(.missedTrades)
    let possible = try #require(range(desk))
    #expect(possible.low == Quantity(units: -3) && possible.high == Quantity(units: 2))
    // Each could be closed at the other side's price: no gain, and no loss at the limits.
    #expect(possible.equity?.low == .zero && possible.equity?.high == .zero)
  }

  @Test func `fees of a possible fill count, and without a price there is no equity`() throws {
    var desk = MarketDesk()
    desk.fees = FeeRates(maker: 10_000, taker: 10_000)
    desk.book(bids: [(100, 5)], asks: [(101, 5)])
    desk.place(.buy, 1, .limit(Price(units: 100)))
    desk.feed(.missedTrades)
    #expect(try #require(range(desk)).equity?.low == WideInteger(-1))
    desk.feed(.ended)
    let unknown = try #require(range(desk))
    #expect(unknown.high == Quantity(units: 1) && unknown.equity == nil)
  }

  @Test(arguments: 1...UInt64(repetitions(200, all: 5000)))
  func `whatever part of what is possible was filled, the position is within its range`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var desk = MarketDesk()
    desk.book(bids: [(99, 50)], asks: [(101, 50)])
    for _ in 0..<6 {
      let side: Side = random.below(2) == 0 ? .buy : .sell
      desk.place(side, 1 + random.below(9), .limit(Price(units: 95 + random.below(10))))
    }
    desk.feed(.missedTrades)
    let report = desk.trader.position(of: MarketDesk.symbol, minutes: EquityLine())
    let exit = Price(units: report.account.quantity < .zero ? 101 : 99)
    let certain =
      report.account.quantity == .zero
      ? report.account.cash : report.account.equity(at: exit)
    var (quantity, equity) = (report.account.quantity.units, certain)
    for order in desk.trader.history.openOrders {
      let filled = random.below(order.openQuantity.units + 1)
      let isBuy = order.request.side == .buy
      let isLong = report.account.quantity == .zero ? isBuy : report.account.quantity > .zero
      let limit = try #require(order.request.kind.limit).units
      let gain = (isLong ? 99 : 101) - limit
      quantity += isBuy ? filled : -filled
      equity = equity + WideInteger(filled, times: isBuy ? gain : -gain)
    }
    let range = report.range
    #expect(quantity >= range?.low.units ?? quantity, "seed \(seed)")
    #expect(quantity <= range?.high.units ?? quantity, "seed \(seed)")
    #expect(equity >= range?.equity?.low ?? equity, "seed \(seed)")
    #expect(equity <= range?.equity?.high ?? equity, "seed \(seed)")
  }
}

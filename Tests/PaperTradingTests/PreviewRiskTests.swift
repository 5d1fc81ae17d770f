// What a preview states besides its fill: slippage, the position after it, the usual size.

import MarketModel
import Testing

@testable import PaperTrading

@Suite struct PreviewRiskTests {
  private func risk(_ desk: MarketDesk, _ request: OrderRequest) throws -> TicketPreview.Risk {
    guard case .shown(let figures) = desk.trader.preview(request) else {
      throw UnexpectedPreview()
    }
    return figures.risk
  }

  private struct UnexpectedPreview: Error {}

  @Test func `slippage is the average against the middle, rounded against the user`() throws {
    var desk = MarketDesk()
    desk.book(bids: [(9_990, 5), (9_980, 5)], asks: [(10_010, 5), (10_020, 5)])
    #expect(try risk(desk, desk.request(.buy, 5)).slippage == 10)
    #expect(try risk(desk, desk.request(.sell, 5)).slippage == 10)
    #expect(try risk(desk, desk.request(.buy, 10)).slippage == 15)
    // 10,010 and 10,020 for 5 and 1: 11.67 basis points.
    #expect(try risk(desk, desk.request(.buy, 6)).slippage == 12)
    #expect(try risk(desk, desk.request(.sell, 6)).slippage == 12)
  }

  @Test func `a thousandth of a basis point counts as one, and less than nothing as nothing`() {
    func slippage(_ notional: Int64, _ side: Side) -> Int64? {
      AveragePrice(notional: notional, quantity: Quantity(units: 1_000)).flatMap {
        Execution(average: $0, worst: Price(units: 1)).slippage(
          from: top(1_000_000, 1_000_000), side: side)
      }
    }
    #expect(slippage(1_000_000_001, .buy) == 1 && slippage(999_999_999, .sell) == 1)
    #expect(slippage(1_000_000_000, .buy) == 0 && slippage(999_999_999, .buy) == 0)
    #expect(slippage(999_800_001, .buy) == -1 && slippage(999_800_000, .buy) == -2)
  }

  @Test func `without both prices, or beyond 63 bits, there is no slippage`() {
    for units in [1, Int64.max / 2, .max] {
      for price in [1, Int64.max / 2, .max] {
        guard let average = AveragePrice(notional: .max, quantity: Quantity(units: units)) else {
          continue
        }
        let fill = Execution(average: average, worst: Price(units: price))
        for side in [Side.buy, .sell] {
          let slippage = fill.slippage(from: top(price, price), side: side)
          if units > 1, price > 1 { #expect(slippage == nil) }
          #expect(fill.slippage(from: top(price, nil), side: side) == nil)
        }
      }
    }
  }

  private func top(_ bid: Int64, _ ask: Int64?) -> TopOfBook {
    func level(_ units: Int64) -> PriceLevel {
      PriceLevel(price: Price(units: units), quantity: Quantity(units: 1))
    }
    return TopOfBook(number: 1, venueTime: 1, bid: level(bid), ask: ask.map(level))
  }

  @Test func `the position after it counts what is certain to fill`() throws {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(101, 3)])
    #expect(try risk(desk, desk.request(.buy, 9)).position == Quantity(units: 3))
    #expect(try risk(desk, desk.request(.buy, 9, .limit(Price(units: 100)))).position == .zero)
    desk.place(.buy, 2)
    #expect(try risk(desk, desk.request(.sell, 5)).position == Quantity(units: -3))
    desk.place(.sell, 4)
    #expect(try risk(desk, desk.request(.buy, 1)).position == Quantity(units: -1))
  }

  @Test func `a position that would not fit has no figure`() throws {
    let large: Int64 = 4_000_000_000_000_000_000
    var desk = MarketDesk()
    for number in 1...3 {
      desk.book(bids: [], asks: [(1, Int64.max - Int64(number))])
      let most = try #require(desk.trader.rules(of: MarketDesk.symbol)).maximumQuantity.units
      let request = desk.request(.buy, min(large, most))
      let after = try risk(desk, request).position?.units
      let before = desk.trader.history.account(of: MarketDesk.symbol).quantity.units
      let (sum, overflow) = before.addingReportingOverflow(request.quantity.units)
      #expect(after == (overflow ? nil : sum))
      if !overflow { desk.place(.buy, request.quantity.units) }
    }
  }

  @Test func `the usual size is the median of the last ten orders of the market`() throws {
    var desk = MarketDesk()
    let other = try #require(Symbol("kraken:ETH/USD"))
    desk.book(bids: [(99, 1_000)], asks: [(101, 1_000)])
    desk.book(bids: [(9, 1_000)], asks: [(11, 1_000)], of: other)
    func usual() -> Int64? { desk.trader.usualQuantity(of: MarketDesk.symbol)?.units }
    for (size, expected) in [(5, nil), (1, nil), (3, 3), (9, 3)] as [(Int64, Int64?)] {
      desk.place(.buy, size)
      desk.place(.buy, 100, of: other)
      #expect(usual() == expected)
    }
    for _ in 0..<10 { desk.place(.sell, 2) }
    #expect(usual() == 2, "earlier ones no longer count")
    desk.place(.buy, 0)
    #expect(usual() == 2, "a rejected one does not count")
    let replayed = try OrderHistory(replaying: desk.events)
    #expect(replayed == desk.trader.history, "it is the same after a restart")
  }

  @Test func `a preview states the usual size from exactly ten times on`() throws {
    var desk = MarketDesk()
    desk.book(bids: [(99, 1_000)], asks: [(101, 1_000)])
    for _ in 0..<2 { desk.place(.buy, 3) }
    #expect(try risk(desk, desk.request(.buy, 1_000)).usual == nil, "two orders are no habit")
    desk.place(.buy, 3)
    for (size, usual) in [(1, nil), (29, nil), (30, 3), (31, 3), (900, 3)] as [(Int64, Int64?)] {
      for kind in [OrderType.market, .limit(Price(units: 100))] {
        let stated = try risk(desk, desk.request(.buy, size, kind)).usual
        #expect(stated?.units == usual, "\(size) \(kind)")
      }
    }
    let huge = desk.request(.buy, .max)
    #expect(desk.trader.usualQuantity(exceededBy: huge) == Quantity(units: 3))
  }
}

import MarketModel
import Testing

@testable import PaperTrading

@Suite struct FeeTests {
  /// 1 % for makers, 2 % for takers.
  private let rates = FeeRates(maker: 10_000, taker: 20_000)

  private func desk(_ rates: FeeRates?) -> MarketDesk {
    var desk = MarketDesk()
    desk.fees = rates
    desk.book(bids: [(9_900, 500)], asks: [(10_000, 200), (10_100, 300)])
    return desk
  }

  /// The fees of an order's fills: "maker 5".
  private func fees(_ order: OrderIdentifier, _ desk: MarketDesk) -> [String] {
    (desk.trader.history.order(order)?.life.fills?.fills ?? []).map { timed in
      timed.fill.fee.map { "\($0.isMaker ? "maker" : "taker") \($0.amount)" } ?? "none"
    }
  }

  @Test func `what takes levels on arrival pays as a taker, as its preview showed`() throws {
    var desk = desk(rates)
    let preview = desk.trader.preview(desk.request(.buy, 300))
    let order = desk.place(.buy, 300)
    #expect(fees(order, desk) == ["taker 40000", "taker 20200"])
    #expect(desk.trader.receipt(for: order)?.fees == WideInteger(60_200))
    guard case .shown(let figures) = preview else { return #expect(Bool(false), "\(preview)") }
    #expect(figures.fee == WideInteger(60_200) && figures.fill?.worst.units == 10_100)
  }

  @Test func `a resting order pays as a maker, whether a trade or the book meets it`() {
    var desk = desk(rates)
    let order = desk.place(.sell, 200, .limit(Price(units: 10_200)))
    desk.trade(10_300, 50, .buy)
    desk.book(bids: [(10_250, 60)], asks: [(10_400, 10)])
    #expect(fees(order, desk) == ["maker 5100", "maker 6120"])
  }

  @Test func `an order amended during an outage takes the first book's levels as a taker`() {
    var desk = desk(rates)
    let order = desk.place(.buy, 10, .limit(Price(units: 9_500)))
    desk.feed(.freshness(.late))
    desk.amend(order, quantity: 10, to: 10_500)
    desk.book(bids: [(9_900, 500)], asks: [(10_000, 200)])
    #expect(fees(order, desk) == ["taker 2000"])
  }

  @Test func `the first book after a restart charges what it fills, as any other`() throws {
    var before = desk(rates)
    let order = before.place(.buy, 100, .limit(Price(units: 9_800)))
    var after = MarketDesk(history: try OrderHistory(replaying: before.events))
    after.fees = rates
    after.book(bids: [(9_600, 500)], asks: [(9_700, 200)])
    #expect(fees(order, after) == ["maker 9800"])
    // The same where its market was no longer followed.
    before.feed(.ended)
    before.book(bids: [(9_600, 500)], asks: [(9_700, 200)])
    #expect(fees(order, before) == fees(order, after))
  }

  @Test func `fees are rounded half to even, and rebates are negative`() {
    func fee(_ price: Int64, _ rate: Int64) -> Int64? {
      let fill = OrderFill(
        quantity: Quantity(units: 1), price: Price(units: price), offered: Quantity(units: 1),
        tickNumber: 1, venueTime: 1)
      return FeeRates(maker: 0, taker: rate).fee(of: fill, isMaker: false)?.amount
    }
    #expect(fee(500, 1_000) == 0 && fee(501, 1_000) == 1 && fee(1_500, 1_000) == 2)
    #expect(fee(1_500, -1_000) == -2)
    #expect(fee(.max, FeeRates.range.upperBound) == 922_337_203_685_477_581)
  }

  @Test func `without known rates no fee is invented`() throws {
    var desk = desk(nil)
    let order = desk.place(.buy, 300)
    #expect(fees(order, desk) == ["none", "none"])
    #expect(desk.trader.receipt(for: order)?.fees == nil)
    guard case .shown(let figures) = desk.trader.preview(desk.request(.buy, 1)) else {
      return #expect(Bool(false))
    }
    #expect(figures.fee == nil)
  }

  @Test(arguments: Array(UInt64(1)...20))
  func `realised and unrealised less fees are cash and value, whatever rates come`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var desk = desk(nil)
    var paid = WideInteger.zero
    for step in 0..<100 {
      desk.fees =
        random.below(5) == 0
        ? nil : FeeRates(maker: random.below(3_000) - 500, taker: random.below(9_000))
      let middle = 9_000 + random.below(2_000)
      desk.book(bids: [(middle - 1, 50)], asks: [(middle + 1, 50)])
      let limit = Price(units: middle + random.below(21) - 10)
      let kind: OrderType = random.below(2) == 0 ? .market : .limit(limit)
      desk.place(random.below(2) == 0 ? .buy : .sell, 1 + random.below(60), kind)
      let account = desk.trader.history.account(of: MarketDesk.symbol)
      paid = desk.events.reduce(.zero) { sum, event in
        guard case .filled(_, let fill) = event.change, let fee = fill.fee else { return sum }
        return sum + WideInteger(fee.amount)
      }
      try #require(account.fees == paid, "seed \(seed), step \(step)")
      let mark = Price(units: middle)
      for method in PositionAccount.Method.allCases {
        #expect(
          account.realised(by: method) + account.value(at: mark) - account.cost(by: method) - paid
            == account.equity(at: mark), "seed \(seed), step \(step), \(method)")
      }
    }
    #expect(paid != .zero, "seed \(seed)")
    #expect(try OrderHistory(replaying: desk.events) == desk.trader.history, "seed \(seed)")
  }

  @Test func `rates are read as percent, and nothing else is`() {
    #expect(FeeRates(percent: "0.25/0.40") == FeeRates(maker: 2_500, taker: 4_000))
    #expect(FeeRates(percent: "-0.0125/0") == FeeRates(maker: -125, taker: 0))
    for text in [
      "", "/", "0.25", "0.25/", "0.25/0.4/1", "0.25%/0.4", "a/b", "10.0001/0", "0/-1.0001",
      "0.00001/0", "1e9/0", " 0.1/0.1", "0,1/0,1", "0.1/99999999999999999999",
    ] {
      #expect(FeeRates(percent: text) == nil, "\(text)")
    }
  }
}

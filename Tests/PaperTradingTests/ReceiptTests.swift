// LT5 and LT6: an order's fills, why there are not more, and its preview before it is sent.

import MarketModel
import PaperTrading
import Testing

@Suite struct `Receipts and previews` {
  @Test func `a receipt names levels, average, worst price and slippage against arrival`() throws {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 30")
    let order = desk.place(.buy, 100, at: "45.20")
    desk.tick(bid: "45.01 x 17", ask: "45.20 x 20")
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 10")
    let receipt = try #require(desk.trader.receipt(for: order))
    #expect(
      receipt.levels == [
        LevelTaken(price: desk.price("45.10"), quantity: Quantity(units: 40)),
        LevelTaken(price: desk.price("45.20"), quantity: Quantity(units: 20)),
      ])
    #expect(receipt.average.map { desk.rules.text($0) } == "45.133333")
    #expect(receipt.worst == desk.price("45.20"))
    #expect(receipt.arrivalPrice == desk.price("45.10"))
    #expect(receipt.slippage.map { desk.rules.text($0) } == "0.033333")
    #expect(receipt.slippage?.notional == 2_000_000)
    #expect(
      receipt.unfilled?.text(under: desk.rules)
        == "Resting until the next tick; what is offered at 45.10 is used up.")
    #expect(receipt.filled.units + receipt.open.units == 100)
  }

  @Test func `slippage of a sell is positive when it got less than at arrival`() throws {
    var desk = Desk()
    desk.tick(bid: "45.00 x 10", ask: "45.10 x 30")
    let order = desk.place(.sell, 20, at: "44.00")
    desk.tick(bid: "44.50 x 10", ask: "45.10 x 30")
    let receipt = try #require(desk.trader.receipt(for: order))
    #expect(receipt.slippage.map { desk.rules.text($0) } == "0.25")
    #expect(receipt.worst == desk.price("44.50"))
    #expect(receipt.unfilled == nil)
  }

  @Test func `a receipt shows what price would have filled`() throws {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 30")
    let order = desk.place(.buy, 10, at: "45.00")
    #expect(desk.trader.receipt(for: order)?.wouldHaveFilled == desk.level("45.10 x 30"))
    #expect(
      desk.trader.receipt(for: order)?.unfilled?.text(under: desk.rules)
        == "Limit not reached; 45.10 would fill up to 30.")
    desk.feed(.freshness(.disconnected))
    #expect(
      desk.trader.receipt(for: order)?.unfilled?.text(under: desk.rules)
        == "No live prices: the exchange is disconnected.")
    desk.tick(bid: "45.01 x 17", ask: "45.05 x 30")
    desk.handle(.cancel(order))
    desk.tick(bid: "45.01 x 17", ask: "45.50 x 30")
    let receipt = try #require(desk.trader.receipt(for: order))
    #expect(receipt.wouldHaveFilled == desk.level("45.05 x 30"))
    #expect(receipt.cancelled.units == 10)
    #expect(desk.trader.receipt(for: OrderIdentifier(number: 2)) == nil)
  }

  @Test func `a preview is what the order then does`() {
    var random = SplitMix64(seed: 3)
    var desk = Desk()
    for step in 0..<2000 {
      if step % 3 == 0 {
        desk.tick(
          bid: "\(44 + random.below(2)).10 x \(random.below(40))",
          ask: "\(46 + random.below(2)).10 x \(random.below(40))")
      }
      let limit = random.below(2) == 0 ? nil : "\(43 + random.below(6)).50"
      let quantity = 1 + random.below(50)
      let side = random.below(2) == 0 ? Side.buy : .sell
      guard let name = ClientOrderIdentifier("p\(step)") else { return }
      let request = OrderRequest(
        clientIdentifier: name, symbol: Desk.stock, side: side,
        kind: limit.map { .limit(desk.price($0)) } ?? .market, quantity: Quantity(units: quantity))
      guard case .shown(let figures) = desk.trader.preview(request) else { continue }
      let order = desk.place(side, quantity, at: limit)
      let found = desk.trader.history.order(order)
      let fills = found?.life.fills?.fills.map(\.fill) ?? []
      #expect(Execution(fills) == figures.fill, "seed 3, step \(step)")
      let leaves = Quantity(units: quantity - (found?.filledQuantity.units ?? 0))
      #expect(leaves == figures.leavesQuantity, "seed 3, step \(step)")
      let rests = figures.remainderRests && leaves > .zero
      #expect(found?.life.isOpen == rests, "seed 3, step \(step)")
    }
  }

  @Test func `a preview is refused while the market is not live or a limit is broken`() throws {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 30")
    func request(_ quantity: Int64, _ kind: OrderType) throws -> OrderRequest {
      OrderRequest(
        clientIdentifier: try #require(ClientOrderIdentifier("x")), symbol: Desk.stock, side: .buy,
        kind: kind, quantity: Quantity(units: quantity))
    }
    let before = desk.trader
    #expect(desk.trader.preview(try request(0, .market)) == .refused(.quantityNotPositive(.zero)))
    #expect(desk.trader == before)
    desk.feed(.freshness(.stale))
    #expect(desk.trader.preview(try request(1, .market)) == .refused(.marketNotLive(.stale)))
    #expect(desk.trader.preview(try request(1, .limit(desk.price("45")))) == .notLive(.stale))
  }

  @Test(arguments: [
    (Int64(5), Int64(2), 0, "2"), (7, 2, 0, "4"), (-5, 2, 0, "-2"), (-7, 2, 0, "-4"),
    (1, 3, 4, "0.3333"), (2, 3, 4, "0.6667"), (12_345, 1, 0, "12345"),
    (.max, 1, 0, "9223372036854775807"),
  ])
  func `an average is rounded half to even, for display only`(
    notional: Int64, quantity: Int64, digits: Int, expected: String
  ) throws {
    let average = try #require(
      AveragePrice(notional: notional, quantity: Quantity(units: quantity)))
    let target = try #require(Scale(digits: digits))
    #expect(average.rounded(from: .whole, to: target)?.description == expected)
  }

  @Test func `an average to fewer decimals than its prices is rounded once`() throws {
    let average = try #require(AveragePrice(notional: 2_500_001, quantity: Quantity(units: 2)))
    let scale = Scale(clamping: 6)
    #expect(average.rounded(from: scale, to: .whole)?.description == "1")
    #expect(average.rounded(from: scale, to: scale)?.description == "1.250000")
    #expect(average.rounded(from: scale, to: Scale(clamping: 2))?.description == "1.25")
    #expect(
      AveragePrice(notional: .max, quantity: Quantity(units: 1))?
        .rounded(from: .whole, to: Scale(clamping: 1)) == nil)
    #expect(AveragePrice(notional: 1, quantity: .zero) == nil)
    // Just below 2^64 at this scale: rounding up must not wrap to 0.
    let vast = AveragePrice(notional: 3_504_881_374_004_814_807, quantity: Quantity(units: 19))
    #expect(vast?.rounded(from: .whole, to: Scale(clamping: 2)) == nil)
  }
}

// Orders that can't rest: a market order with a protection price, IOC and FOK.

import MarketModel
import PaperTrading
import Testing

@Suite struct `Orders that can't rest` {
  private var desk: Desk = {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.08 x 38")
    return desk
  }()

  @Test func `a protected market buy fills what is offered within its price, and reports it`() {
    var desk = desk
    let order = desk.place(.buy, 50, .protectedMarket(desk.price("45.10")))
    #expect(desk.line(order) == "CANCELLED 38/50 at 45.08")
    #expect(
      desk.told == ["Bought 38 of 50 AAPL at 45.08; 12 cancelled: only 38 offered within 45.10."])
    let receipt = desk.trader.receipt(for: order)
    #expect(
      receipt?.unfilled?.text(under: desk.rules) == "Cancelled: only 38 offered within 45.10.")
    #expect(receipt?.wouldHaveFilled == nil)
  }

  @Test(arguments: [(Side.buy, "45.07", "45.08"), (.sell, "45.02", "45.01")])
  func `nothing is taken beyond the protection price`(side: Side, bound: String, best: String) {
    var desk = desk
    let order = desk.place(side, 5, .protectedMarket(desk.price(bound)))
    #expect(desk.line(order) == "CANCELLED 0/5")
    let verb = side == .buy ? "Bought" : "Sold"
    #expect(
      desk.told == [
        "\(verb) 0 of 5 AAPL; 5 cancelled: nothing offered within \(bound); "
          + "the best offer was \(best)."
      ])
    #expect(
      desk.trader.receipt(for: order)?.wouldHaveFilled
        == desk.level(
          side == .buy ? "45.08 x 38" : "45.01 x 17"))
  }

  @Test func `an immediate-or-cancel order takes what is there and never rests`() {
    var desk = desk
    let order = desk.place(.sell, 20, .immediateOrCancel(desk.price("45.00")))
    #expect(desk.line(order) == "CANCELLED 17/20 at 45.01")
    #expect(
      desk.told == ["Sold 17 of 20 AAPL at 45.01; 3 cancelled: only 17 offered within 45.00."])
    desk.tick(bid: "45.01 x 17", ask: "45.08 x 38")
    #expect(desk.line(order) == "CANCELLED 17/20 at 45.01")
  }

  @Test func `a fill-or-kill order is filled whole or not at all`() {
    var desk = desk
    let missed = desk.place(.buy, 39, .fillOrKill(desk.price("45.10")))
    #expect(desk.line(missed) == "CANCELLED 0/39")
    #expect(
      desk.told == [
        "Bought 0 of 39 AAPL; 39 cancelled: all or nothing, and only 38 offered within 45.10."
      ])
    let had = desk.place(.buy, 38, .fillOrKill(desk.price("45.10")))
    #expect(desk.line(had) == "FILLED 38/38 at 45.08")
    let late = desk.place(.buy, 1, .fillOrKill(desk.price("45.10")))
    #expect(desk.line(late) == "CANCELLED 0/1")
    #expect(desk.told.first?.contains("earlier orders took all 38 offered within 45.10") == true)
  }

  @Test func `without live prices each of them is rejected, and nothing is kept waiting`() {
    var desk = desk
    desk.feed(.freshness(.stale))
    let price = desk.price("45.10")
    for kind in [OrderType.protectedMarket(price), .immediateOrCancel(price), .fillOrKill(price)] {
      desk.place(.buy, 1, kind)
      #expect(desk.told.first?.contains("needs live prices: the latest one is stale") == true)
    }
    #expect(desk.trader.history.counts == [.rejected: 3])
  }

  @Test(arguments: [("0", false), ("45.005", false), ("9999.00", false), ("45.10", true)])
  func `a protection price keeps the rules of prices`(text: String, isGood: Bool) {
    var desk = desk
    let order = desk.place(.buy, 1, .protectedMarket(desk.price(text)))
    #expect(desk.line(order).hasPrefix(isGood ? "FILLED" : "REJECTED"))
  }

  @Test func `a preview is what each of them then does`() {
    var random = SplitMix64(seed: 11)
    var desk = desk
    for step in 0..<600 {
      if step % 3 == 0 {
        desk.tick(
          bid: "\(44 + random.below(2)).10 x \(random.below(40))",
          ask: "\(46 + random.below(2)).10 x \(random.below(40))")
      }
      let price = desk.price("\(43 + random.below(6)).50")
      let kinds = [OrderType.protectedMarket(price), .immediateOrCancel(price), .fillOrKill(price)]
      let kind = kinds[Int(random.below(3))]
      let (side, quantity) = (random.below(2) == 0 ? Side.buy : .sell, 1 + random.below(50))
      guard let name = ClientOrderIdentifier("p\(step)"),
        case .shown(let figures) = desk.trader.preview(
          OrderRequest(
            clientIdentifier: name, symbol: Desk.stock, side: side, kind: kind,
            quantity: Quantity(units: quantity)))
      else { continue }
      let identifier = desk.place(side, quantity, kind)
      let order = desk.trader.history.order(identifier)
      #expect(order?.filledQuantity == figures.fill?.quantity ?? .zero, "seed 11, step \(step)")
      #expect(!figures.remainderRests && order?.life.isOpen == false, "seed 11, step \(step)")
    }
  }
}

// EX3: a market order takes the best opposite quantity, the rest is cancelled, and the user is
// notified.

import MarketModel
import PaperTrading
import Testing

@Suite struct `Market orders` {
  @Test func `a market buy of more than is offered fills what is there and reports the rest`() {
    var desk = Desk()
    desk.tick(bid: "101.40 x 50", ask: "101.50 x 60")
    let order = desk.place(.buy, 100)
    #expect(desk.line(order) == "CANCELLED 60/100 at 101.50")
    #expect(desk.told == ["Bought 60 of 100 AAPL at 101.50; 40 cancelled: only 60 offered."])
    #expect(desk.reply == .placed(order))
    let stored = desk.trader.history.order(order)
    #expect(stored?.cancelledQuantity.units == 40)
    #expect(stored?.openQuantity.units == 0)
  }

  @Test func `a market buy of what is offered is filled`() {
    var desk = Desk()
    desk.tick(bid: "101.40 x 50", ask: "101.50 x 60")
    let order = desk.place(.buy, 60)
    #expect(desk.line(order) == "FILLED 60/60 at 101.50")
    #expect(desk.told == ["Bought 60 AAPL at 101.50."])
  }

  @Test func `a market sell takes the best buy offer`() {
    var desk = Desk()
    desk.tick(bid: "101.40 x 50", ask: "101.50 x 60")
    let order = desk.place(.sell, 70)
    #expect(desk.line(order) == "CANCELLED 50/70 at 101.40")
    #expect(desk.told == ["Sold 50 of 70 AAPL at 101.40; 20 cancelled: only 50 offered."])
  }

  @Test func `what one market order used up is not there for the next`() {
    var desk = Desk()
    desk.tick(ask: "101.50 x 60")
    desk.place(.buy, 45)
    let second = desk.place(.buy, 20)
    #expect(desk.line(second) == "CANCELLED 15/20 at 101.50")
    #expect(
      desk.told == [
        "Bought 15 of 20 AAPL at 101.50; 5 cancelled: "
          + "earlier orders left only 15 of the 60 offered."
      ])
    let third = desk.place(.buy, 5)
    #expect(desk.line(third) == "CANCELLED 0/5")
    #expect(desk.told == ["Bought 0 of 5 AAPL; 5 cancelled: earlier orders took all 60 offered."])
  }

  @Test func `the next tick is a fresh snapshot whose quantity can be used again`() {
    var desk = Desk()
    desk.tick(ask: "101.50 x 60")
    desk.place(.buy, 60)
    desk.tick(ask: "101.50 x 60")
    desk.expect(.buy, 60, becomes: "FILLED 60/60 at 101.50")
  }

  @Test(arguments: ["-", "101.50 x 0"])
  func `a market order with nothing opposite is cancelled whole`(ask: String) {
    var desk = Desk()
    desk.tick(bid: "101.40 x 50", ask: ask)
    let order = desk.place(.buy, 10)
    #expect(desk.line(order) == "CANCELLED 0/10")
    #expect(desk.told == ["Bought 0 of 10 AAPL; 10 cancelled: nothing is offered."])
  }

  @Test func `capital is infinite`() {
    var desk = Desk()
    desk.tick(bid: "999999.00 x 1", ask: "1000000.00 x 1000000")
    desk.expect(.buy, 1_000_000, becomes: "FILLED 1000000/1000000 at 1000000.00")
  }
}

// Mistakes of the one public client of this exchange, one test each. (The feed's tests cover
// framing and reconnecting.)

import MarketModel
import PaperTrading
import Testing

@Suite struct `Mistakes of the published client` {
  @Test func `a buy is filled from the best sell offer, with its price and its quantity`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.expect(.buy, 40, becomes: "CANCELLED 36/40 at 45.10")
  }

  @Test func `a sell is filled from the best buy offer, with its price and its quantity`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.expect(.sell, 40, becomes: "CANCELLED 17/40 at 45.01")
  }

  @Test(arguments: [
    (Side.buy, "45.10", "FILLED 10/10 at 45.10"), (.buy, "45.09", "PENDING 0/10"),
    (.sell, "45.01", "FILLED 10/10 at 45.01"), (.sell, "45.02", "PENDING 0/10"),
  ])
  func `equality fills, and one tick worse waits`(side: Side, limit: String, expected: String) {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.expect(side, 10, at: limit, becomes: expected)
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    #expect(desk.line(OrderIdentifier(number: 1)) == expected)
  }

  @Test(arguments: [(Side.buy, "46.00", "45.10"), (.sell, "44.00", "45.01")])
  func `a full limit fill gets the better market price, not the limit`(
    side: Side, limit: String, price: String
  ) {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.expect(side, 10, at: limit, becomes: "FILLED 10/10 at \(price)")
  }

  @Test func `the rest of a market order never stays pending`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    let order = desk.place(.buy, 40)
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    #expect(desk.line(order) == "CANCELLED 36/40 at 45.10")
    #expect(desk.trader.history.openCount == 0)
  }

  @Test func `one blocked order blocks no other`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    let blocked = desk.place(.buy, 10, at: "40.00")
    let blockedSell = desk.place(.sell, 10, at: "50.00")
    let free = desk.place(.buy, 10, at: "45.05")
    let freeSell = desk.place(.sell, 10, at: "45.02")
    desk.tick(bid: "45.02 x 17", ask: "45.05 x 36")
    #expect(desk.line(blocked) == "PENDING 0/10")
    #expect(desk.line(blockedSell) == "PENDING 0/10")
    #expect(desk.line(free) == "FILLED 10/10 at 45.05")
    #expect(desk.line(freeSell) == "FILLED 10/10 at 45.02")
  }

  @Test func `an offer's quantity is shared by waiting orders, not given to each`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    let first = desk.place(.buy, 30, at: "45.00")
    let second = desk.place(.buy, 30, at: "45.00")
    desk.tick(bid: "44.00 x 17", ask: "45.00 x 36")
    #expect(desk.line(first) == "FILLED 30/30 at 45.00")
    #expect(desk.line(second) == "PARTIALLY FILLED 6/30 at 45.00")
  }
}

// EX4 and EX5: a limit order fills at the better opposite price, rests, and fills in parts.

import MarketModel
import PaperTrading
import Testing

@Suite struct `Limit orders` {
  @Test func `a partly filled limit order keeps its remainder pending until offers come`() {
    var desk = Desk()
    desk.tick(bid: "101.40 x 50", ask: "101.50 x 60")
    let order = desk.place(.buy, 100, at: "101.60")
    #expect(desk.line(order) == "PARTIALLY FILLED 60/100 at 101.50")
    #expect(desk.told == ["Bought 60 of 100 AAPL at 101.50; 40 remain open at 101.60 or better."])
    desk.tick(bid: "101.40 x 50", ask: "101.70 x 60")
    #expect(desk.line(order) == "PARTIALLY FILLED 60/100 at 101.50")
    desk.tick(bid: "101.40 x 50", ask: "101.60 x 15")
    #expect(desk.told == ["Bought 15 of 100 AAPL at 101.60; 25 remain open at 101.60 or better."])
    desk.tick(bid: "101.30 x 50", ask: "101.40 x 500")
    #expect(desk.line(order) == "FILLED 100/100 at 101.49")
    #expect(desk.told == ["Bought 25 of 100 AAPL at 101.40; the order is filled."])
    desk.tick(bid: "101.30 x 50", ask: "101.40 x 500")
    #expect(desk.told.isEmpty)
  }

  @Test func `a limit below the market rests and shows where the market is`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    let order = desk.place(.buy, 10, at: "45.00")
    #expect(desk.line(order) == "PENDING 0/10")
    #expect(
      desk.told == ["Order open: buy 10 AAPL at 45.00 or better; the best offer was 45.10 then."])
  }

  @Test func `waiting orders are served by price, then by arrival`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    let low = desk.place(.buy, 10, at: "44.00")
    let first = desk.place(.buy, 10, at: "44.50")
    let second = desk.place(.buy, 10, at: "44.50")
    let high = desk.place(.buy, 10, at: "44.60")
    desk.tick(bid: "43.00 x 17", ask: "43.90 x 25")
    #expect(desk.line(high) == "FILLED 10/10 at 43.90")
    #expect(desk.line(first) == "FILLED 10/10 at 43.90")
    #expect(desk.line(second) == "PARTIALLY FILLED 5/10 at 43.90")
    #expect(desk.line(low) == "PENDING 0/10")
  }

  @Test func `waiting sells are served lowest limit first`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    let high = desk.place(.sell, 10, at: "46.00")
    let low = desk.place(.sell, 10, at: "45.50")
    desk.tick(bid: "46.20 x 12", ask: "46.30 x 1")
    #expect(desk.line(low) == "FILLED 10/10 at 46.20")
    #expect(desk.line(high) == "PARTIALLY FILLED 2/10 at 46.20")
  }

  @Test func `a new order finds only what waiting orders left of the tick`() {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    let waiting = desk.place(.buy, 30, at: "45.05")
    desk.tick(bid: "45.01 x 17", ask: "45.05 x 36")
    let new = desk.place(.buy, 10, at: "45.20")
    #expect(desk.line(waiting) == "FILLED 30/30 at 45.05")
    #expect(desk.line(new) == "PARTIALLY FILLED 6/10 at 45.05")
    let late = desk.place(.buy, 10, at: "45.20")
    #expect(
      desk.told == [
        "Order open: buy 10 AAPL at 45.20 or better; earlier orders had taken what was offered."
      ])
    #expect(desk.line(late) == "PENDING 0/10")
  }

  @Test func `cancelling a partly filled order cancels only the remainder`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    let order = desk.place(.buy, 50, at: "45.10")
    desk.handle(.cancel(order))
    #expect(desk.reply == .cancelled(order))
    #expect(desk.line(order) == "CANCELLED 36/50 at 45.10")
    #expect(desk.told == ["Order cancelled: buy 14 of 50 AAPL at 45.10; 36 had been bought."])
    desk.tick(ask: "45.10 x 36")
    #expect(desk.line(order) == "CANCELLED 36/50 at 45.10")
  }

  @Test func `all orders up to the newest in sight are cancelled at once, and none after it`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    let part = desk.place(.buy, 50, at: "45.10")
    let filled = desk.place(.sell, 5, at: "45.20")
    desk.tick(bid: "45.20 x 5", ask: "45.30 x 36")
    let sell = desk.place(.sell, 5, at: "46.00")
    let unseen = desk.place(.buy, 10, at: "45.00")
    desk.handle(.cancelAll(through: sell))
    #expect(desk.reply == .cancelledAll(count: 2))
    #expect(desk.line(part) == "CANCELLED 36/50 at 45.10")
    #expect(desk.line(filled) == "FILLED 5/5 at 45.20")
    #expect(desk.line(sell) == "CANCELLED 0/5")
    #expect(desk.line(unseen) == "PENDING 0/10")
    desk.handle(.cancelAll(through: sell))
    #expect(desk.reply == .cancelledAll(count: 0), "asked again, as after a lost answer")
    #expect(throws: Never.self) { try OrderHistory(replaying: desk.events) }
  }

  @Test func `a cancel that meets a fill changes nothing and reports it`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    let order = desk.place(.buy, 10, at: "45.00")
    desk.tick(ask: "45.00 x 36")
    let before = desk.trader
    desk.handle(.cancel(order))
    #expect(desk.reply == .notCancelled(order, .ended(.filled)))
    #expect(
      CancelProblem.ended(.filled).userMessage
        == "Too late to cancel: the order is already filled.")
    #expect(desk.trader.stateHash == before.stateHash)
    desk.handle(.cancel(OrderIdentifier(number: 99)))
    #expect(desk.reply == .notCancelled(OrderIdentifier(number: 99), .unknownOrder))
  }

  @Test func `the same device's name twice gives the first order back`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    let first = desk.place(.buy, 10, at: "45.00", named: "click-1")
    desk.place(.buy, 10, at: "45.00", named: "click-1")
    #expect(desk.reply == .repeated(first, isSameRequest: true))
    desk.place(.buy, 11, at: "45.00", named: "click-1")
    #expect(desk.reply == .repeated(first, isSameRequest: false))
    #expect(desk.trader.history.orders.count == 1)
    #expect(desk.events.count == 1)
  }
}

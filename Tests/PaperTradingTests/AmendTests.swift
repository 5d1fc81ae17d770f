// Amendments of a resting order's quantity or price.

import MarketModel
import PaperTrading
import Testing

@Suite struct `Amending a resting order` {
  private var desk: Desk = {
    var desk = Desk()
    desk.tick(bid: "45.00 x 10", ask: "45.10 x 10")
    return desk
  }()

  @Test func `a smaller quantity keeps the place in the queue`() {
    var desk = desk
    let first = desk.place(.buy, 20, at: "45.05")
    let second = desk.place(.buy, 20, at: "45.05")
    desk.amend(first, quantity: 12)
    #expect(desk.reply == .amended(first, isRepeated: false))
    #expect(
      desk.told == [
        "Order amended: buy 12 AAPL at 45.05 or better, was 20 at 45.05; "
          + "it keeps its place in the queue."
      ])
    desk.tick(bid: "45.00 x 10", ask: "45.05 x 15")
    #expect(desk.line(first) == "FILLED 12/12 at 45.05")
    #expect(desk.line(second) == "PARTIALLY FILLED 3/20 at 45.05")
  }

  @Test(
    arguments: [("more", 21, "45.05"), ("price and back", 20, "45.06")] as [(String, Int64, String)]
  )
  func `more of it, or another price, goes to the end`(what: String, quantity: Int64, price: String)
  {
    var desk = desk
    let first = desk.place(.buy, 20, at: "45.05")
    let second = desk.place(.buy, 20, at: "45.05")
    desk.amend(first, quantity: quantity, to: price)
    desk.amend(first, to: "45.05")
    desk.tick(bid: "45.00 x 10", ask: "45.05 x 15")
    #expect(desk.line(second) == "PARTIALLY FILLED 15/20 at 45.05", "\(what)")
    #expect(desk.line(first) == "PENDING 0/\(quantity)", "\(what)")
  }

  @Test func `at a price that the market offers it fills at once, and reports both`() {
    var desk = desk
    let order = desk.place(.buy, 20, at: "45.05")
    desk.amend(order, to: "45.10")
    #expect(desk.line(order) == "PARTIALLY FILLED 10/20 at 45.10")
    #expect(desk.told.count == 2)
    #expect(desk.told.last == "Bought 10 of 20 AAPL at 45.10; 10 remain open at 45.10 or better.")
  }

  @Test func `it is never for less than is filled`() {
    var desk = desk
    let order = desk.place(.buy, 20, at: "45.10")
    #expect(desk.line(order) == "PARTIALLY FILLED 10/20 at 45.10")
    for quantity in [Int64(10), 9, 0, -1] {
      desk.amend(order, quantity: quantity)
      guard case .notAmended(order, _) = desk.reply else {
        Issue.record("\(quantity) was taken")
        continue
      }
    }
    desk.amend(order, quantity: 11)
    #expect(desk.line(order) == "PARTIALLY FILLED 10/11 at 45.10")
    desk.tick(bid: "45.00 x 10", ask: "45.10 x 10")
    #expect(desk.line(order) == "FILLED 11/11 at 45.10")
    desk.amend(order, quantity: 30)
    #expect(desk.reply == .notAmended(order, .ended(.filled)))
  }

  @Test func `under one name it is amended once, and the name is no other's`() {
    var desk = desk
    let order = desk.place(.buy, 20, at: "45.00", named: "a")
    desk.amend(order, quantity: 15, named: "b")
    desk.amend(order, quantity: 18)
    let events = desk.events.count
    desk.amend(order, quantity: 15, named: "b")
    #expect(desk.reply == .amended(order, isRepeated: true))
    #expect(desk.line(order) == "PENDING 0/18" && desk.events.count == events)
    desk.amend(order, quantity: 14, named: "b")
    #expect(desk.reply == .notAmended(order, .nameUsed(order)))
    desk.amend(order, quantity: 14, named: "a")
    #expect(desk.reply == .notAmended(order, .nameUsed(order)))
    desk.place(.buy, 1, at: "45.00", named: "b")
    #expect(desk.reply == .repeated(order, isSameRequest: false))
    desk.place(.buy, 20, at: "45.00", named: "a")
    #expect(desk.reply == .repeated(order, isSameRequest: true), "the order as it was placed")
    desk.amend(OrderIdentifier(number: 77), quantity: 1)
    #expect(desk.reply == .notAmended(OrderIdentifier(number: 77), .unknownOrder))
  }

  @Test(
    arguments: [
      ("0", nil), ("45.005", nil), ("451.01", nil), (nil, 1_000_001),
    ] as [(String?, Int64?)])
  func `the rules of prices and quantities hold`(price: String?, quantity: Int64?) {
    var desk = desk
    let order = desk.place(.buy, 20, at: "45.00")
    desk.amend(order, quantity: quantity, to: price)
    guard case .notAmended(order, .broken(let reason)) = desk.reply else {
      Issue.record("it was taken")
      return
    }
    #expect(reason.field == (price == nil ? .quantity : .price))
    #expect(desk.line(order) == "PENDING 0/20")
  }

  @Test func `an amendment that was typed is read field by field`() throws {
    let parser = TicketParser(rules: desk.rules)
    let name = try #require(ClientOrderIdentifier("x"))
    func read(_ quantity: String?, _ price: String?) throws(TicketProblem) -> AmendRequest {
      try parser.request(
        AmendTicket(
          clientIdentifier: name, order: OrderIdentifier(number: 1), quantity: quantity,
          price: price), market: nil)
    }
    let both = try read("12", " 45.10")
    #expect(both.quantity?.units == 12 && both.price?.units == 45_100_000)
    let price = try read(nil, "45.10")
    #expect(price.quantity == nil)
    #expect(throws: TicketProblem.empty(.quantity)) { try read("", "45.10") }
    #expect(throws: TicketProblem.empty(.price)) { try read("1", "") }
  }
}

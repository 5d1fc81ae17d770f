// Amendments of orders that wait for their trigger.

import MarketModel
import PaperTrading
import Testing

@Suite struct WaitingAmendmentTests {
  private var desk: MarketDesk = {
    var desk = MarketDesk()
    desk.book(bids: [(99, 5)], asks: [(100, 5)])
    desk.trade(100, 1, .buy)
    return desk
  }()

  private func request(
    _ desk: MarketDesk, _ order: OrderIdentifier, quantity: Int64? = nil, price: Int64? = nil,
    trigger: Trigger? = nil, named name: String = "change"
  ) throws -> TradingInput {
    .amend(
      AmendRequest(
        clientIdentifier: try #require(ClientOrderIdentifier(name)), order: order,
        quantity: quantity.map { Quantity(units: $0) }, price: price.map { Price(units: $0) },
        trigger: trigger))
  }

  @Test func `a stop waits at its new trigger, for its new quantity and limit`() throws {
    var desk = desk
    let order = desk.place(
      .sell, 4, .limit(Price(units: 89)), trigger: Trigger(.stop, at: Price(units: 90)))
    desk.handle(
      try request(
        desk, order, quantity: 2, price: 94, trigger: Trigger(.stop, at: Price(units: 95))))
    #expect(
      desk.reports == [
        "Order amended: sell 2 kraken:BTC/USD at 94 after a trade at 95 or lower."
      ])
    desk.trade(95, 1, .sell)
    desk.book(bids: [(95, 5)], asks: [(96, 5)])
    #expect(desk.fills(order) == ["2 at 95"])
    #expect(try OrderHistory(replaying: desk.events) == desk.trader.history)
  }

  @Test func `a take-profit at the market changes its trigger, and has no price`() throws {
    var desk = desk
    let order = desk.place(.sell, 2, trigger: Trigger(.takeProfit, at: Price(units: 120)))
    desk.handle(try request(desk, order, price: 100))
    #expect(desk.reply == .notAmended(order, .atMarket))
    desk.handle(try request(desk, order, trigger: Trigger(.takeProfit, at: Price(units: 110))))
    desk.trade(110, 1, .buy)
    #expect(desk.trader.history.order(order)?.activation != nil)
    desk.handle(
      try request(
        desk, order, trigger: Trigger(.takeProfit, at: Price(units: 130)), named: "late"))
    #expect(desk.reply == .notAmended(order, .notWaiting))
  }

  @Test(
    arguments: [(Trail.distance(Price(units: 20)), 80), (.basisPoints(1000), 90)]
      as [(Trail, Int64)])
  func `a trailing stop follows the last price at its new distance`(
    trail: Trail, stop: Int64
  ) throws {
    var desk = desk
    let order = desk.place(
      .sell, 2,
      trigger: Trigger(.stop, at: Price(units: 0), trail: .distance(Price(units: 5))))
    #expect(desk.trader.history.order(order)?.request.trigger?.price == Price(units: 95))
    let change = Trigger(.stop, at: Price(units: 0), trail: trail)
    desk.handle(try request(desk, order, trigger: change))
    let amended = try #require(desk.trader.history.order(order)?.request.trigger)
    #expect(amended == Trigger(.stop, at: Price(units: stop), trail: trail))
    #expect(try OrderHistory(replaying: desk.events) == desk.trader.history)
    // The same once more is a repetition.
    desk.handle(try request(desk, order, trigger: change))
    #expect(desk.reply == .amended(order, isRepeated: true))
  }

  @Test func `a leg keeps the quantity of its order, and its trigger can move`() throws {
    var desk = desk
    let entry = desk.place(
      .buy, 2, exits: Exits(.bracket, stop: Price(units: 90), takeProfit: Price(units: 110)))
    let stop = OrderIdentifier(number: entry.number + 1)
    desk.handle(try request(desk, stop, quantity: 1))
    #expect(desk.reply == .notAmended(stop, .linked(entry)))
    desk.handle(try request(desk, stop, trigger: Trigger(.stop, at: Price(units: 97))))
    desk.trade(97, 1, .sell)
    desk.book(bids: [(97, 5)], asks: [(98, 5)])
    #expect(desk.fills(stop) == ["2 at 97"] && desk.trader.history.openCount == 0)
  }

  @Test(arguments: [(3, 3), (1, 1)] as [(Int64, Int64)])
  func `an exit closes what its order has filled, also after an amendment of the order`(
    amended: Int64, closed: Int64
  ) throws {
    var desk = desk
    let entry = desk.place(
      .buy, 2, .limit(Price(units: 96)),
      exits: Exits(.bracket, stop: Price(units: 90), takeProfit: Price(units: 110)))
    desk.handle(try request(desk, entry, quantity: amended))
    let stop = OrderIdentifier(number: entry.number + 1)
    let receipt = desk.trader.receipt(for: stop)
    #expect(receipt.map { [$0.ordered.units, $0.open.units] } == [amended, amended])
    desk.trade(95, amended, .sell)
    #expect(desk.trader.history.order(entry)?.filledQuantity == Quantity(units: amended))
    desk.trade(90, 1, .sell)
    desk.book(bids: [(90, 5)], asks: [(91, 5)])
    #expect(desk.fills(stop) == ["\(closed) at 90"])
    #expect(desk.trader.history.account(of: MarketDesk.symbol).quantity == .zero)
    #expect(try OrderHistory(replaying: desk.events) == desk.trader.history)
  }

  @Test func `until a bracket's order fills, its price triggers none of its exits when amended`()
    throws
  {
    var desk = desk
    let entry = desk.place(
      .buy, 2, .limit(Price(units: 96)),
      exits: Exits(.bracket, stop: Price(units: 90), takeProfit: Price(units: 110)))
    let stop = OrderIdentifier(number: entry.number + 1)
    let (high, low) = (Trigger(.stop, at: Price(units: 97)), Trigger(.stop, at: Price(units: 90)))
    desk.handle(try request(desk, stop, trigger: high))
    #expect(
      desk.reply == .notAmended(stop, .exitBeyond(high, .sell, entry: Price(units: 96))))
    desk.handle(try request(desk, entry, price: 90))
    #expect(
      desk.reply == .notAmended(entry, .exitBeyond(low, .sell, entry: Price(units: 90))))
    desk.handle(try request(desk, entry, price: 91))
    #expect(desk.reply == .amended(entry, isRepeated: false))
    desk.book(bids: [(90, 5)], asks: [(91, 5)])
    desk.handle(try request(desk, stop, trigger: high, named: "locked-in"))
    #expect(
      desk.reply == .amended(stop, isRepeated: false), "a profit is locked in once it is long")
  }

  @Test(arguments: [0, -5, Int64.max])
  func `an impossible trigger is refused and changes nothing`(price: Int64) throws {
    var desk = desk
    let order = desk.place(.sell, 2, trigger: Trigger(.stop, at: Price(units: 90)))
    let before = desk.trader.history
    desk.handle(try request(desk, order, trigger: Trigger(.stop, at: Price(units: price))))
    guard case .notAmended(order, .broken) = desk.reply else {
      Issue.record("\(desk.reply)")
      return
    }
    #expect(desk.trader.history == before)
  }

  @Test func `a typed trigger is read in the order's unit, and refused if it is met`() throws {
    let rules = try #require(desk.trader.rules(of: MarketDesk.symbol))
    let parser = TicketParser(rules: rules)
    func parsed(_ text: String, of trigger: Trigger) throws -> Trigger? {
      let name = try #require(ClientOrderIdentifier("a"))
      let order = OrderRequest(
        clientIdentifier: name, symbol: MarketDesk.symbol, side: .sell, kind: .market,
        quantity: Quantity(units: 1), trigger: trigger)
      let ticket = AmendTicket(
        clientIdentifier: name, order: OrderIdentifier(number: 1), quantity: nil, price: nil,
        trigger: text)
      return try parser.request(ticket, of: order, market: nil, last: Price(units: 100)).trigger
    }
    let fixed = Trigger(.stop, at: Price(units: 90))
    let percent = Trigger(.stop, at: Price(units: 90), trail: .basisPoints(5))
    #expect(try parsed("95", of: fixed) == Trigger(.stop, at: Price(units: 95)))
    #expect(
      try parsed("1.5", of: percent)
        == Trigger(.stop, at: Price(units: 0), trail: .basisPoints(150)))
    #expect(throws: TicketProblem.self) { try parsed("101", of: fixed) }
    for text in ["", "x", "1,5", "1e3", "-1", String(repeating: "9", count: 41)] {
      #expect(throws: TicketProblem.self, "\(text)") { try parsed(text, of: fixed) }
      #expect(throws: TicketProblem.self, "\(text)") { try parsed(text, of: percent) }
    }
  }
}

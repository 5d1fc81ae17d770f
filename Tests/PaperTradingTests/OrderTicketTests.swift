// Parsing of a typed ticket: the resulting request, and the field of an error.

import MarketModel
import PaperTrading
import Testing

@Suite struct OrderTicketTests {
  private let rules = TradingRules(oneStock: Desk.stock)

  private func problem(_ quantity: String, _ price: String?) -> TicketProblem? {
    let ticket = OrderTicket(
      clientIdentifier: ClientOrderIdentifier("a") ?? unreachable(), side: .sell,
      kind: price.map { .limit(price: $0) } ?? .market, quantity: quantity)
    do throws(TicketProblem) {
      _ = try TicketParser(rules: rules).request(ticket, market: nil)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a valid ticket is parsed as its request`() throws {
    let ticket = OrderTicket(
      clientIdentifier: ClientOrderIdentifier("a") ?? unreachable(), side: .sell,
      kind: .limit(price: " 45.1 "), quantity: "7")
    let request = try TicketParser(rules: rules).request(ticket, market: nil)
    #expect(request.kind == .limit(Price(units: 45_100_000)) && request.side == .sell)
    #expect(request.quantity == Quantity(units: 7) && request.symbol == Desk.stock)
  }

  private static let slips: [(String, String?, TicketProblem.Field)] = [
    ("", "45", .quantity), ("x", "", .quantity), ("0", nil, .quantity), ("1.5", nil, .quantity),
    ("1", "", .price), ("1", "0", .price), ("1", "45.001", .price), ("1", "1000000.01", .price),
    ("1", "4,5", .price),
  ]

  @Test(arguments: slips)
  func `a slip belongs to its field, quantity first`(
    quantity: String, price: String?, field: TicketProblem.Field
  ) {
    let found = problem(quantity, price)
    #expect(found?.field == field)
  }

  @Test func `counts by status follow every change`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 60")
    desk.place(.buy, 100)
    desk.place(.buy, 10, at: "45.00")
    desk.place(.buy, 10, at: "44.00")
    #expect(desk.trader.history.counts == [.cancelled: 1, .pending: 2])
    desk.tick(ask: "45.00 x 4")
    #expect(desk.trader.history.counts == [.cancelled: 1, .pending: 1, .partiallyFilled: 1])
    desk.tick(ask: "44.00 x 60")
    desk.place(.buy, 0)
    #expect(desk.trader.history.counts == [.cancelled: 1, .filled: 2, .rejected: 1])
  }

  @Test func `orders with a fill are counted once, whatever became of their rest`() {
    var desk = Desk()
    desk.tick(ask: "45.10 x 60")
    desk.place(.buy, 100)
    desk.place(.buy, 100)
    #expect(desk.trader.history.filledCount == 1)
    let waiting = desk.place(.buy, 10, at: "45.00")
    let untouched = desk.place(.buy, 10, at: "44.00")
    desk.tick(ask: "45.00 x 4")
    desk.tick(ask: "45.00 x 4")
    desk.handle(.cancel(waiting))
    desk.handle(.cancel(untouched))
    #expect(desk.trader.history.filledCount == 2)
    #expect(desk.trader.history.fillCount == 3)
    desk.tick(ask: "44.00 x 3")
    let parts = desk.place(.buy, 5, at: "44.00")
    desk.tick(ask: "44.00 x 2")
    #expect(desk.line(parts) == "FILLED 5/5 at 44.00")
    #expect(desk.trader.history.filledCount == 3)
    #expect(desk.trader.history.fillCount == 5, "one order, two fills")
  }

  @Test func `sentences mark their figures where the reader writes them`() {
    var desk = Desk()
    desk.trader = PaperTrader(rules: rules.marked)
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    desk.place(.buy, 10, at: "45.00")
    #expect(
      desk.told == [
        "Order open: buy {10} AAPL at {$45.00} or better; the best offer was {$45.10} {at}."
      ])
    desk.place(.buy, 100)
    #expect(
      desk.told == ["Bought {36} of {100} AAPL at {$45.10}; {64} cancelled: only {36} offered."])
    desk.place(.buy, 1_000_001)
    #expect(
      desk.told == [
        "AAPL order rejected. One order can be for at most {1000000}; {1000001} is more."
      ])
  }
}

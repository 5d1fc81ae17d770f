// EX6, LT5: the order history as drawn, from orders that the paper trader matched.

import MarketModel
import PaperTrading
import Testing

@testable import AppState

@Suite struct OrdersScreenTests {
  private func trader() throws -> PaperTrader {
    PaperTrader(rules: TradingRules(oneStock: try symbol("TROAD")))
  }

  private func snapshot(_ number: UInt64, ask: String, _ quantity: Int64) throws -> TradingInput {
    let units = try #require(try decimal(ask).exactly(at: Scale(clamping: 6))).units
    return .feed(
      .tick(
        TopOfBook(
          number: number, venueTime: number, bid: nil,
          ask: PriceLevel(price: Price(units: units), quantity: Quantity(units: quantity)))),
      of: try symbol("TROAD"))
  }

  private func buy(
    _ trader: PaperTrader, _ quantity: String, _ kind: OrderTicket.Kind, named name: String,
    side: Side = .buy
  ) throws -> TradingInput {
    let ticket = OrderTicket(
      clientIdentifier: try #require(ClientOrderIdentifier(name)), side: side, kind: kind,
      quantity: quantity)
    return .place(
      try TicketParser(rules: trader.rules).request(ticket, market: trader.liveMarket))
  }

  private func screen(_ trader: PaperTrader, failure: Sentence? = nil) -> OrdersScreen {
    var screen = OrdersScreen()
    screen.take(
      .orders(trader.overview(storage: nil, failure: failure, skippedTicks: 3)))
    return screen
  }

  @Test func `rows are newest first, with levels, slippage and the reason of a rest`() throws {
    var trader = try trader()
    _ = trader.handle(try snapshot(1, ask: "45.10", 36), at: at(0))
    _ = trader.handle(try buy(trader, "100", .limit(price: "45.20"), named: "a"), at: at(1))
    _ = trader.handle(try snapshot(2, ask: "45.2", 24), at: at(2))
    _ = trader.handle(try buy(trader, "5", .market, named: "b"), at: at(3))
    let state = screen(trader).state
    #expect(state.rows.map(\.id.number) == [2, 1])
    let first = state.rows[1]
    #expect(first.status == .partiallyFilled && first.isOpen)
    #expect(first.levels.map(\.price.description) == ["45.10", "45.20"])
    #expect(first.levels.map(\.quantity.description) == ["36", "24"])
    #expect(first.fills.map(\.quantity.description) == ["36", "24"])
    #expect(first.fills.map(\.price.description) == ["45.10", "45.20"])
    #expect(first.fills.map(\.time) == [at(1).wall, at(2).wall])
    #expect(first.average?.description == "45.14" && first.slippage?.description == "0.04")
    #expect(first.filled.description == "60" && first.open.description == "40")
    #expect(
      first.reason == "Resting until the next tick; what is offered at 45.20 is used up.")
    #expect(first.wouldHaveFilled?.price.description == "45.20")
    let second = state.rows[0]
    #expect(second.limit == nil && second.average == nil && second.slippage == nil)
    #expect(second.reason == "Cancelled: earlier orders took all 24 offered.")
    #expect(state.total == 2 && state.openCount == 1)
    #expect(state.counts == [.partiallyFilled: 1, .cancelled: 1])
  }

  @Test func `a row lists the latest 32 fills and the receipt of all`() throws {
    var trader = try trader()
    _ = trader.handle(try buy(trader, "100", .limit(price: "45.20"), named: "a"), at: at(0))
    for number in 1...40 {
      _ = trader.handle(
        try snapshot(UInt64(number), ask: "45.10", 2), at: at(Int64(number)))
    }
    let row = try #require(screen(trader).state.rows.first)
    #expect(row.fills.count == OrderRowState.maximumFills)
    #expect(row.fills.last?.time == at(40).wall && row.fills.first?.time == at(9).wall)
    #expect(row.levels.map(\.quantity.description) == ["80"])
  }

  @Test func `however many orders follow, those that wait are all listed`() throws {
    var trader = try trader()
    for number in 1...240 {
      _ = trader.handle(
        try buy(trader, "1", .limit(price: "1"), named: "w\(number)"), at: at(Int64(number)))
    }
    for number in 241...460 {
      _ = trader.handle(
        try buy(trader, "1", .market, named: "m\(number)"), at: at(Int64(number)))
    }
    _ = trader.handle(.cancel(OrderIdentifier(number: 7)), at: at(500))
    var screen = screen(trader)
    #expect(screen.state.rows.count == 200 && screen.state.rows.last?.id.number == 261)
    #expect(screen.state.openRows.count == 239 && screen.state.openCount == 239)
    #expect(screen.state.openRows.first?.id.number == 240)
    #expect(screen.state.openRows.last?.id.number == 1)
    _ = screen.perform(.show(.open), at: at(501))
    #expect(screen.state.shownRows == screen.state.openRows)
    _ = screen.perform(.show(.all), at: at(502))
    #expect(screen.state.shownRows.count == 439)
  }

  @Test func `older orders come in pages of 200, newest first`() throws {
    var trader = try trader()
    for number in 1...250 {
      _ = trader.handle(
        try buy(trader, "1", .limit(price: "1"), named: "o\(number)"), at: at(Int64(number)))
    }
    func page(_ number: UInt64) -> [UInt64] {
      trader.reports(before: OrderIdentifier(number: number)).map(\.order.identifier.number)
    }
    #expect(page(251) == Array((51...250).reversed()) && page(.max) == page(251))
    #expect(page(51) == Array((1...50).reversed()))
    #expect(page(1) == [] && page(0) == [])
  }

  @Test func `at most 200 orders are listed and all are counted`() throws {
    var trader = try trader()
    for number in 1...250 {
      _ = trader.handle(
        try buy(trader, "1", .limit(price: "1"), named: "o\(number)"), at: at(Int64(number)))
    }
    let state = screen(trader).state
    #expect(state.rows.count == 200 && state.rows.first?.id.number == 250)
    #expect(state.total == 250 && state.counts == [.pending: 250])
  }

  @Test func `the filter shows what its label promises`() throws {
    var trader = try trader()
    _ = trader.handle(try buy(trader, "1", .market, named: "rejected"), at: at(0))
    _ = trader.handle(try buy(trader, "1", .limit(price: "1"), named: "waits"), at: at(1))
    _ = trader.handle(try buy(trader, "1", .limit(price: "1"), named: "gone"), at: at(2))
    _ = trader.handle(.cancel(OrderIdentifier(number: 3)), at: at(3))
    _ = trader.handle(try snapshot(1, ask: "45.10", 36), at: at(4))
    _ = trader.handle(try buy(trader, "1", .market, named: "filled"), at: at(5))
    _ = trader.handle(try buy(trader, "100", .market, named: "a-part"), at: at(5))
    var screen = screen(trader)
    let expected: [OrdersFilter: [UInt64]] = [
      .all: [5, 4, 3, 2, 1], .open: [2], .pending: [2], .partiallyFilled: [], .filled: [5, 4],
      .cancelled: [5, 3], .rejected: [1],
    ]
    for filter in OrdersFilter.allCases {
      let effects = screen.perform(.show(filter), at: at(6))
      #expect(effects == [])
      #expect(screen.state.shownRows.map(\.id.number) == expected[filter], "\(filter)")
      #expect(screen.state.count(of: filter) == expected[filter]?.count, "\(filter)")
    }
    #expect(
      screen.state.rows.last?.reason?.description.hasPrefix("A market order needs live prices")
        == true)
  }

  @Test(arguments: [
    ("", [3, 2, 1]), ("  ", [3, 2, 1]), ("BUY", [2, 1]), ("sell limit", [3]), ("reached", [3, 2]),
    ("done", [1]), ("partially", []), ("buy pending", [2]), ("9 second", []), ("filled", [1]),
    ("nowhere", []), ("live prices", []), ("\u{0}", []),
  ])
  func `a search finds the rows with all its words, whatever their case`(
    text: String, expected: [UInt64]
  ) throws {
    var trader = try trader()
    _ = trader.handle(try snapshot(1, ask: "45.10", 36), at: at(0))
    _ = trader.handle(try buy(trader, "7", .market, named: "done"), at: at(1))
    _ = trader.handle(try buy(trader, "8", .limit(price: "40"), named: "second"), at: at(2))
    _ = trader.handle(
      try buy(trader, "9", .limit(price: "60"), named: "third", side: .sell), at: at(3))
    var screen = screen(trader)
    _ = screen.perform(.search(text), at: at(4))
    #expect(screen.state.shownRows.map(\.id.number) == expected)
    _ = screen.perform(.show(.open), at: at(5))
    #expect(screen.state.shownRows.map(\.id.number) == expected.filter { $0 != 1 })
  }

  @Test func `a search is cut at its bound`() throws {
    var screen = screen(try trader())
    _ = screen.perform(.search(String(repeating: "x", count: 10_000)), at: at(0))
    #expect(screen.state.search.count == OrdersState.maximumSearchLength)
  }

  @Test func `a failure and what was skipped are shown, and before the first news nothing is`()
    throws
  {
    #expect(!OrdersScreen().state.isLoaded)
    let state = screen(try trader(), failure: "The disk is full.").state
    #expect(state.isLoaded && state.failure == "The disk is full." && state.skippedTicks == 3)
  }

  @Test func `the exchange provides the steps of a ticket`() throws {
    let state = ExchangeScreen(symbol: try symbol("TROAD")).state
    #expect(state.priceStep.description == "0.01" && state.quantityStep.description == "1")
  }

  @Test func `the history has an address`() {
    #expect(DeepLink.route(path: "/orders") == .orders)
    #expect(DeepLink.route(link: Route.orders.link) == .orders)
  }
}

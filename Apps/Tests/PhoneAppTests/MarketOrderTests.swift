// Paper orders in a venue's spot market on the phone: from the market's screen to the position.

import AppState
import ChartModel
import Foundation
import MarketModel
import PaperTrading
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing
import TicketModel

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct MarketOrderTests {
  private let folder = LedgerFolder()

  /// The app at Kraken's BTC/USD, with its book and the orders loaded.
  private func market() async throws -> TestApp {
    let app = TestApp(folder: folder.path)
    app.feeds.connection(.kraken, .live)
    app.host.open(try #require(URL(string: "stocks://chart/BTC/USD")))
    try book(app)
    await app.host.settle { app.model.trading.orders.isLoaded }
    return app
  }

  /// A book of Kraken's BTC/USD: prices in tenths, sizes in thousandths.
  private func book(
    _ app: TestApp, bid: (Int64, Int64) = (642_000, 500), ask: (Int64, Int64) = (642_010, 400),
    _ status: BookStatus = .synced, _ state: FreshnessState = .live, sequence: UInt64 = 1
  ) throws {
    try app.feeds.pairBook(
      .kraken, "BTC/USD", bids: [bid], asks: [ask], status, state, sequence: sequence)
  }

  private func order(
    _ app: TestApp, _ side: String, _ quantity: String, limit: String? = nil
  ) async throws {
    try app.host.tap("\(side) BTC/USD")
    if let limit {
      try app.host.choose("Limit", in: "Kind of order")
      try app.host.type(limit, into: "Limit price")
    }
    try app.host.type(quantity, into: "Quantity")
    await app.host.settle { !app.texts.contains("Updating preview…") }
    app.feeds.pass(400)
    try app.host.tap("Review \(side.lowercased()) order")
    app.feeds.pass(400)
    try app.host.tap("Place \(side.lowercased()) order")
    await app.host.settle { app.texts.contains("New order") }
  }

  /// Places a stop to sell 0.1 at the market once a trade is at 64,100.
  private func sellStop(_ app: TestApp) async throws {
    try app.host.tap("Sell BTC/USD")
    try app.host.choose("Stop", in: "When")
    try app.host.type("64100", into: "Trigger")
    try app.host.type("0.1", into: "Quantity")
    await app.host.settle { !app.texts.contains("Updating preview…") }
    app.feeds.pass(400)
    try app.host.tap("Review sell order")
    app.feeds.pass(400)
    try app.host.tap("Place sell order")
  }

  private func says(_ app: TestApp, _ text: String) async -> Bool {
    await app.host.settle { app.texts.contains(text) }
    return app.texts.contains(text)
  }

  @Test func `an order in a spot market leads to its fills, fee and position`() async throws {
    let app = try await market()
    try app.host.tap("Buy BTC/USD")
    let sheet = try #require(app.host.all.first { $0.kind == .sheet })
    #expect(sheet.all.contains { $0.attributes[.other("detents")] == "large medium" })
    #expect(app.host.navigationTitle == "BTC/USD · Kraken")
    #expect(app.texts.contains("Lot 0.001"))
    try app.host.tap("Close")
    try await order(app, "Buy", "0.5")
    let status = "PARTIALLY FILLED · 0.4 of 0.5 at 64,201"
    await app.host.settle { app.texts.contains { $0.hasPrefix(status) } }
    #expect(app.texts.contains { $0.hasPrefix(status) })
    #expect(
      app.texts.contains { $0.hasPrefix("Bought 0.4 of 0.5 Kraken BTC/USD at 64201.0") })
    #expect(await says(app, "0.4"))
    #expect(app.texts.contains { $0.hasPrefix("average 64,201.0 · value 25,680.00 USD") })
    #expect(app.texts.contains { $0.hasPrefix("Equity in USD") })
    let chart = app.model.charts.chart(.kraken, try symbol("BTC/USD"))
    #expect(chart?.scene.fills.map(\.side) == [.buy], "marked on the chart")
    try app.host.tap("Close")
    try app.host.tap("Exchange")
    try app.host.tap("Order history")
    #expect(app.texts.contains("Buy 0.5 Kraken BTC/USD at market"))
  }

  @Test func `a market order fills no further than its protection price`() async throws {
    let app = try await market()
    try app.host.tap("Sell BTC/USD")
    #expect(app.texts.contains("Min price") && app.texts.contains("none: any price"))
    try app.host.tap("Close")
    try app.host.tap("Buy BTC/USD")
    try app.host.type("64200", into: "Max price")
    try app.host.type("0.3", into: "Quantity")
    #expect(await says(app, "Won’t fill above 64,200; the rest is cancelled."))
    try app.host.choose("Limit", in: "Kind of order")
    #expect(!app.texts.contains("Max price"))
  }

  @Test func `open orders of all markets are counted and listed, or those of one`() async throws {
    let app = try await market()
    try await order(app, "Buy", "0.1", limit: "60000")
    #expect(await says(app, "Open orders (1)"))
    try app.host.tap("Close")
    try app.host.tap("Exchange")
    await app.host.settle { (try? app.feeds.tick(1)) != nil }
    #expect(app.texts.contains("Open orders (1)"))
    #expect(app.texts.contains("Buy 0.1 Kraken BTC/USD at 60,000.0 or better"))
    try app.host.choose("This market", in: "Orders and positions of")
    #expect(app.texts.contains("Open orders (0)"))
    #expect(app.host.all.contains { $0.attributes[.other("badge")] == "1" }, "of all markets")
  }

  @Test func `a position is closed at once, after its levels and what they bring`() async throws {
    let app = try await market()
    try await order(app, "Buy", "0.3")
    #expect(await says(app, "0.3"))
    try app.host.tap("Close")
    try app.host.tap("Exchange")
    let name = "Close the position in Kraken BTC/USD"
    await app.host.settle { app.texts.contains { $0.contains("at mid") } }
    try app.host.tap(name)
    #expect(await says(app, "Close 0.3 Kraken BTC/USD?"))
    let outcome = app.texts.first { $0.contains("before the fee") }
    #expect(outcome?.hasPrefix("64,200.0 × 0.3\naverage 64,200.0") == true, "\(outcome ?? "")")
    try app.host.tap("Sell 0.3 at market")
    await app.host.settle { (try? app.host.tap(name)) == nil }
    #expect(app.texts.contains("0"), "the position is closed")
  }

  /// A trade of 0.05 in Kraken's BTC/USD at a price in tenths.
  private func trade(_ app: TestApp, at price: Int64, number: Int64 = 1) throws {
    let trade = Trade(
      price: Price(units: price), size: Quantity(units: 50), side: .sell,
      time: Timestamp(milliseconds: app.feeds.milliseconds + 1000), arrival: UInt64(number),
      identifier: number)
    app.feeds.happen(
      MarketKey(.kraken, .trades, try symbol("BTC/USD")),
      .trade(trade, priceScale: Scale(clamping: 1), quantityScale: Scale(clamping: 3)))
  }

  @Test func `a resting order's certain and possible fills are both shown`() async throws {
    let app = try await market()
    try await order(app, "Buy", "0.1", limit: "64200")
    #expect(await says(app, "PENDING · 0 of 0.1 filled"))
    try trade(app, at: 642_000)
    #expect(await says(app, "PENDING · 0–0.05 of 0.1 filled"))
  }

  @Test func `a stop waits for a trade, and its row and receipt name both prices`() async throws {
    let app = try await market()
    try await sellStop(app)
    #expect(await says(app, "Sell 0.1 Kraken BTC/USD Stop 64,100.0 → market"))
    try trade(app, at: 640_990)
    try book(app, bid: (640_900, 500), ask: (641_000, 500), sequence: 2)
    #expect(await says(app, "FILLED · 0.1 of 0.1 at 64,090.0"))
    try app.host.tap("Close")
    try app.host.tap("Exchange")
    try app.host.tap("Order history")
    try app.host.tap("Sell 0.1 Kraken BTC/USD Stop 64,100.0 → market")
    #expect(app.texts.contains { $0.hasSuffix("at 64,099.0, 1.0 beyond") })
  }

  @Test func `a receipt opens over the ticket, which is as it was when the user comes back`()
    async throws
  {
    let app = try await market()
    try await order(app, "Buy", "0.1", limit: "64100")
    #expect(await says(app, "Open orders (1)"))
    app.feeds.pass(400)
    try app.host.tap("New order")
    try app.host.choose("Sell", in: "Side")
    try app.host.type("0.2", into: "Quantity")
    let row = try #require(
      app.host.all.compactMap { $0.attributes[.accessibilityLabel] }
        .first { $0.hasPrefix("Order 1: Buy 0.1") })
    try app.host.tap(row)
    #expect(app.host.navigationTitle == "Order 1")
    #expect(app.texts.contains("PENDING") && app.texts.contains("64,100.0"))
    try app.host.back()
    #expect(app.texts.contains("Review sell order") && app.texts.contains("0.2"))
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `a waiting stop is amended in its row: its trigger, quantity and nothing else`()
    async throws
  {
    let app = try await market()
    try await sellStop(app)
    let title = "Sell 0.1 Kraken BTC/USD Stop 64,100.0 → market"
    #expect(await says(app, title))
    try app.host.tap("Amend order 1, \(title)")
    #expect(!app.texts.contains("Limit price") && !app.texts.contains("Done"))
    try app.host.focus("Trigger")
    try app.host.tap("Done")
    #expect(!app.texts.contains("Done"))
    try app.host.type("x", into: "Trigger")
    try app.host.tap("Save")
    #expect(app.texts.contains("The price must be a number in plain digits."))
    try app.host.type("65000", into: "Trigger")
    try app.host.tap("Save")
    await app.host.settle { app.texts.contains { $0.hasPrefix("A stop to sell must be below") } }
    #expect(app.texts.contains { $0.hasPrefix("A stop to sell must be below") })
    try app.host.type("64000.5", into: "Trigger")
    try app.host.type("0.2", into: "Quantity")
    try app.host.tap("Save")
    #expect(await says(app, "Sell 0.2 Kraken BTC/USD Stop 64,000.5 → market"))
    #expect(!app.texts.contains("Save"))
    #expect(app.model.trading.orders.openRows.map(\.amendments) == [1])
  }

  @Test func `a resting order is amended, and what would trade at once is named before`()
    async throws
  {
    let app = try await market()
    try await order(app, "Buy", "0.1", limit: "64100")
    #expect(await says(app, "Open orders (1)"))
    let title = "Buy 0.1 Kraken BTC/USD at 64,100.0 or better"
    try app.host.tap("Amend order 1, \(title)")
    try app.host.type("64201", into: "Limit price")
    #expect(app.texts.contains { $0.hasPrefix("Buys 0.1 Kraken BTC/USD at 64,201") })
    try app.host.tap("Discard")
    #expect(app.model.trading.orders.openRows.map(\.amendments) == [0])
    try app.host.tap("Amend order 1, \(title)")
    try app.host.type("64150", into: "Limit price")
    try app.host.tap("Save")
    #expect(await says(app, "Buy 0.1 Kraken BTC/USD at 64,150.0 or better"))
  }

  @Test func `positions add up in the chosen currency, with the market that converts them`()
    async throws
  {
    let app = try await market()
    try await order(app, "Buy", "0.4")
    #expect(await says(app, "Equity in USD"))
    #expect(!app.texts.contains("Total in EUR"))
    try app.host.choose("EUR", in: "Total in")
    #expect(app.model.totalCurrency == "EUR")
    #expect(app.texts.contains("Not in the total: USD (searching for a market)."))
    try app.feeds.listing()
    #expect(app.texts.contains("Not in the total: USD (no conversion price yet)."))
    try app.feeds.pairBook(.kraken, "BTC/EUR", bids: [(600_000, 500)], asks: [(600_010, 400)])
    let route = """
      USD → BTC by Kraken BTC/USD at 64,200.5, live · simulated; BTC → EUR by Kraken BTC/EUR at \
      60,000.5, live · simulated
      """
    #expect(app.texts.contains(route), "\(app.texts.suffix(12))")
    #expect(app.texts.contains("Total in EUR"))
    #expect(!app.texts.contains { $0.hasPrefix("Not in the total") })
    try app.host.choose("Each currency", in: "Total in")
    #expect(!app.texts.contains("Total in EUR") && app.model.totalCurrency == nil)
  }

  @Test func `a bracket places its exits with the entry, and a reduce-only order none`()
    async throws
  {
    let app = try await market()
    try app.host.tap("Buy BTC/USD")
    try app.host.choose("Bracket", in: "When")
    try app.host.type("60000", into: "Stop")
    try app.host.type("70000", into: "Take profit")
    try app.host.type("0.1", into: "Quantity")
    await app.host.settle { !app.texts.contains("Updating preview…") }
    #expect(app.texts.contains { $0.contains("Worst loss at the stop, before fees: 420.1") })
    app.feeds.pass(400)
    try app.host.tap("Review buy order")
    app.feeds.pass(400)
    try app.host.tap("Place buy order")
    #expect(await says(app, "Open orders (2)"))
    #expect(app.texts.contains("Sell 0.1 Kraken BTC/USD Stop 60,000.0 → market"))
    #expect(app.texts.contains("Sell 0.1 Kraken BTC/USD Take profit 70,000.0 → market"))
    app.feeds.pass(400)
    try app.host.tap("New order")
    try app.host.choose("Sell", in: "Side")
    try app.host.type("5", into: "Quantity")
    try app.host.tap("Only reduce my position")
    let refusal = "A reduce-only order can be for at most the position, 0.1; 5 is more."
    await app.host.settle { app.texts.contains(refusal) }
    #expect(app.texts.contains(refusal), "\(app.texts.suffix(30))")
  }

  @Test(arguments: [
    (BookStatus.resyncing, FreshnessState.resyncing), (.synced, .late), (.synced, .stale),
  ])
  func `while the book is not valid the ticket states why and accepts nothing`(
    status: BookStatus, state: FreshnessState
  ) async throws {
    let app = try await market()
    try app.host.tap("Sell BTC/USD")
    try app.host.choose("Limit", in: "Kind of order")
    try app.host.type("0.1", into: "Quantity")
    try app.host.type("65000", into: "Limit price")
    await app.host.settle { !app.texts.contains("Updating preview…") }
    try book(app, status, state, sequence: 2)
    app.host.render()
    let word = state.word.lowercased()
    #expect(
      app.texts.contains { $0.hasPrefix("Orders are refused: the order book is \(word)") })
    #expect(throws: ViewHost.Failure.self) { try app.host.tap("Review sell order") }
  }

  @Test func `contracts and apps without the exchange have no ticket`() throws {
    let app = TestApp()
    app.host.open(try #require(URL(string: "stocks://chart/XBTUSD")))
    #expect(!app.texts.contains("Buy"))
  }

  @Test func `a market is followed for orders only as long as there are any`() async throws {
    let app = try await market()
    let tape = MarketKey(.kraken, .trades, try symbol("BTC/USD"))
    func followed() -> Bool { app.feeds.eventObservers(of: tape) > 0 }
    try app.host.tap("Buy BTC/USD")
    try app.host.type("0.1", into: "Quantity")
    await app.host.settle { followed() }
    #expect(followed())
    try app.host.tap("Close")
    #expect(!followed())
  }
}

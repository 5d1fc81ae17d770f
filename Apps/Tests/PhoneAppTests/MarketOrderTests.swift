// Paper orders in a venue's spot market on the phone: from the market's screen to the position.

import AppState
import ChartModel
import Foundation
import MarketModel
import PaperTrading
import PhoneAppFixtures
import Testing

@testable import PhoneApp
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

  @Test func `a resting order's certain and possible fills are both shown`() async throws {
    let app = try await market()
    try await order(app, "Buy", "0.1", limit: "64200")
    #expect(await says(app, "PENDING · 0 of 0.1 filled"))
    let trade = Trade(
      price: Price(units: 642_000), size: Quantity(units: 50), side: .sell,
      time: Timestamp(milliseconds: app.feeds.milliseconds + 1000), arrival: 1, identifier: 1)
    app.feeds.happen(
      MarketKey(.kraken, .trades, try symbol("BTC/USD")),
      .trade(trade, priceScale: Scale(clamping: 1), quantityScale: Scale(clamping: 3)))
    #expect(await says(app, "PENDING · 0–0.05 of 0.1 filled"))
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

// Each app as its shell launches it, on the built-in market, where no socket can be opened.

import AppState
import FeedConnections
import Foundation
import LivetapeUITests
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct BuiltInMarketTests {
  private let folder = LedgerFolder()

  /// The app after its first launch, with the built-in market chosen.
  private func launch(_ scope: AppScope) throws -> LaunchedApp {
    let app = try LaunchedApp(scope, folder: folder)
    #expect(app.host.navigationTitle == "Livetape")
    try app.host.tap("Built-in market")
    #expect(app.preferences.markets == MarketChoice(.builtIn))
    return app
  }

  @Test func `PD8 each of twelve app switches reconnects all venues within 250 ms`() async throws {
    let app = try launch(.full)
    try app.host.tap("Settings")
    let count = AppScope.full.venues.count
    var live: Int { app.host.texts.count { $0 == "Connected" } }
    try await app.wait(for: "all venues") { live == count }
    for number in 1...12 {
      await app.pass(5000)
      app.host.set(\.scenePhase, .background)
      await app.pass(3000)
      await app.host.settle { live == 0 }
      app.host.set(\.scenePhase, .active)
      await app.pass(250)
      await app.host.settle { !app.shows("Disconnected") }
      #expect(!app.shows("next try"), "switch \(number): \(app.host.texts)")
      try await app.wait(for: "all venues") { live == count }
    }
  }

  @Test(arguments: [AppScope.full, .exchange, .orderBook, .product, .tracker])
  func `a hardware keyboard reaches each tab`(scope: AppScope) throws {
    let app = try LaunchedApp(scope, folder: folder)
    #expect(throws: ViewHost.Failure.self, "before markets are chosen") {
      try app.host.pressCommand("1")
    }
    try app.host.tap("Built-in market")
    var titles: Set<String?> = []
    for (index, tab) in scope.tabs.enumerated() {
      let key = try #require("\(index + 1)".first)
      #expect(try app.host.pressCommand(key) == Locale(identifier: "en").text(tab.name))
      titles.insert(app.host.navigationTitle)
    }
    #expect(titles.count == scope.tabs.count)
    let next = try #require("\(scope.tabs.count + 1)".first)
    #expect(throws: ViewHost.Failure.self) { try app.host.pressCommand(next) }
  }

  @Test func `a hardware keyboard opens the ticket for each side, and the list of markets`()
    async throws
  {
    let app = try launch(.full)
    #expect(try app.host.pressCommand("3") == "Market")
    app.host.open(try #require(URL(string: "stocks://book/BTC%2FUSD")))
    try await app.wait(for: "Buy and Sell") { app.host.texts.contains("Sell") }
    for (key, side) in [(Character("b"), "Buy"), ("s", "Sell")] {
      #expect(try app.host.pressCommand(key).hasPrefix(side))
      #expect(app.host.all.contains { $0.kind == .sheet })
      try app.host.tap("Close")
      #expect(!app.host.all.contains { $0.kind == .sheet })
    }
    try app.host.pressCommand("f")
    #expect(app.host.navigationTitle == "All markets")
  }

  @Test(arguments: [
    (AppScope.full, "BTC/USD, Bitcoin / US dollar · Kraken"),
    (.orderBook, "XBTUSD, Bitcoin / US dollar · BitMEX"),
  ])
  func `the first market is the page's, in the order book's brief its own`(
    scope: AppScope, market: String
  ) throws {
    let app = try launch(scope)
    try app.host.tap("Market")
    #expect(app.host.attributes(of: "Choose the instrument")?[.accessibilityValue] == market)
    #expect(scope.firstMarket(closed: [.bitmex])?.text == "BTC/USD")
    #expect(scope.firstMarket(closed: [.bitmex, .kraken])?.text == "BTC-USD")
  }

  /// The flows that Xcode performs with the built app.
  @Test(arguments: BriefFlow.allCases)
  func `each brief works from the first launch of the full app`(flow: BriefFlow) async throws {
    let app = try launch(.full)
    for step in flow.steps {
      // While this machine is busy the price may be late for a moment, and nothing can be ordered.
      try await app.wait(for: "\(step)") {
        switch step {
        case .tap(let label): (try? app.host.tap(label)) != nil
        case .choose(let option, let name): (try? app.host.choose(option, in: name)) != nil
        case .type(let text, let name): (try? app.host.type(text, into: name)) != nil
        case .see(let text): app.shows(text)
        }
      }
      // Presses right after a change of the ticket are ignored.
      await app.pass(500)
    }
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `EX the exchange trades and remembers its orders`() async throws {
    let app = try launch(.exchange)
    let host = app.host
    try await app.wait(for: "best prices") { app.shows("Best buy") && app.shows("Quantity 1") }
    try host.type("1", into: "Quantity")
    try await app.wait(for: "a preview") {
      !app.shows("Updating preview") && !app.shows("read from")
    }
    // While this machine is busy the price may be late for a moment, and nothing can be ordered.
    try await app.wait(for: "the review") { (try? host.tap("Review buy order")) != nil }
    await app.pass(500)
    try await app.wait(for: "the order's button") { (try? host.tap("Place buy order")) != nil }
    try await app.wait(for: "a receipt") { app.shows("FILLED") }
    try host.tap("Order history")
    #expect(host.navigationTitle == "Orders")
    try await app.wait(for: "the order") { app.shows("1 of 1") }
    #expect(host.complaints.isEmpty)
  }

  @Test func `OB a book of 20 rows a side and the latest trades`() async throws {
    let app = try launch(.orderBook)
    let host = app.host
    try await app.wait(for: "a live book") {
      ["Bid", "Ask"].allSatisfy { side in
        host.all.filter { $0.attributes[.accessibilityLabel]?.hasPrefix(side) == true }.count == 20
      }
    }
    try host.choose("Recent Trades", in: "List")
    try await app.wait(for: "trades") { app.shows(":00:") }
    #expect(host.complaints.isEmpty)
  }

  @Test func `LT13 gainers are ranked by the figures of the built-in market`() async throws {
    let app = try launch(.full)
    let host = app.host
    try host.tap("Market")
    try host.tap("All markets")
    // The whole list takes minutes to evaluate here.
    try host.search("bitcoin dollar kraken")
    try host.tap("Gainers, 24 h")
    try await app.wait(for: "the ranking") { app.shows("24 h change at ") }
    #expect(host.all.contains { $0.kind == .button && $0.texts.first == "BTC/USD" })
    #expect(host.complaints.isEmpty)
  }

  @Test func `PD a product shows its price and the difference to the close`() async throws {
    let app = try launch(.product)
    let host = app.host
    try host.tap("Gold")
    try await app.wait(for: "a live price") { app.shows("Previous close") && app.shows("Live") }
    #expect(app.shows("%"))
    #expect(host.complaints.isEmpty)
  }

  @Test(arguments: [AppScope.tracker, .full])
  func `PT prices move, a link opens details, and the feed stops`(scope: AppScope) async throws {
    let app = try launch(scope)
    let host = app.host
    try await app.wait(for: "all prices") {
      host.all.filter { $0.kind == .link && $0.label.contains("$") }.count == 25
    }
    host.open(try #require(URL(string: "stocks://symbol/NVDA")))
    #expect(host.navigationTitle == "NVDA")
    try await app.wait(for: "its price") { app.shows("$") && app.shows("Live") }
    try host.back()
    try host.tap("Stop")
    try await app.wait(for: "the end") { app.shows("Disconnected") }
    #expect(host.complaints.isEmpty)
  }
}

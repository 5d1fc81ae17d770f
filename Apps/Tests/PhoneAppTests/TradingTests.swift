// EX3 to EX7 on the phone: from the ticket to the receipt to the history, with the service and a
// ledger on disk.

import AppState
import ChartModel
import Foundation
import MarketModel
import OrderLedger
import OrderService
import PaperTrading
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct TradingTests {
  private let folder = LedgerFolder()

  @Test func `EX3 buy 100 when 60 are offered: shown before, after and in the history`()
    async throws
  {
    let app = try await TestApp.exchange(in: folder)
    var spoken: [String] = []
    app.model.announce = { spoken.append($0) }
    try app.host.type("100", into: "Quantity")
    #expect(await app.says("60 × 101.50"))
    #expect(app.texts.contains("40 will be cancelled: only 60 available."))
    try await app.order("100")
    #expect(await app.says("PARTIALLY FILLED · 60 of 100 at 101.50"))
    #expect(app.texts.contains("Bought 60 of 100 TROAD at 101.50; 40 cancelled: only 60 offered."))
    #expect(spoken.last?.hasPrefix("PARTIALLY FILLED · 60 of 100 at 101.50. Bought 60") == true)
    try app.host.tap("Order history")
    #expect(app.host.navigationTitle == "Orders")
    #expect(app.texts.contains("60 of 100 avg 101.50"))
    let row = try #require(
      app.host.all.compactMap { $0.attributes[.accessibilityLabel] }
        .first { $0.hasPrefix("Order 1: Buy 100 TROAD at market, partially filled") })
    try app.host.tap(row)
    #expect(app.host.navigationTitle == "Order 1")
    let facts = ["PARTIALLY FILLED", "60 of 100", "Average", "101.50", "Fills by price", "Number"]
    for text in facts { #expect(app.texts.contains(text), "\(text)") }
    #expect(app.texts.contains { $0.contains("only 60") }, "the reason")
    #expect(app.texts.contains("60 at 101.50"), "the level")
    #expect(app.texts.contains("60 at 101.50 · a level of 60"), "the fill at its time")
    try app.host.back()
    #expect(app.texts.contains { $0.hasPrefix("Ledger intact · ") })
    try app.host.choose("Rejected (0)", in: "Status")
    #expect(app.texts.contains("No order matches."))
    try app.host.choose("Filled (1)", in: "Status")
    #expect(app.texts.contains("60 of 100 avg 101.50"))
    try app.host.choose("Cancelled (1)", in: "Status")
    #expect(app.texts.contains("60 of 100 avg 101.50"))
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `a faulty field gets the keyboard, and Done puts it away`() async throws {
    let app = try await TestApp.exchange(in: folder)
    func focused() -> [String] {
      app.host.all.filter { $0.attributes[.other("focused")] == "true" }.flatMap(\.all)
        .filter { $0.kind == .field }.map(\.label)
    }
    #expect(focused().isEmpty)
    #expect(!app.texts.contains("Done"))
    try app.host.choose("Limit", in: "Kind of order")
    try app.host.type("10", into: "Quantity")
    app.settle()
    try app.host.tap("Review buy order")
    #expect(focused() == ["Limit price"])
    try app.host.tap("Done")
    #expect(focused().isEmpty)
  }

  @Test func `while a number is typed the chart stays visible, with less height`() async throws {
    let app = try await TestApp.exchange(in: folder)
    func limits() -> [String] {
      app.host.all.filter { $0.all.contains { $0.kind == .canvas } }
        .compactMap { $0.attributes[.frameLimits] }
    }
    #expect(limits().contains("- - 180.0 260.0"))
    try app.host.choose("Limit", in: "Kind of order")
    try app.host.type("10", into: "Quantity")
    app.settle()
    try app.host.tap("Review buy order")
    #expect(limits().contains("- - 150.0 170.0"))
    app.host.set(\.horizontalSizeClass, .regular)
    #expect(limits().contains { $0.hasPrefix("- - 180.0") }, "beside the ticket there is room")
  }

  @Test func `a fill is notified where no ticket shows it`() async throws {
    let app = try await TestApp.exchange(in: folder)
    var (notices, asked): ([String], Int) = ([], 0)
    app.model.trading.notify = { notices.append("\($0): \($1)") }
    app.model.trading.askPermission = { asked += 1 }
    try await app.order("100", limit: "101.00")
    #expect(await app.says("PENDING · 0 of 100 filled"))
    #expect(notices.isEmpty && asked == 1)
    try app.host.tap("Settings")
    try app.feeds.tick(2, ask: ("100.90", 500))
    await app.host.settle { !notices.isEmpty }
    #expect(notices == ["Order 1: Bought 100 TROAD at 100.90."])
  }

  @Test func `a rejected order is announced to screen readers with its reason`() async throws {
    let app = try await TestApp.exchange(in: folder)
    var spoken: [String] = []
    app.model.announce = { spoken.append($0) }
    try app.host.type("10", into: "Quantity")
    await app.host.settle { !app.texts.contains("Updating preview…") }
    app.settle()
    try app.host.tap("Review buy order")
    app.settle()
    app.model.trading.close()
    try app.host.tap("Place buy order")
    await app.host.settle { !spoken.isEmpty }
    #expect(
      spoken == ["TROAD order rejected. The app is closed. Nothing was ordered."])
    app.host.render()
    #expect(app.host.felt == ["error"])
  }

  @Test func `EX4 EX6 a limit order waits, over the end of the app, and can be cancelled`()
    async throws
  {
    let first = try await TestApp.exchange(in: folder)
    try await first.order("100", limit: "101.50")
    #expect(await first.says("PARTIALLY FILLED · 60 of 100 at 101.50"))
    #expect(Set(first.host.felt) == ["success"])
    first.host.set(\.scenePhase, .background)
    await first.model.trading.closed()

    let second = try await TestApp.exchange(in: folder)
    #expect(await second.says("Open orders (1)"))
    #expect(second.texts.contains("PARTIALLY FILLED · 60 of 100 filled"))
    // Earlier orders may have used the first tick's quantity; the next tick fills the rest.
    try second.feeds.tick(2, ask: ("101.40", 500))
    #expect(await second.says("No open orders."))
    #expect(second.model.trading.orders.rows.first?.status == .filled)

    try await second.order(side: "Sell", "10", limit: "150")
    #expect(await second.says("PENDING · 0 of 10 filled"))
    try second.host.tap("Cancel order 2, Sell 10 TROAD at 150.00 or better")
    #expect(await second.says("No open orders."))
    #expect(second.model.trading.orders.rows.first?.status == .cancelled)
  }

  @Test func `EX6 the app in the background lets go of the file and takes it up again`()
    async throws
  {
    let app = try await TestApp.exchange(in: folder)
    try await app.order("10", limit: "90")
    #expect(await app.says("Open orders (1)"))
    app.host.set(\.scenePhase, .background)
    await app.model.trading.closed()
    let ledger = try OrderLedger.open(
      at: folder.path + "/orders.sqlite", rules: TradingRules(oneStock: try symbol("TROAD")),
      now: Timestamp(milliseconds: 0))
    try ledger.ledger.close()
    app.host.set(\.scenePhase, .active)
    try app.host.tap("New order")
    // The first tick after the service restarts fills the order.
    var number: UInt64 = 1
    await app.host.settle {
      number += 1
      try? app.feeds.tick(number, bid: ("89.00", 10), ask: ("90.00", 500))
      return app.model.trading.orders.rows.first?.status == .filled
    }
    #expect(app.model.trading.orders.rows.first?.status == .filled)
  }

  @Test func `UX a double tap makes one order, and none before the review was read`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try app.host.type("5", into: "Quantity")
    await app.host.settle { app.texts.contains("5 × 101.50") }
    try app.host.tap("Review buy order")
    #expect(throws: ViewHost.Failure.self) { try app.host.tap("Place buy order") }
    app.feeds.pass(400)
    try app.host.doubleTap("Place buy order")
    #expect(await app.says("FILLED · 5 of 5 at 101.50"))
    #expect(app.model.trading.orders.total == 1)
  }

  @Test func `UX the review is pinned, and shows how far the market has moved`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try app.host.type("5", into: "Quantity")
    await app.host.settle { app.texts.contains("5 × 101.50") }
    try app.host.tap("Review buy order")
    #expect(app.texts.contains("Best ask unchanged since review just now: 101.50."))
    try app.feeds.tick(2, ask: ("102.00", 10))
    #expect(app.texts.contains("5 × 101.50"), "what was reviewed stays")
    #expect(
      app.texts.contains("Best ask moved 101.50 → 102.00 since review (+0.50, worse)."))
    app.settle()
    try app.host.tap("Back")
    #expect(await app.says("5 × 102.00"))
  }

  @Test func `EX7 an error is shown at its field, in the service's words`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try app.host.tap("Review buy order")
    #expect(app.texts.contains("Enter a quantity."))
    try app.host.type("1,00", into: "Quantity")
    #expect(
      await app.says("Enter the quantity without separators, e.g. 100; “1,00” is ambiguous."))
    try app.host.type("1,000", into: "Quantity")
    #expect(await app.says("940 will be cancelled: only 60 available."))
    try app.host.type("1.5", into: "Quantity")
    #expect(await app.says("The quantity must be a multiple of 1; “1.5” is not."))
    try app.host.tap("Review buy order")
    #expect(app.texts.contains("Review buy order"), "no review of what can't be ordered")
    #expect(app.model.trading.orders.total == 0)
  }

  @Test func `UX steppers go by lot and by tick, and start at the best offer`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try app.host.step("Quantity steps", up: true)
    try app.host.step("Quantity steps", up: true)
    #expect(app.texts.contains("2"))
    try app.host.choose("Limit", in: "Kind of order")
    try app.host.step("Limit price steps", up: true)
    #expect(app.texts.contains("101.50"))
    try app.host.step("Limit price steps", up: false)
    #expect(app.texts.contains("101.49"))
    try app.host.tap("Best buy $100.50, quantity 80. Put the price into the ticket")
    #expect(app.texts.contains("100.50"))
  }

  @Test func `EX3 a best price is spoken with currency, quantity and the effect of a tap`()
    async throws
  {
    let app = try await TestApp.exchange(in: folder)
    for text in ["$100.50", "Quantity 80", "$101.50", "Quantity 60"] {
      #expect(app.texts.contains(text), "\(app.texts)")
    }
    #expect(app.host.attributes(of: "Quantity 60")?[.foregroundStyle] == "primary")
    #expect(app.host.attributes(of: "Best sell")?[.foregroundStyle] == "secondary")
  }

  @Test func `EX3 the preview is directly above the button, in the same row`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try app.host.type("100", into: "Quantity")
    await app.host.settle { app.texts.contains("60 × 101.50") }
    let row = try #require(
      app.host.all.last { $0.kind == .stack && $0.texts.contains("Review buy order") })
    #expect(row.texts.first == "Fills now")
    #expect(row.texts.last == "Review buy order")
    try app.host.tap("Review buy order")
    let review = try #require(
      app.host.all.last { $0.kind == .stack && $0.texts.contains("Place buy order") })
    #expect(review.texts.prefix(2) == ["Buy 100 TROAD at market", "Fills now"])
    #expect(review.texts.last == "Place buy order")
  }

  @Test func `LT1 a market order needs live prices, a limit order waits for them`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try app.host.type("5", into: "Quantity")
    try app.feeds.exchange(is: .stale)
    app.host.render()
    #expect(app.texts.contains { $0.hasPrefix("Market orders need live prices (stale") })
    let spoken = app.host.all.compactMap { $0.attributes[.accessibilityLabel] }
    #expect(spoken.contains("Best buy $100.50, quantity 80, stale. Put the price into the ticket"))
    #expect(throws: ViewHost.Failure.self) { try app.host.tap("Review buy order") }
    try await app.order("5", limit: "101.50")
    #expect(await app.says("PENDING · 0 of 5 filled"))
    try app.feeds.tick(2)
    #expect(await app.says("No open orders."))
  }

  @Test func `EX6 the history is searched by words and filtered by status`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try await app.order("5")
    try app.host.tap("New order")
    try await app.order(side: "Sell", "7", limit: "150")
    await app.host.settle { app.model.trading.orders.total == 2 }
    try app.host.tap("Order history")
    let (bought, sold) = ("Buy 5 TROAD at market", "Sell 7 TROAD at 150.00 or better")
    #expect(app.texts.contains(bought) && app.texts.contains(sold))
    try app.host.type("SELL  pending", into: "Search the orders")
    #expect(!app.texts.contains(bought) && app.texts.contains(sold))
    try app.host.choose("Filled (1)", in: "Status")
    #expect(app.texts.contains("No order matches."))
    try app.host.type("", into: "Search the orders")
    #expect(app.texts.contains(bought) && !app.texts.contains(sold))
    try app.host.choose("Pending (1)", in: "Status")
    #expect(!app.texts.contains(bought) && app.texts.contains(sold))
  }

  @Test(arguments: [LedgerReader.Format.csv, .json])
  func `EX6 all orders leave as a file with the server's bytes, which is then taken away`(
    format: LedgerReader.Format
  ) async throws {
    let app = try await TestApp.exchange(in: folder)
    try await app.order("100")
    await app.host.settle { app.model.trading.orders.total == 1 }
    try app.host.tap("Order history")
    try app.host.type("nothing like this", into: "Search the orders")
    try app.host.tap("All orders as \(format.rawValue.uppercased())")
    #expect(await app.says("1 order as \(format.rawValue.uppercased())"))
    try app.host.tap("Share livetape-orders.\(format.rawValue)")
    let url = try #require(app.host.sharedURLs.first)
    let shared = try String(contentsOf: url, encoding: .utf8)
    try app.host.tap("Done")
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
    #expect(!app.texts.contains("Done"))

    // The server sends the file of its service on the same ledger.
    app.host.set(\.scenePhase, .background)
    await app.model.trading.closed()
    let clock = app.feeds.clock
    let service = OrderService(
      path: folder.path + "/orders.sqlite", rules: TradingRules(oneStock: try symbol("TROAD")),
      clock: { clock.now }, tell: { _ in })
    service.start()
    #expect(try await service.file(as: format).get().text == shared)
    #expect(shared.contains("TROAD") && shared.contains("CANCELLED"))
    await service.close()
  }

  @Test func `EX6 an export swiped away leaves no file, a second one can be made`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try app.host.tap("Order history")
    for _ in 0..<2 {
      try app.host.tap("All orders as CSV")
      #expect(await app.says("0 orders as CSV"))
      try app.host.tap("Share livetape-orders.csv")
      try app.host.dismiss()
      app.host.render()
    }
    #expect(app.host.sharedURLs.count == 2)
    for url in app.host.sharedURLs {
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test func `EX6 without a ledger nothing is exported, and the reason is shown`() async throws {
    let app = TestApp()
    app.host.open(try #require(URL(string: "stocks://orders")))
    await app.host.settle { app.model.trading.orders.failure != nil }
    try app.host.tap("All orders as JSON")
    await app.host.settle { app.texts.contains { $0.hasPrefix("Nothing was exported: ") } }
    #expect(app.texts.contains { $0.hasPrefix("Nothing was exported: ") })
    #expect(app.host.all.allSatisfy { $0.kind != .sheet })
  }

  @Test func `EX6 without a ledger nothing is ordered, and the reason is shown`() async throws {
    let app = TestApp()
    try app.host.tap("Exchange")
    try app.feeds.tick(1)
    await app.host.settle { app.texts.contains { $0.hasPrefix("Orders are refused: ") } }
    #expect(app.texts.contains { $0.hasPrefix("Orders are refused: ") })
    try app.host.type("5", into: "Quantity")
    #expect(throws: ViewHost.Failure.self) { try app.host.tap("Review buy order") }
  }

  @Test func `UX without a review one tap places, once`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try app.host.tap("Settings")
    try app.host.tap("Review before placing")
    try app.host.tap("Exchange")
    try app.host.type("5", into: "Quantity")
    await app.host.settle { app.texts.contains("5 × 101.50") }
    try app.host.tap("Place buy order")
    #expect(await app.says("FILLED · 5 of 5 at 101.50"))
    #expect(app.model.trading.orders.total == 1)
  }

  @Test func `EX2 own fills are marked on the chart`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try await app.order("5")
    await app.host.settle { app.model.trading.orders.rows.first?.status == .filled }
    app.host.render()
    #expect(app.model.exchangeChart?.scene.fills.count == 1)
  }
}

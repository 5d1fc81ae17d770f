// EX4, EX6: an open order's row: its receipt, its cancellation, and how long that can be undone.

import AppState
import PaperTrading
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct OpenOrderTests {
  private let folder = LedgerFolder()

  @Test func `an open order's row leads to its receipt, which stays when the order is filled`()
    async throws
  {
    let app = try await TestApp.exchange(in: folder)
    try await app.order(side: "Sell", "10", limit: "150")
    #expect(await app.says("Open orders (1)"))
    let row = try #require(
      app.host.all.compactMap { $0.attributes[.accessibilityLabel] }
        .first { $0.hasPrefix("Order 1: Sell 10 TROAD at 150.00 or better, pending") })
    try app.host.tap(row)
    #expect(app.host.navigationTitle == "Order 1")
    #expect(app.texts.contains("PENDING") && !app.texts.contains("Fills by price"))
    try app.feeds.tick(2, bid: ("150.00", 500), ask: ("151.00", 10))
    #expect(await app.says("FILLED"))
    #expect(app.host.navigationTitle == "Order 1")
    #expect(app.texts.contains("10 at 150.00"))
    try app.host.back()
    #expect(await app.says("No open orders."))
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `a swiped order is cancelled after four seconds, unless that is undone`() async throws
  {
    let app = try await TestApp.exchange(in: folder)
    let title = "Sell 10 TROAD at 150.00 or better"
    try await app.order(side: "Sell", "10", limit: "150")
    #expect(await app.says("Open orders (1)"))
    try app.host.swipe(title, "Amend")
    #expect(app.texts.contains("Save"))
    try app.host.tap("Discard")

    try app.host.swipe(title, "Cancel")
    #expect(app.texts.contains("Cancelling…") && app.texts.contains("Undo"))
    #expect(throws: ViewHost.Failure.self) { try app.host.swipe(title, "Cancel") }
    app.feeds.pass(3999)
    try app.host.tap("Undo the cancellation of order 1")
    app.feeds.pass(5000)
    app.host.render()
    #expect(!app.texts.contains("Cancelling…") && app.model.trading.cancelling.isEmpty)

    try app.host.swipe(title, "Cancel")
    app.feeds.pass(3999)
    #expect(app.model.trading.cancelling.isEmpty)
    app.feeds.pass(1)
    #expect(await app.says("No open orders."))
    #expect(app.model.trading.orders.rows.map(\.status) == [.cancelled])
    #expect(app.host.complaints.isEmpty)
  }

  @Test(arguments: ["the screen", "the app", "all orders"])
  func `a cancellation that could be undone is sent at once when that is left`(
    place: String
  ) async throws {
    let app = try await TestApp.exchange(in: folder)
    try await app.order(side: "Sell", "10", limit: "150")
    #expect(await app.says("Open orders (1)"))
    try app.host.tap("New order")
    try await app.order(side: "Sell", "20", limit: "160")
    #expect(await app.says("Open orders (2)"))
    try app.host.swipe("Sell 10 TROAD at 150.00 or better", "Cancel")
    try app.host.swipe("Sell 20 TROAD at 160.00 or better", "Cancel")
    switch place {
    case "the screen": try app.host.tap("Settings")
    case "the app":
      app.host.set(\.scenePhase, .background)
      await app.model.trading.closed()
      app.host.set(\.scenePhase, .active)
    default:
      try app.host.tap("Cancel all")
      try app.host.tap("Cancel 2 TROAD orders")
    }
    #expect(app.model.trading.held.isEmpty)
    await app.host.settle { app.model.trading.orders.openCount == 0 }
    #expect(app.model.trading.orders.rows.map(\.status) == [.cancelled, .cancelled])
    app.feeds.pass(5000)
    #expect(app.model.trading.complaint == nil)
  }

  @Test func `all open orders are cancelled once the user has confirmed`() async throws {
    let app = try await TestApp.exchange(in: folder)
    try await app.order(side: "Sell", "10", limit: "150")
    #expect(await app.says("Open orders (1)"))
    #expect(!app.texts.contains("Cancel all"))
    try app.host.tap("New order")
    try await app.order(side: "Sell", "20", limit: "160")
    #expect(await app.says("Open orders (2)"))
    try app.host.tap("Cancel all")
    try app.host.tap("Don’t cancel")
    #expect(app.texts.contains("Open orders (2)"))
    try app.host.tap("Cancel all")
    try app.host.tap("Cancel 2 TROAD orders")
    #expect(await app.says("No open orders."))
    #expect(app.model.trading.orders.rows.map(\.status) == [.cancelled, .cancelled])
  }
}

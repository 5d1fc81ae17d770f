import AppState
import PhoneAppFixtures
import PhoneStoresFixtures

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

extension TestApp {
  /// The app at its exchange, with one tick received and the orders loaded.
  static func exchange(in folder: LedgerFolder) async throws -> TestApp {
    let app = TestApp(folder: folder.path)
    try app.host.tap("Exchange")
    await app.host.settle { app.model.trading.orders.isLoaded == true }
    await app.host.settle { (try? app.feeds.tick(1)) != nil }
    await app.host.settle { !app.texts.contains("Your orders are being read from disk.") }
    return app
  }

  func says(_ text: String) async -> Bool {
    await host.settle { texts.contains(text) }
    return texts.contains(text)
  }

  func order(side: String = "Buy", _ quantity: String, limit: String? = nil) async throws {
    try host.choose(side, in: "Side")
    try host.choose(limit == nil ? "Market" : "Limit", in: "Kind of order")
    try host.type(quantity, into: "Quantity")
    if let limit { try host.type(limit, into: "Limit price") }
    await host.settle { !texts.contains("Updating preview…") }
    settle()
    try host.tap("Review \(side.lowercased()) order")
    settle()
    try host.tap("Place \(side.lowercased()) order")
    await host.settle { texts.contains("New order") }
    settle()
  }

  /// The ticket ignores presses for a moment after it has changed.
  func settle() { feeds.pass(400) }
}

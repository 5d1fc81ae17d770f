import AppState
import Foundation
import MarketModel
import MarketStreams
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct LifetimeTests {
  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func product(_ identifier: String, _ name: String, _ price: String) throws -> Product {
    Product(
      identifier: try symbol(identifier), symbol: name.uppercased(), displayName: name,
      currency: "EUR", decimals: Scale(clamping: 2), currentPrice: try decimal(price),
      closingPrice: try decimal("100.00"), isMarketOpen: true)
  }

  private func followed(_ app: TestApp) -> [MarketKey: Int] {
    app.host.render()
    return app.feeds.observers.filter { $0.value > 0 }
  }

  @Test func `PD6 a product is still followed once it is loaded`() async throws {
    let app = TestApp()
    app.feeds.answer(
      try symbol("sb26493"), .success(try product("sb26493", "Germany 30", "150.00")))
    app.feeds.connection(.bux, .live)
    app.host.open(try url("stocks://product/sb26493"))
    await app.host.settle { app.texts.contains("€150.00") }
    #expect(followed(app)[MarketKey(.bux, .quote, try symbol("sb26493"))] == 1)
    try app.feeds.quote(.bux, "sb26493", "75.00")
    #expect(app.texts.contains("€75.00"))
    try app.host.back()
    #expect(followed(app)[MarketKey(.bux, .quote, try symbol("sb26493"))] == nil)
  }

  @Test func `PD8 a notice that comes and goes while a product loads ends nothing`() async throws {
    let app = TestApp()
    app.feeds.isProductSilent = true
    app.feeds.connection(.bux, .live)
    app.host.open(try url("stocks://product/sb26493"))
    await app.host.settle { app.feeds.asked.contains("product sb26493") }
    let before = followed(app)
    #expect(!before.isEmpty)
    app.feeds.connection(.bux, .backingOff, reason: "no route", nextAttemptIn: 9000)
    app.feeds.pass(3000)
    #expect(app.host.all.contains { $0.attributes[.accessibilityIdentifier] == "notice" })
    app.feeds.connection(.bux, .live)
    app.feeds.pass(1000)
    #expect(!app.host.all.contains { $0.attributes[.accessibilityIdentifier] == "notice" })
    #expect(followed(app) == before)
    #expect(app.texts.contains("Loading…"))
  }

  @Test func `EX8 the exchange is still followed when words get very large and small again`() throws
  {
    let app = TestApp()
    try app.host.tap("Exchange")
    let before = followed(app)
    #expect(!before.isEmpty)
    for type in [DynamicTypeSize.accessibility3, .large] {
      app.host.set(\.dynamicTypeSize, type)
      #expect(followed(app) == before, "\(type)")
      try app.feeds.tick(type == .large ? 2 : 1, last: type == .large ? "102.00" : "101.00")
      #expect(app.texts.contains { $0.contains(type == .large ? "102.00" : "101.00") })
    }
    try app.host.tap("Settings")
    #expect(followed(app) != before, "out of sight")
    try app.host.tap("Exchange")
    #expect(followed(app) == before)
  }

  @Test func `LT1 after a night asleep no price is called live, and its age is the night's`()
    async throws
  {
    let app = TestApp()
    app.feeds.answer(
      try symbol("sb26493"), .success(try product("sb26493", "Germany 30", "150.00")))
    app.feeds.connection(.bux, .live)
    app.host.open(try url("stocks://product/sb26493"))
    await app.host.settle { app.texts.contains("€150.00") }
    #expect(app.texts.contains { $0.hasPrefix("Live") })
    app.feeds.sleep(8 * 3_600_000)
    app.feeds.pass(250)
    #expect(!app.texts.contains { $0.hasPrefix("Live") }, "a price of yesterday")
    app.feeds.connection(.bux, .backingOff)
    app.feeds.pass(250)
    #expect(app.texts.contains("Disconnected · 8 h ago · simulated"))
  }

  @Test func `PT4 a link from one stock to another shows the other's price`() throws {
    let app = TestApp()
    try app.feeds.quote(.echo, "AAPL", "189.20")
    try app.feeds.quote(.echo, "TSLA", "10.00")
    app.host.open(try url("stocks://symbol/AAPL"))
    #expect(app.texts.contains("$189.20"))
    app.host.open(try url("stocks://symbol/TSLA"))
    #expect(app.host.navigationTitle == "TSLA")
    #expect(app.texts.contains("$10.00"))
    #expect(!app.texts.contains("$189.20"))
    let tracked = followed(app)
    #expect(tracked[MarketKey(.echo, .quote, try symbol("TSLA"))] == 2, "the list and the details")
    #expect(tracked[MarketKey(.echo, .quote, try symbol("AAPL"))] == 1)
  }

  @Test func `PD3 a link from one product to another shows the other's price`() async throws {
    let app = TestApp()
    app.feeds.answer(
      try symbol("sb26493"), .success(try product("sb26493", "Germany 30", "150.00")))
    app.feeds.answer(try symbol("sb26500"), .success(try product("sb26500", "Gold", "80.00")))
    app.host.open(try url("stocks://product/sb26493"))
    await app.host.settle { app.texts.contains("€150.00") }
    app.host.open(try url("stocks://product/sb26500"))
    await app.host.settle { app.texts.contains("€80.00") }
    #expect(app.host.navigationTitle == "Gold")
    #expect(!app.texts.contains("€150.00"))
    #expect(followed(app)[MarketKey(.bux, .quote, try symbol("sb26493"))] == nil)
    #expect(followed(app)[MarketKey(.bux, .quote, try symbol("sb26500"))] == 1)
  }
}

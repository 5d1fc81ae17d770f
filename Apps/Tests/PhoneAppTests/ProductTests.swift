import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct ProductTests {
  private func products() throws -> TestApp {
    let app = TestApp()
    try app.host.tap("Products")
    return app
  }

  private func product(_ price: String = "150.00") throws -> Product {
    Product(
      identifier: try symbol("sb26493"), symbol: "GERMANY30", displayName: "Germany 30",
      currency: "EUR", decimals: Scale(clamping: 2), currentPrice: try decimal(price),
      closingPrice: try decimal("100.00"), isMarketOpen: true)
  }

  private func failure(_ code: String, _ text: Sentence, canRetry: Bool) -> ProductFailure {
    ProductFailure(code: code, userMessage: text, canRetry: canRetry)
  }

  @Test func `PD1 a product is chosen from the list or typed`() throws {
    let app = try products()
    #expect(app.host.all.filter { $0.kind == .link }.count == 6)
    #expect(throws: ViewHost.Failure.self) { try app.host.tap("Show product") }
    try app.host.type("no/product", into: "Product identifier")
    try app.host.submit("Product identifier")
    #expect(app.texts.contains { $0.hasPrefix("This is not a product identifier") })
    try app.host.type("sb26513", into: "Product identifier")
    #expect(!app.texts.contains { $0.hasPrefix("This is not a product identifier") })
    try app.host.tap("Show product")
    #expect(app.host.navigationTitle == "Apple", "typed, but known")
    try app.host.back()
    try app.host.tap("Gold")
    #expect(app.host.navigationTitle == "Gold", "the name by which it was chosen")
    try app.host.back()
    try app.host.type("sb99999", into: "Product identifier")
    try app.host.tap("Show product")
    #expect(app.host.navigationTitle == "sb99999", "nothing else is known of it")
  }

  @Test func `PD2, PD3, PD6 a product shows price, close and difference, and follows quotes`()
    async throws
  {
    let app = try products()
    app.feeds.answer(try symbol("sb26493"), .success(try product()))
    app.feeds.connection(.bux, .live)
    try app.host.tap("Germany 30")
    #expect(app.texts.contains("Loading…"))
    await app.host.settle { app.texts.contains("GERMANY30") }
    #expect(app.host.navigationTitle == "Germany 30")
    #expect(app.texts.contains("€150.00"))
    #expect(app.texts.contains("+50.00%"))
    #expect(app.texts.contains("€100.00"))
    try app.feeds.quote(.bux, "sb26493", "75.00")
    #expect(app.texts.contains("€75.00"))
    #expect(app.texts.contains("-25.00%"))
    #expect(app.host.attributes(of: "€75.00")?[.background] == "rgb(0.62,0.05,0.05,1.0)@0.25")
    app.host.set(\.locale, Locale(identifier: "nl_NL"))
    #expect(app.texts.contains("€\u{a0}75,00"))
    #expect(app.feeds.asked == ["product sb26493"])
  }

  @Test func `PD7 a failure is shown as text, with a remedy`() async throws {
    let app = try products()
    app.feeds.answer(
      try symbol("sb26493"),
      .failure(failure("TRADING_002", "Something went wrong at BUX.", canRetry: true)),
      .failure(failure("AUTH_014", "Your token has no permission.", canRetry: false)))
    try app.host.tap("Germany 30")
    await app.host.settle { app.texts.first == "No product" }
    #expect(app.texts == ["No product", "Something went wrong at BUX.", "Retry"])
    try app.host.tap("Retry")
    await app.host.settle { app.texts.contains("Open settings") }
    #expect(
      app.texts == ["No product", "Your token has no permission.", "Open settings"],
      "the same token would be refused again")
    #expect(app.host.navigationTitle == "Germany 30")
  }

  @Test func `PD8 what was loaded stays while the venue is away, dimmed and with its age`()
    async throws
  {
    let app = try products()
    app.feeds.answer(try symbol("sb26493"), .success(try product()))
    app.feeds.connection(.bux, .live)
    try app.host.tap("Germany 30")
    await app.host.settle { app.texts.contains("GERMANY30") }
    try app.feeds.quote(.bux, "sb26493", "120.00")
    app.feeds.pass(5000)
    app.feeds.connection(.bux, .backingOff)
    app.feeds.pass(1000)
    #expect(app.texts.contains("Disconnected · 6 s ago · simulated"))
    #expect(app.host.attributes(of: "€120.00")?[.opacity] == "0.5")
    #expect(app.host.attributes(of: "Price")?[.accessibilityValue] == "€120.00, disconnected")
    #expect(app.host.attributes(of: "+20.00%")?[.opacity] == "0.5", "nor is its share believed")
    app.feeds.connection(.bux, .live)
    try app.feeds.quote(.bux, "sb26493", "121.00")
    #expect(app.texts.contains("Live · simulated"))
    #expect(app.host.attributes(of: "€121.00")?[.opacity] == "1.0")
  }

  @Test func `PD8 in the background what runs is stopped, on return just that starts again`() throws
  {
    let app = TestApp()
    var finishing = 0
    app.model.finish = { _ in finishing += 1 }
    app.feeds.connection(.echo, .stopped)
    app.feeds.connection(.bux, .live)
    app.feeds.connection(.bitmex, .backingOff)
    app.host.set(\.scenePhase, .inactive)
    #expect(app.feeds.asked.isEmpty, "a glance at notifications is no switch")
    app.host.set(\.scenePhase, .background)
    #expect(app.feeds.asked.sorted() == ["stop bitmex", "stop bux"])
    app.feeds.connection(.bux, .stopped)
    app.feeds.connection(.bitmex, .stopped)
    app.host.set(\.scenePhase, .active)
    #expect(app.feeds.asked.suffix(2) == ["resume bitmex", "resume bux"])
    app.host.set(\.scenePhase, .inactive)
    app.host.set(\.scenePhase, .active)
    #expect(app.feeds.asked.count == 4)
    #expect(finishing == 1, "orders in flight are stored before the app is suspended")
  }

  @Test func `PD8 another network replaces the connections of an app in front`() {
    let app = TestApp()
    app.feeds.connection(.echo, .stopped)
    app.feeds.connection(.bux, .live)
    app.model.changeNetwork()
    #expect(app.feeds.asked == ["resume bux"])
    app.host.set(\.scenePhase, .background)
    app.model.changeNetwork()
    #expect(app.feeds.asked == ["resume bux", "stop bux"], "it connects when the app returns")
  }

  @Test func `PD9 a token is kept in the vault, used at once and never shown`() throws {
    let app = TestApp()
    try app.host.tap("Settings")
    try app.host.type("not a token", into: "Access token")
    try app.host.tap("Save token")
    #expect(app.texts.contains { $0.hasPrefix("This is no token") })
    #expect(app.vault.read() == nil)
    try app.host.type("secret.token", into: "Access token")
    #expect(!app.texts.contains("secret.token"))
    try app.host.tap("Save token")
    #expect(app.vault.read() == "secret.token")
    #expect(app.feeds.tokens == ["secret.token"])
    #expect(app.texts.contains("The token is saved."))
    #expect(!app.host.all.contains { $0.text.contains("secret") })
    try app.host.tap("Remove token")
    #expect(app.vault.read() == nil)
    #expect(app.feeds.tokens == ["secret.token", nil])
  }

  @Test func `PD9 a token that could not be read while the device was locked is read in front`()
    throws
  {
    let app = TestApp()
    app.host.set(\.scenePhase, .inactive)
    app.host.set(\.scenePhase, .active)
    #expect(app.feeds.tokens.isEmpty, "there is none")
    try app.vault.write("late.token")
    app.host.set(\.scenePhase, .background)
    app.host.set(\.scenePhase, .active)
    #expect(app.feeds.tokens == ["late.token"])
    app.host.set(\.scenePhase, .inactive)
    app.host.set(\.scenePhase, .active)
    #expect(app.feeds.tokens == ["late.token"], "once is enough")
  }
}

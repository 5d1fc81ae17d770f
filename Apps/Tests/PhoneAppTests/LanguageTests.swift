import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

/// The catalogue's own completeness is a test of the page's texts, `test_texts.py`.
@MainActor @Suite struct LanguageTests {
  private func app(_ locale: String) throws -> TestApp {
    try AppTexts.load()
    let app = TestApp(at: 1_772_460_420_000)
    app.host.set(\.locale, Locale(identifier: locale))
    return app
  }

  @Test(arguments: [
    ("en_GB", ["Tracker", "Products", "Market", "Exchange", "Settings"]),
    ("de_AT", ["Tracker", "Produkte", "Markt", "Börse", "Einstellungen"]),
    ("nl_NL", ["Tracker", "Producten", "Markt", "Beurs", "Instellingen"]),
    ("fr_FR", ["Tracker", "Products", "Market", "Exchange", "Settings"]),
  ])
  func `the tabs are in the user's language, or in English`(
    locale: String, tabs: [String]
  ) throws {
    #expect(Array(try app(locale).host.texts.prefix(5)) == tabs)
  }

  @Test func `the ticket, its fields and its errors are in German`() throws {
    let app = try app("de_DE")
    app.feeds.connection(.exchange, .live)
    try app.host.tap("Börse")
    try app.host.choose("Limit", in: "Art der Order")
    try app.host.choose("Für eine Stunde", in: "Gültigkeit")
    for text in ["Orderticket", "Menge", "Limitkurs", "Offene Orders (0)"] {
      #expect(app.host.texts.contains(text), "\(text)")
    }
    try app.host.type("x", into: "Menge")
    #expect(
      app.host.texts.contains(
        "Menge: bitte eine Zahl aus einfachen Ziffern, zum Beispiel 100; „x“ ist keine."))
  }

  @Test func `a screen reader speaks Dutch`() throws {
    let app = try app("nl_NL")
    app.feeds.connection(.exchange, .live)
    try app.host.tap("Beurs")
    try app.feeds.tick(1, last: "45.92", bid: ("45.91", 15), ask: ("45.92", 60), .up)
    let label = app.host.all.compactMap { $0.attributes[.accessibilityLabel] }
      .first { $0.hasPrefix("Beste koop") }
    #expect(label?.contains("aantal 15. Koers in het ticket zetten") == true)
  }

  @Test func `a sentence inside of a sentence is translated, too`() throws {
    try AppTexts.load()
    let german = Locale(identifier: "de_DE")
    let now = ClockReading(milliseconds: 12_000)
    let freshness = Freshness(
      state: .disconnected, origin: .simulated, confirmedAt: ClockReading(milliseconds: 0))
    #expect(
      german.text(FreshnessText.words(freshness, at: now)) == "Getrennt · vor 12 s · simuliert")
    #expect(german.text("No such text of \("x")") == "No such text of x")
    #expect(german.text("Stop|order") == "Stop" && german.text("Stop") == "Stoppen")
    #expect(Locale(identifier: "en_US").text("Stop|order") == "Stop")
    #expect(german.text(Sentence(verbatim: "Buy")) == "Buy")
  }
}

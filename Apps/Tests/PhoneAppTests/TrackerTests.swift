import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct TrackerTests {
  private let rise = "rgb(0.0,0.37,0.14,1.0)"
  private let fall = "rgb(0.62,0.05,0.05,1.0)"

  @Test func `PT1 25 rows, highest price first, with arrows that are green and red`() throws {
    let app = TestApp()
    #expect(app.host.all.filter { $0.kind == .link }.count == 25)
    try app.feeds.quote(.echo, "TSLA", "10.00")
    try app.feeds.quote(.echo, "AAPL", "189.20", .up, changes: 1)
    try app.feeds.quote(.echo, "MSFT", "300.5", .down, changes: 1)
    app.feeds.pass(1000)
    let symbols = app.host.all.filter { $0.kind == .link }.compactMap(\.texts.first)
    #expect(symbols.prefix(4) == ["MSFT", "AAPL", "TSLA", "ABNB"])
    let row = try #require(app.host.node(.link, saying: "AAPL"))
    #expect(row.texts == ["AAPL", "Apple", "$189.20", "↑"])
    #expect(app.host.attributes(of: "↑")?[.foregroundStyle] == rise)
    #expect(app.host.attributes(of: "↓")?[.foregroundStyle] == fall)
    #expect(app.host.attributes(of: "$189.20")?[.monospacedDigit] == "true")
  }

  @Test func `PT3 the bar shows the connection, and starts and stops the feed`() throws {
    let app = TestApp()
    app.feeds.connection(.echo, .live)
    #expect(app.texts.contains("Connected"))
    try app.host.tap("Stop")
    #expect(app.feeds.asked == ["stop echo"])
    app.feeds.connection(.echo, .stopped)
    #expect(app.texts.contains("Disconnected"))
    try app.host.tap("Start")
    app.feeds.connection(.echo, .connecting)
    #expect(app.feeds.asked == ["stop echo", "start echo"])
    #expect(app.texts.contains("Connecting…"))
    let bar = try #require(app.host.all.first { $0.kind == .toolbar })
    let places = bar.children.compactMap { $0.attributes[.placement] }
    #expect(places == ["topBarLeading", "topBarTrailing"])
  }

  @Test func `PT4, PT6 a row leads to its details on the stream that the feed observes`() throws {
    let app = TestApp()
    try app.feeds.quote(.echo, "AAPL", "189.20", .up, changes: 3)
    try app.host.tap("AAPL")
    #expect(app.host.navigationTitle == "AAPL")
    #expect(app.texts.prefix(2) == ["$189.20", "↑"])
    #expect(app.texts.contains { $0.hasPrefix("Designs the iPhone") })
    let key = MarketKey(.echo, .quote, try symbol("AAPL"))
    #expect(app.feeds.observers[key] == 2, "the feed goes on observing below the details")
    #expect(app.feeds.asked.isEmpty, "nothing is connected for a second screen")
    try app.feeds.quote(.echo, "AAPL", "188.00", .down, changes: 4)
    #expect(app.texts.prefix(2) == ["$188.00", "↓"])
    try app.host.back()
    #expect(app.host.navigationTitle == "Price tracker")
    #expect(app.feeds.observers[key] == 1)
  }

  @Test func `PT7 a price flashes in its direction for one second, not at first`() throws {
    let app = TestApp()
    try app.feeds.quote(.echo, "AAPL", "1.00", .up, changes: 7)
    #expect(background(app, "$1.00") == "clear")
    try app.feeds.quote(.echo, "AAPL", "2.00", .up, changes: 8)
    #expect(background(app, "$2.00") == rise + "@0.25")
    app.feeds.pass(400)
    try app.feeds.quote(.echo, "TSLA", "9.00", .down, changes: 3)
    try app.feeds.quote(.echo, "TSLA", "8.00", .down, changes: 4)
    #expect(background(app, "$8.00") == fall + "@0.25")
    app.feeds.pass(599)
    #expect(background(app, "$2.00") == rise + "@0.25")
    app.feeds.pass(1)
    #expect(background(app, "$2.00") == "clear")
    #expect(background(app, "$8.00") == fall + "@0.25", "each flash ends on its own time")
    app.feeds.pass(400)
    #expect(background(app, "$8.00") == "clear")
  }

  @Test func `UX with reduced motion only the arrow shows a change`() throws {
    let app = TestApp()
    app.host.set(\.hostReduceMotion, true)
    try app.feeds.quote(.echo, "AAPL", "1.00", .up, changes: 7)
    try app.feeds.quote(.echo, "AAPL", "2.00", .up, changes: 8)
    #expect(background(app, "$2.00") == "clear")
    #expect(app.texts.contains("↑"))
  }

  @Test func `LT1 an invalid price is dimmed, without an arrow or a flash`() throws {
    let app = TestApp()
    app.feeds.connection(.echo, .live)
    try app.feeds.quote(.echo, "AAPL", "1.00", .up, changes: 7)
    #expect(app.texts.contains("Live · simulated"))
    app.feeds.pass(12_000)
    app.feeds.connection(.echo, .backingOff)
    app.feeds.pass(1000)
    #expect(app.texts.contains("Disconnected · 13 s ago · simulated"))
    #expect(!app.texts.contains("↑"))
    #expect(app.host.attributes(of: "$1.00")?[.opacity] == "0.5")
    #expect(app.host.node(.link, saying: "AAPL")?.label == "AAPL, Apple, $1.00, disconnected")
  }

  @Test func `UX a row is one sentence to a screen reader`() throws {
    let app = TestApp()
    try app.feeds.quote(.echo, "AAPL", "189.20", .up, changes: 1)
    #expect(app.host.node(.link, saying: "AAPL")?.label == "AAPL, Apple, $189.20, up")
    #expect(app.host.node(.link, saying: "KO")?.label == "KO, Coca-Cola, no price yet")
  }

  @Test func `PT7 both themes have their own colours, and the setting overrules the system`() throws
  {
    let app = TestApp()
    try app.feeds.quote(.echo, "AAPL", "1.00", .up, changes: 1)
    app.host.set(\.colorScheme, .dark)
    #expect(app.host.attributes(of: "↑")?[.foregroundStyle] == "rgb(0.3,0.82,0.45,1.0)")
    try app.host.tap("Settings")
    try app.host.choose("Light", in: "Theme")
    try app.host.tap("Tracker")
    #expect(app.host.attributes(of: "↑")?[.foregroundStyle] == rise)
  }

  @Test func `PT7 the theme is remembered`() throws {
    let preferences = MemoryPreferences()
    let app = TestApp(preferences: preferences)
    try app.host.tap("Settings")
    try app.host.choose("Dark", in: "Theme")
    #expect(preferences.theme == .dark)
    let again = TestApp(preferences: preferences)
    let root = try #require(again.host.nodes.first)
    #expect(root.all.contains { $0.attributes[.other("preferredColorScheme")] == "dark" })
  }

  @Test func `no two rows of any list share an identity, no picker lacks its selection`() throws {
    let app = TestApp()
    try app.host.tap("Market")
    try app.host.tap("Products")
    try app.host.tap("Settings")
    #expect(app.host.complaints.isEmpty)
  }

  private func background(_ app: TestApp, _ text: String) -> String? {
    app.host.attributes(of: text)?[.background]
  }
}

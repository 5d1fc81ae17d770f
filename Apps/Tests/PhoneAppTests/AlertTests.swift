// Price alerts on the phone: created at a market, fired by trades, stored on the device.

import AppState
import FeedConnections
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import PriceAlerts
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct AlertTests {
  private let folder = LedgerFolder()

  private func market(_ folder: String? = nil) throws -> TestApp {
    let app = TestApp(folder: folder ?? self.folder.path, at: 1_772_460_420_000)
    app.feeds.connection(.kraken, .live)
    app.host.open(try #require(URL(string: "stocks://chart/BTC/USD")))
    return app
  }

  private func trade(_ app: TestApp, _ tenths: Int64, number: Int64) throws {
    let trade = Trade(
      price: Price(units: tenths), size: Quantity(units: 1), side: .buy,
      time: Timestamp(milliseconds: app.feeds.milliseconds), arrival: UInt64(number),
      identifier: number)
    app.feeds.happen(
      MarketKey(.kraken, .trades, try symbol("BTC/USD")),
      .trade(trade, priceScale: Scale(clamping: 1), quantityScale: .whole))
    app.host.render()
  }

  private func add(_ app: TestApp, _ price: String) throws {
    try app.host.type(price, into: "Price")
    try app.host.tap("Add alert")
  }

  @Test func `an alert is created at the market's screen, fires once and is notified`() throws {
    let app = try market()
    var (notices, asked): ([String], Int) = ([], 0)
    app.model.alerts.notify = { notices.append("\($0): \($1)") }
    app.model.alerts.askPermission = { asked += 1 }
    try app.host.tap("Price alerts")
    #expect(app.texts.contains("No alerts."))
    try add(app, "65,000.5")
    #expect(app.texts.contains("BTC/USD · Kraken at 65,000.5"), "\(app.texts)")
    #expect(asked == 1, "only now the app asks")
    try trade(app, 649_000, number: 1)
    #expect(notices.isEmpty)
    try trade(app, 650_100, number: 2)
    #expect(notices == ["BTC/USD · Kraken: Rose to 65,010, through 65,000.5."])
    #expect(app.texts.contains { $0.hasPrefix("fired ") })
    try trade(app, 649_000, number: 3)
    try trade(app, 650_100, number: 4)
    #expect(notices.count == 1)
    #expect(app.feeds.eventObservers(of: MarketKey(.kraken, .trades, try symbol("BTC/USD"))) == 0)
  }

  @Test func `the market tab counts alerts that fired until the list is seen`() throws {
    let app = try market()
    let badges = { app.host.all.compactMap { $0.attributes[.other("badge")] } }
    try app.host.tap("Price alerts")
    for price in ["65000", "66000"] { try add(app, price) }
    try app.host.tap("Close")
    try trade(app, 649_000, number: 1)
    #expect(badges() == ["0"])
    try trade(app, 660_100, number: 2)
    #expect(badges() == ["2"])
    try app.host.tap("Price alerts")
    #expect(badges() == ["0"])
    try trade(app, 650_000, number: 3)
    #expect(badges() == ["0"], "seen as it fires")
  }

  @Test func `a price that can't be one is refused at the field`() throws {
    let app = try market()
    try app.host.tap("Price alerts")
    try add(app, "soon")
    #expect(app.texts.contains("Enter a price above 0, with at most 12 decimals."))
    try add(app, "65000")
    try add(app, "65000")
    #expect(app.texts.contains("You already have an alert at this price."))
  }

  @Test func `an alert on a fall has its own fields, fires and names what happened`() throws {
    let app = try market()
    var notices: [String] = []
    app.model.alerts.notify = { notices.append($1) }
    try app.host.tap("Price alerts")
    try app.host.choose("Fall", in: "Kind of the alert")
    #expect(app.texts.contains("15"), "the usual minutes")
    for field in ["Percent", "Minutes"] {
      try app.host.focus(field)
      try app.host.tap("Done")
      #expect(!app.texts.contains("Done"))
    }
    try app.host.type("2.5", into: "Percent")
    try app.host.type("0", into: "Minutes")
    try app.host.tap("Add alert")
    #expect(
      app.texts.contains(
        "Enter a rise, or a fall below 0, of at most 2 decimals, within 1 to 1440 minutes."))
    try app.host.type("10", into: "Minutes")
    try app.host.tap("Add alert")
    #expect(app.texts.contains("BTC/USD · Kraken: Fall of 2.5% within 10 min"), "\(app.texts)")
    try trade(app, 650_000, number: 1)
    try trade(app, 633_800, number: 2)
    #expect(notices.isEmpty)
    try trade(app, 633_700, number: 3)
    #expect(notices == ["Changed by -2.5% within 10 min; alert at -2.5%."])
  }

  @Test func `an alert on the book observes it and the time until it is deleted`() throws {
    let app = try market()
    var notices: [String] = []
    app.model.alerts.notify = { notices.append($1) }
    try app.host.tap("Price alerts")
    try app.host.choose("Invalid order book", in: "Kind of the alert")
    try app.host.tap("Add alert")
    let name = "BTC/USD · Kraken: No valid order book for 5 s"
    #expect(app.texts.contains(name), "\(app.texts)")
    app.feeds.pass(4000)
    #expect(notices.isEmpty)
    app.feeds.pass(3000)
    #expect(notices.count == 1 && notices.allSatisfy { $0.hasPrefix("No valid order book for") })
    try app.host.tap("Delete the alert for \(name)")
    #expect(app.texts.contains("No alerts."))
  }

  @Test func `an alert is edited and deleted`() throws {
    let app = try market()
    try app.host.tap("Price alerts")
    try add(app, "65000")
    try app.host.tap("Edit the alert for BTC/USD · Kraken at 65,000")
    #expect(app.texts.contains("65000"), "the price is there to be changed")
    try app.host.type("66000", into: "New price")
    try app.host.tap("Save alert")
    #expect(app.texts.contains("BTC/USD · Kraken at 66,000"))
    try app.host.tap("Delete the alert for BTC/USD · Kraken at 66,000")
    #expect(app.texts.contains("No alerts."))
  }

  @Test func `alerts outlive the app, and what was crossed meanwhile fires with its doubt`() throws
  {
    let first = try market()
    try first.host.tap("Price alerts")
    try add(first, "65000")
    try trade(first, 649_000, number: 1)
    first.host.set(\.scenePhase, .background)

    let second = try market()
    var notices: [String] = []
    second.model.alerts.notify = { notices.append($1) }
    second.feeds.pass(1000)
    try trade(second, 650_100, number: 9)
    #expect(
      notices == ["Rose to 65,010, through 65,000. It may have crossed the level earlier."])
  }

  @Test func `alerts that can't be stored say so and still work`() throws {
    let app = try market("/dev/null/livetape")
    try app.host.tap("Price alerts")
    try add(app, "65000")
    #expect(
      app.texts.contains("Alerts can’t be stored on this device. They last until the app ends."))
  }
}

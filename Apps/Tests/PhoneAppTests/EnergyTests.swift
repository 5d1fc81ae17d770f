// What runs on each tab: streams and clock of what is visible, and nothing else.

import AppState
import Combine
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct EnergyTests {
  private func streams(_ app: TestApp) -> [Venue: Int] {
    var counts: [Venue: Int] = [:]
    for (key, count) in app.feeds.observers where count > 0 {
      counts[key.venue, default: 0] += count
    }
    return counts
  }

  @Test func `only the tab in front has streams and the clock`() throws {
    let app = TestApp()
    let tracker = try #require(streams(app)[.echo])
    #expect(app.feeds.timeObservers == 1)
    for tab in ["Products", "Market", "Exchange", "Settings"] { try app.host.tap(tab) }
    #expect(app.feeds.timeObservers == 1, "the list of connections")
    #expect(streams(app)[.echo] == nil)
    #expect(streams(app)[.bux] == nil)
    #expect(streams(app)[.exchange] == 1, "the chart records, and orders are kept")
    try app.host.tap("Tracker")
    #expect(streams(app)[.echo] == tracker)
    #expect(app.feeds.timeObservers == 1)
  }

  @Test func `one price outdates the row that shows it, and no other view`() throws {
    let app = TestApp(at: 1_772_460_420_000)
    app.feeds.connection(.kraken, .live)
    app.host.open(try #require(URL(string: "stocks://markets")))
    try app.feeds.listing()
    app.host.render()
    app.feeds.pass(150)
    app.host.render()
    for price in ["64000.0", "64001.0"] {
      try app.feeds.figures(.kraken, "BTC/USD") { $0.last = try decimal(price) }
      #expect(app.host.outdatedViews == 1)
      app.host.render()
    }
  }

  @Test func `one price of the tracker outdates its row, as the end of its flash does`() throws {
    let app = TestApp(at: 1_772_460_420_000)
    app.feeds.connection(.echo, .live)
    try app.feeds.quote(.echo, "AAPL", "1.00", changes: 1)
    app.host.render()
    for change: UInt64 in 2...3 {
      try app.feeds.quote(.echo, "AAPL", "\(change).00", .up, changes: change)
      #expect(app.host.outdatedViews == 1)
      app.host.render()
    }
    app.feeds.pass(1000)
    #expect(app.host.outdatedViews == 1)
  }

  @Test func `a chart out of sight records without the clock`() throws {
    let app = TestApp()
    app.host.open(try #require(URL(string: "stocks://chart/BTC/USD")))
    try app.host.tap("Settings")
    #expect(app.feeds.observers[MarketKey(.kraken, .trades, try symbol("BTC/USD"))] == 1)
    #expect(app.feeds.timeObservers == 1)
  }
}

// EX8 on the phone: which parts are beside each other, by the available space and the text size.
// Exact positions and sizes are the system's and not imitated here.

import AppState
import ChartModel
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct LayoutTests {
  /// Devices by their size classes.
  enum Device: String, CaseIterable {
    case phone, phoneOnItsSide, largePhoneOnItsSide, tablet

    var horizontal: UserInterfaceSizeClass {
      self == .phone || self == .phoneOnItsSide ? .compact : .regular
    }
    var vertical: UserInterfaceSizeClass {
      self == .phone || self == .tablet ? .regular : .compact
    }
  }

  private func turn(_ app: TestApp, to device: Device, _ type: DynamicTypeSize = .large) {
    app.host.set(\.horizontalSizeClass, device.horizontal)
    app.host.set(\.verticalSizeClass, device.vertical)
    app.host.set(\.dynamicTypeSize, type)
  }

  /// The axis of the smallest stack or list that contains both parts.
  private func axis(
    _ app: TestApp, _ one: (ViewNode) -> Bool, _ other: (ViewNode) -> Bool
  ) -> String? {
    app.host.all.last { node in
      (node.attributes[.other("axis")] != nil || node.kind == .list)
        && node.all.contains(where: one) && node.all.contains(where: other)
    }.map { $0.attributes[.other("axis")] ?? "list" }
  }

  private func isChart(_ node: ViewNode) -> Bool { node.kind == .canvas }
  private func says(_ text: String) -> (ViewNode) -> Bool { { $0.text == text } }

  @Test(arguments: [
    (Device.phone, DynamicTypeSize.large, "vertical"), (.phoneOnItsSide, .large, "horizontal"),
    (.largePhoneOnItsSide, .large, "horizontal"), (.tablet, .large, "horizontal"),
    (.phone, .accessibility1, "list"), (.phoneOnItsSide, .accessibility5, "list"),
    (.tablet, .accessibility3, "horizontal"), (.phone, .xxxLarge, "vertical"),
  ])
  func `EX8 the ticket is beside the chart where there is room, else below it`(
    device: Device, type: DynamicTypeSize, expected: String
  ) throws {
    let app = TestApp()
    try app.host.tap("Exchange")
    turn(app, to: device, type)
    #expect(axis(app, isChart, says("Order ticket")) == expected)
  }

  @Test func `EX8 what is typed and how far the ticket is survives when the device is turned`()
    throws
  {
    let app = TestApp()
    try app.host.tap("Exchange")
    try app.host.type("12", into: "Quantity")
    for device in Device.allCases {
      turn(app, to: device)
      #expect(app.texts.contains("12"), "\(device)")
    }
    turn(app, to: .phone, .accessibility4)
    #expect(app.texts.contains("12"))
  }

  @Test func `EX8 with room the chart is beside book and trades, and is subscribed then`() throws {
    let app = TestApp()
    try app.host.tap("Market")
    #expect(!app.host.all.contains(where: isChart))
    turn(app, to: .tablet)
    #expect(axis(app, isChart, says("Qty")) == "horizontal")
    try app.host.choose("Recent Trades", in: "List")
    #expect(axis(app, isChart, says("Time")) == "horizontal")
    try app.host.choose("Chart", in: "List")
    #expect(app.host.all.contains(where: isChart))
    #expect(!app.texts.contains("Time"))
    turn(app, to: .phone)
    try app.host.choose("Order Book", in: "List")
    #expect(!app.host.all.contains(where: isChart))
  }

  @Test func `on a tablet the list is beside the market, which a tap in it replaces`() throws {
    let app = TestApp()
    turn(app, to: .tablet)
    app.host.open(try #require(URL(string: "stocks://markets")))
    #expect(app.model.router.markets.isEmpty, "no second list on top")
    #expect(axis(app, { $0.label == "Sort markets" }, { $0.label == "List" }) == "horizontal")
    #expect(!app.host.all.contains { $0.label == "All markets" && $0.kind == .button })
    func selected() -> [String?] {
      app.host.all.filter { $0.attributes[.accessibilityTraits] == "isSelected" }
        .map(\.texts.first)
    }
    #expect(selected() == ["XBTUSD"])
    let row = app.host.all.first { $0.kind == .button && $0.texts.first == "ETH/USD" }
    try app.host.tap(try #require(row).label)
    #expect(app.model.router.instrument == (try symbol("ETH/USD")))
    #expect(selected() == ["ETH/USD"])
    #expect(app.host.navigationTitle == "", "the picker is the title")
    turn(app, to: .phone)
    #expect(!app.host.all.contains { $0.label == "Sort markets" })
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `on a tablet the ticket is beside the market and follows the chosen one`() throws {
    let app = TestApp()
    app.feeds.connection(.kraken, .live)
    app.host.open(try #require(URL(string: "stocks://chart/BTC/USD")))
    turn(app, to: .tablet)
    try app.host.tap("Buy BTC/USD")
    #expect(!app.host.all.contains { $0.kind == .sheet })
    #expect(axis(app, isChart, says("Order ticket")) == "horizontal")
    #expect(app.host.navigationTitle == "BTC/USD · Kraken")
    app.host.open(try #require(URL(string: "stocks://chart/ETH/USD")))
    #expect(app.host.navigationTitle == "ETH/USD · Kraken")
    try app.host.tap("Close")
    #expect(!app.texts.contains("Order ticket"))
    try app.host.tap("Sell ETH/USD")
    app.host.open(try #require(URL(string: "stocks://chart/XBTUSD")))
    #expect(!app.texts.contains("Order ticket"), "there are no paper orders in contracts")
    app.host.open(try #require(URL(string: "stocks://chart/BTC/USD")))
    turn(app, to: .phone)
    try app.host.tap("Buy BTC/USD")
    #expect(app.host.all.contains { $0.kind == .sheet })
  }

  @Test func `EX8 an unknown symbol is shown as unknown once, whatever the room`() throws {
    let app = TestApp()
    turn(app, to: .tablet)
    app.host.open(try #require(URL(string: "stocks://book/NO*PE")))
    #expect(app.texts.filter { $0 == "There is no instrument called NO*PE here." }.count == 1)
  }

  @Test func `EX8 very large text is stacked, not side by side`() throws {
    let app = TestApp()
    try app.feeds.quote(.echo, "AAPL", "189.20", .up, changes: 1)
    let (name, price) = (says("AAPL"), says("$189.20"))
    #expect(axis(app, name, price) == "horizontal")
    turn(app, to: .phone, .accessibility1)
    #expect(axis(app, name, price) == "vertical")
    try app.host.tap("Exchange")
    #expect(axis(app, says("Quantity"), { $0.kind == .field }) == "vertical")
    #expect(axis(app, says("TROAD · Two Roads"), says("Best sell")) == "vertical")
    #expect(axis(app, { $0.label == "Interval" }, { $0.label == "Style" }) == "vertical")
  }

  @Test func `EX8 a level of the book has a line for its price and one for its quantity`() throws {
    let app = TestApp()
    try app.host.tap("Market")
    try app.feeds.book(bids: [(1000, 50)], asks: [(1005, 20)])
    #expect(axis(app, says("100.0"), says("50")) == "horizontal")
    #expect(height(app, "Bid 100.0, quantity 50") == "-x24.0")
    turn(app, to: .phone, .accessibility1)
    #expect(axis(app, says("100.0"), says("50")) == "vertical")
    // Two lines, scaled with the text: 24 × 28 / 17 each.
    #expect(height(app, "Bid 100.0, quantity 50")?.hasPrefix("-x79.05") == true)
  }

  private func height(_ app: TestApp, _ label: String) -> String? {
    app.host.attributes(of: label)?[.frame]
      ?? app.host.all.first { $0.attributes[.accessibilityLabel] == label }?.all
      .compactMap { $0.attributes[.frame] }.first { $0.hasPrefix("-x") }
  }

  @Test(arguments: Device.allCases)
  func `EX8 with very large words the chart scrolls and keeps its height`(device: Device) throws {
    let app = TestApp()
    for place in ["exchange", "chart/ETHUSD"] {
      app.host.open(try #require(URL(string: "stocks://\(place)")))
      turn(app, to: device, .accessibility3)
      let scrolling = app.host.all.filter { node in
        node.kind == .list && node.all.contains(where: isChart)
      }
      #expect(scrolling.count == 1, "\(place)")
      let frames = app.host.all.filter { $0.all.contains(where: isChart) }
        .compactMap { $0.attributes[.frame] }
      #expect(frames.contains("-x240.0"), "\(place)")
      turn(app, to: device)
      #expect(!app.host.all.contains { $0.kind == .list && $0.all.contains(where: isChart) })
    }
  }

  @Test func `EX8 the words at the chart's axes grow with their axes, up to a bound`() throws {
    let app = TestApp()
    app.host.size = CGSize(width: 390, height: 260)
    try app.host.tap("Exchange")
    try app.feeds.tick(1)
    func plot() throws -> CGSize {
      _ = try #require(app.host.all.first(where: isChart)).drawing
      let viewport = try #require(app.model.exchangeChart).scene.viewport
      return CGSize(width: viewport.width, height: viewport.height)
    }
    // "101.00" needs 6 × 7 + 14 points beside the plot, the times 22 below it.
    #expect(try plot() == CGSize(width: 390 - 56, height: 260 - 22))
    app.host.set(\.dynamicTypeSize, .xSmall)
    #expect(try plot() == CGSize(width: 390 - 56, height: 260 - 22), "never less than usual")
    app.host.set(\.dynamicTypeSize, .xxxLarge)
    let largest = try plot()
    #expect(abs(largest.width - (390 - 56 * 23 / 17)) < 0.01)
    #expect(abs(largest.height - (260 - 22 * 23 / 17)) < 0.01)
    app.host.set(\.dynamicTypeSize, .accessibility5)
    #expect(try plot() == largest)
  }

  @Test func `UX the tabs are in the web's order, settings last`() throws {
    let tabs = TestApp().host.all.filter { $0.kind == .tab }.map(\.label)
    #expect(tabs == ["Tracker", "Products", "Market", "Exchange", "Settings"])
  }

  @Test(arguments: ["feed", "symbol/AAPL", "exchange", "products", "settings"])
  func `UX heads of sections are written as they are, not in capitals`(place: String) throws {
    let app = TestApp()
    try app.feeds.quote(.echo, "AAPL", "189.20", .up, changes: 1)
    if place == "settings" {
      try app.host.tap("Settings")
    } else {
      app.host.open(try #require(URL(string: "stocks://\(place)")))
    }
    func heads(_ node: ViewNode, _ isKept: Bool) -> [String] {
      let isKept = node.attributes[.other("textCase")].map { $0 == "none" } ?? isKept
      let head = node.kind == .section ? node.children.prefix { $0.kind != .row } : []
      return (isKept ? [] : head.flatMap(\.texts)) + node.children.flatMap { heads($0, isKept) }
    }
    #expect(app.host.all.contains { $0.kind == .section })
    #expect(app.host.nodes.flatMap { heads($0, false) } == [])
  }

  @Test(arguments: ["Tracker", "Market", "Exchange", "Products", "Settings"])
  func `EX8 nothing is cut to a line without room to shrink`(tab: String) throws {
    let app = TestApp()
    try app.feeds.quote(.echo, "AAPL", "189.20", .up, changes: 1)
    try app.feeds.tick(1)
    try app.feeds.book(bids: [(1000, 50)], asks: [(1005, 20)])
    try app.host.tap(tab)
    for type in DynamicTypeSize.allCases {
      turn(app, to: .phone, type)
      for node in app.host.all where node.attributes[.lineLimit] != nil && node.kind == .text {
        #expect(node.attributes[.minimumScaleFactor] != nil, "\(node.text) at \(type)")
      }
    }
    #expect(app.host.complaints.isEmpty)
  }
}

extension TestFeeds {
  fileprivate func book(bids: [(Int64, Int64)], asks: [(Int64, Int64)]) throws {
    func rows(_ levels: [(Int64, Int64)]) -> [BookRow] {
      levels.map { price, size in
        BookRow(
          price: Price(units: price), size: Quantity(units: size),
          accumulated: Quantity(units: size))
      }
    }
    let name = try symbol("XBTUSD")
    send(
      MarketKey(.bitmex, .book, name),
      .book(
        BookView(
          symbol: name, status: .synced, freshness: fresh(.live), bids: rows(bids),
          asks: rows(asks), bidLevels: bids.count, askLevels: asks.count,
          priceScale: Scale(clamping: 1), quantityScale: .whole, priceDecimals: Scale(clamping: 1),
          sequence: 1, resyncs: 0)))
  }
}

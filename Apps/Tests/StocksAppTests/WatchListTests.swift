import AppState
import Foundation
import MarketModel
import StocksAppFixtures
import Testing
import VenueCatalogue

@_spi(Host) import LinuxUIKit
@testable import StocksApp

private let apple = "US0378331005"
private let microsoft = "US5949181045"
private let amazon = "US0231351067"

@MainActor @Suite struct WatchListTests {
  @Test func `ten and more shares are in list order, name left, price right`() throws {
    let list = try TestList(rows: 0..<100)
    let shares = IsinCatalogue.shares
    #expect(shares.count >= 10)
    #expect(list.rows.map(\.first) == shares.map(\.name))
    try list.feeds.quote(apple, "240.32")
    #expect(list.rows.first == ["Apple", "Live", "€240.32"])
    #expect(try list.priceLabel(apple).text == "€240.32")
  }

  @Test func `before the first price there is a dash, and nothing claims to be live`() throws {
    let list = try TestList()
    #expect(
      list.rows == [
        ["Apple", "Waiting for prices", "–"], ["Microsoft", "Waiting for prices", "–"],
        ["Amazon", "Waiting for prices", "–"],
      ])
    #expect(try list.priceLabel(apple).textColor.name == "secondaryLabel")
  }

  @Test func `a price changes only its own cell, and no cell is reconfigured`() throws {
    let list = try TestList()
    try list.feeds.quote(apple, "240.32")
    try list.feeds.quote(microsoft, "410.5")
    let (cells, configurations) = (list.list.visibleCells, list.configurations)
    let label = try list.priceLabel(apple)
    let others = Array(list.rows.dropFirst())
    for cents in 0..<100 { try list.feeds.quote(apple, "241.\(cents + 100)") }
    #expect(list.rows.first == ["Apple", "Live", "€241.20"])
    #expect(try list.priceLabel(apple) === label, "the label was replaced")
    #expect(Array(list.rows.dropFirst()) == others)
    #expect(list.list.visibleCells == cells)
    #expect(list.configurations == configurations && configurations == 3)
  }

  @Test func `only rows in sight are subscribed, each by itself`() throws {
    let list = try TestList(rows: 0..<3)
    #expect(list.feeds.followed == [amazon, apple, microsoft].sorted())
    list.list.show(rows: 1..<4)
    #expect(list.feeds.followed == [amazon, microsoft, "US02079K3059"].sorted())
    #expect(list.feeds.subscriptions.filter { $0.contains(apple) } == ["+\(apple)", "-\(apple)"])
    #expect(list.feeds.subscriptions.filter { $0.contains(amazon) } == ["+\(amazon)"])
    list.list.show(rows: 0..<1)
    #expect(list.feeds.followed == [apple])
  }

  @Test func `a reused cell never shows the price of the row it was`() throws {
    let list = try TestList(rows: 0..<1)
    try list.feeds.quote(apple, "240.32")
    let cell = try list.cell(apple)
    list.list.show(rows: 1..<2)
    #expect(try list.cell(microsoft) === cell)
    #expect(list.rows == [["Microsoft", "Waiting for prices", "–"]])
    #expect(cell.accessibilityLabel == "Microsoft, no price yet, Waiting for prices")
    try list.feeds.quote(apple, "999")
    #expect(list.rows == [["Microsoft", "Waiting for prices", "–"]])
  }

  @Test func `a stale price stays, dimmed, with a rising age, and is not shown as live`() throws {
    let list = try TestList(rows: 0..<1)
    try list.feeds.quote(apple, "240.32")
    #expect(try list.priceLabel(apple).textColor.name == "label")
    let confirmed = list.feeds.time
    list.feeds.advance(12_000)
    try list.feeds.quote(apple, "240.32", .stale, confirmedAt: confirmed)
    #expect(list.rows == [["Apple", "Stale · 12 s ago", "€240.32"]])
    #expect(try list.priceLabel(apple).textColor.name == "secondaryLabel")
    list.feeds.advance(3000)
    #expect(list.rows == [["Apple", "Stale · 15 s ago", "€240.32"]])
    try list.feeds.quote(apple, "240.4")
    #expect(list.rows == [["Apple", "Live", "€240.40"]])
    #expect(try list.priceLabel(apple).textColor.name == "label")
  }

  @Test(arguments: [
    ("en_US", "€1,234.57", "€0.01"), ("de_DE", "1.234,57\u{a0}€", "0,01\u{a0}€"),
    ("nl_NL", "€\u{a0}1.234,57", "€\u{a0}0,01"),
  ])
  func `prices are written in the reader's currency style`(
    locale: String, price: String, smallest: String
  ) throws {
    let list = try TestList(rows: 0..<2, locale: locale)
    try list.feeds.quote(apple, "1234.567000000001")
    try list.feeds.quote(microsoft, "0.0099")
    #expect(list.rows.map(\.last) == [price, smallest])
  }

  @Test func `a formatter is made once and used for every price after`() throws {
    let prices = PriceTexts(locale: Locale(identifier: "de_DE"))
    let row = try #require(WatchListState().rows.first)
    for units in 1...1000 {
      let price = try #require(FixedDecimal("\(units).5"))
      _ = prices.text(of: price, in: row)
    }
    #expect(prices.formatterCount == 1)
  }

  @Test func `each row is one sentence, not announced at every change`() throws {
    let list = try TestList(rows: 0..<1)
    try list.feeds.quote(apple, "240.32")
    let cell = try list.cell(apple)
    #expect(cell.isAccessibilityElement)
    #expect(cell.accessibilityLabel == "Apple, €240.32, Live")
    #expect(cell.accessibilityTraits.contains(.updatesFrequently))
  }

  @Test func `text follows the user's text size, and very large rows are stacked`() throws {
    let list = try TestList(rows: 0..<1)
    let content = try #require(try list.cell(apple).first(StockContentView.self))
    let row = try #require(content.first(UIStackView.self))
    #expect(row.axis == .horizontal)
    content.hostTraits = UITraitCollection(preferredContentSizeCategory: .accessibilityMedium)
    #expect(row.axis == .vertical)
    content.hostTraits = UITraitCollection(preferredContentSizeCategory: .extraExtraExtraLarge)
    #expect(row.axis == .horizontal)
    #expect(try list.priceLabel(apple).adjustsFontForContentSizeCategory)
  }
}

// An asset at all venues: the best prices, a row for each venue, and the venues that don't count.

import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing
import VenueCatalogue

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct AssetTests {
  private func opened(_ link: String = "stocks://asset/BTC/USDT") throws -> TestApp {
    let app = TestApp(at: 1_772_460_420_000)
    for venue in [Venue.okx, .bybit, .binance] { app.feeds.connection(venue, .live) }
    app.host.open(try #require(URL(string: link)))
    // Kraken and Coinbase may have any pair; this one they report not to have.
    for venue in [Venue.kraken, .coinbase] {
      try book(app, venue, (0, 0), (0, 0), isKnown: false)
    }
    return app
  }

  /// A book with one level a side, in tenths and thousandths.
  private func book(
    _ app: TestApp, _ venue: Venue, _ bid: (Int64, Int64), _ ask: (Int64, Int64),
    _ status: BookStatus = .synced, _ state: FreshnessState = .live, isKnown: Bool = true
  ) throws {
    let names: [Venue: String] = [.okx: "BTC-USDT", .coinbase: "BTC-USDT", .kraken: "BTC/USDT"]
    let name = try symbol(names[venue] ?? "BTCUSDT")
    func rows(_ level: (Int64, Int64)) -> [BookRow] {
      level.1 == 0
        ? []
        : [
          BookRow(
            price: Price(units: level.0), size: Quantity(units: level.1),
            accumulated: Quantity(units: level.1))
        ]
    }
    app.feeds.send(
      MarketKey(venue, .book, name),
      .book(
        BookView(
          symbol: name, status: status, freshness: app.feeds.fresh(state), bids: rows(bid),
          asks: rows(ask), bidLevels: 1, askLevels: 1, priceScale: Scale(clamping: 1),
          quantityScale: Scale(clamping: 3), priceDecimals: Scale(clamping: 1), sequence: 1,
          resyncs: 0, isKnown: isKnown)))
  }

  @Test func `each venue has a row, and the best prices name theirs`() throws {
    let app = try opened()
    #expect(app.host.navigationTitle == "BTC / USDT")
    #expect(app.texts.contains("No venue has a valid book."))
    try book(app, .okx, (642_110, 16), (642_111, 2121))
    try book(app, .bybit, (642_137, 1), (642_146, 155))
    try book(app, .binance, (642_126, 6), (642_127, 107))
    for text in [
      "64,213.7 · Bybit", "64,211.1 · OKX", "3 of 3 venues", "Bid 64,211.0 × 0.016",
      "Ask 64,214.6 × 0.155", "Bid 64,212.6 × 0.006",
    ] {
      #expect(app.texts.contains(text), "\(text) in \(app.texts)")
    }
    #expect(app.texts.contains { $0.hasPrefix("−0.40 bp · ") })
    #expect(app.texts.contains { $0.hasPrefix("Spread 0.02 bp") })
    #expect(!app.texts.contains { $0.hasPrefix("Not counted") })
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `late, invalid and one-sided books are dimmed and named, and do not count`() throws {
    let app = try opened()
    try book(app, .okx, (642_110, 16), (642_111, 2121))
    try book(app, .bybit, (642_137, 1), (642_146, 155), .resyncing, .resyncing)
    try book(app, .binance, (642_126, 0), (642_090, 107))
    #expect(app.texts.contains("64,211.0 · OKX") && app.texts.contains("64,211.1 · OKX"))
    #expect(app.texts.contains("1 of 3 venues"))
    #expect(
      app.texts.contains("Not counted: Bybit (resyncing), Binance (one side is empty)"),
      "\(app.texts)")
    #expect(app.texts.contains("Bid –"))
    try book(app, .okx, (642_110, 16), (642_111, 2121), .synced, .late)
    #expect(app.texts.contains("No venue has a valid book."))
    #expect(app.texts.contains { $0.hasPrefix("Not counted: OKX (late)") })
  }

  @Test func `a row opens its market, and the market the asset`() throws {
    let app = try opened()
    try book(app, .okx, (642_110, 16), (642_111, 2121))
    let row = try #require(
      app.host.all.first { $0.kind == .button && $0.texts.first == "OKX" })
    try app.host.tap(row.label)
    #expect(app.model.router.instrument?.text == "BTC-USDT" && app.model.router.market == .book)
    #expect(app.model.router.markets.isEmpty)
    try app.host.tap("Compare venues")
    #expect(app.host.navigationTitle == "BTC / USDT")
  }

  @Test func `its books are followed only while it is in sight`() throws {
    let app = try opened()
    let key = MarketKey(.bybit, .book, try symbol("BTCUSDT"))
    #expect(app.feeds.observers[key] == 1)
    try app.host.tap("Tracker")
    #expect(app.feeds.observers[key] == 0)
  }

  @Test func `a contract offers no comparison, and an unknown asset has no market`() throws {
    let app = try opened("stocks://book/XBTUSD")
    #expect(!app.host.all.contains { $0.kind == .button && $0.label == "Compare venues" })
    app.host.open(try #require(URL(string: "stocks://asset/NOPE/JPY")))
    #expect(app.host.navigationTitle == "NOPE / JPY")
  }
}

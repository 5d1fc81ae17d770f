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

@MainActor @Suite struct MarketTests {
  private func market() throws -> TestApp {
    let app = TestApp()
    try app.host.tap("Market")
    return app
  }

  /// A BitMEX book of levels "price x size", best first.
  private func book(
    _ app: TestApp, bids: [(Int64, Int64)], asks: [(Int64, Int64)], _ status: BookStatus = .synced
  ) throws { try app.feeds.book(bids: bids, asks: asks, status) }

  private func trades(_ app: TestApp, _ rows: [(UInt64, Int64, Side?)]) throws {
    let trades = rows.map { arrival, price, side in
      Trade(
        price: Price(units: price), size: Quantity(units: 1000), side: side,
        time: Timestamp(milliseconds: 50_829_000 + Int64(arrival) * 1000), arrival: arrival)
    }
    try app.feeds.tape(trades)
  }

  @Test func `OB2 the lists lie under a tab control, only the one in front is subscribed`() throws {
    let app = TestApp()
    // Its figures are the venue's own and need no trades.
    app.host.open(try #require(URL(string: "stocks://book/BTC/USD")))
    let name = try symbol("BTC/USD")
    let (book, tape) = (MarketKey(.kraken, .book, name), MarketKey(.kraken, .trades, name))
    #expect(app.feeds.observers[book] == 1)
    #expect(app.feeds.observers[tape] == nil)
    try app.host.choose("Recent Trades", in: "List")
    #expect(app.feeds.observers[book] == 0)
    #expect(app.feeds.observers[tape] == 1)
    try app.host.tap("Tracker")
    #expect(app.feeds.observers[tape] == 0, "a list that nobody sees is not subscribed")
    try app.host.tap("Market")
    #expect(app.feeds.observers[tape] == 1)
    let scrolling = app.host.all.filter { $0.kind == .list }
    #expect(scrolling.count == 1)
    #expect(!(scrolling.first?.texts.contains("Time") ?? true), "the columns' names stay")
  }

  @Test func `a closed venue's instruments are not among the choices`() throws {
    let app = TestApp()
    app.model.closed = [.bitmex]
    try app.host.tap("Market")
    app.model.router.go(to: .book(try symbol("BTC/USD")))
    let options = app.host.all.filter { $0.kind == .option }.map(\.label)
    #expect(options.contains("Bitcoin / US dollar (Kraken)"))
    #expect(!options.contains { $0.contains("BitMEX") })
  }

  @Test(arguments: ["Order Book", "Recent Trades"])
  func `rows that are few and redrawn often are made at once, not while a list scrolls`(
    list: String
  ) throws {
    let app = try market()
    try app.host.choose(list, in: "List")
    try book(app, bids: [(1000, 50)], asks: [(1005, 20)])
    try trades(app, [(1, 1000, .buy)])
    #expect(app.host.all.contains { $0.kind == .list })
    #expect(!app.host.all.contains { $0.attributes[.layout] == "lazy column" })
  }

  @Test func `OB3 bids at the left and asks at the right, best first, four columns`() throws {
    let app = try market()
    try book(app, bids: [(1000, 50), (995, 1500)], asks: [(1005, 20), (1010, 80)])
    let cells = try #require(app.host.all.first { $0.kind == .list }).texts
    #expect(
      cells.filter { !$0.isEmpty } == [
        "50", "100.0", "100.5", "20", "1,500", "99.5", "101.0", "80", "Spread 0.5",
      ])
    app.host.set(\.locale, Locale(identifier: "de_DE"))
    #expect(app.texts.contains("Spread 0,5"))
    let rows = app.host.all.filter { $0.label == "keine Stufe" }
    #expect(rows.count == 2 * 18, "20 rows a side, however thin the book is")
    #expect(app.texts.contains("Kurs (USD)"))
  }

  @Test func `LT2 a proven book is marked, one with a wrong checksum is not drawn`() throws {
    let app = TestApp()
    app.host.open(try #require(URL(string: "stocks://book/BTC/USD")))
    let name = try symbol("BTC/USD")
    func row(_ price: Int64) -> BookRow {
      BookRow(
        price: Price(units: price), size: Quantity(units: 3), accumulated: Quantity(units: 3))
    }
    var checksum = BookChecksum()
    let value = checksum.value(bids: [row(1000)], asks: [row(1005)])
    let at = try #require(app.feeds.fresh(.live).confirmedAt)
    for bid in [1000, 990] as [Int64] {
      let view = BookView(
        symbol: name, status: .synced, freshness: app.feeds.fresh(.live), bids: [row(bid)],
        asks: [row(1005)], bidLevels: 1, askLevels: 1, priceScale: Scale(clamping: 1),
        quantityScale: .whole, priceDecimals: Scale(clamping: 1), sequence: 1, resyncs: 0,
        proof: BookProof(checksum: value, at: at))
      app.feeds.send(MarketKey(.kraken, .book, name), .book(view))
      let proven = app.texts.contains("Rows 1 to 10 proven by Kraken's checksum · just now")
      #expect(proven == (bid == 1000))
      #expect(app.texts.contains("100.0") && !app.texts.contains("99.0"))
    }
  }

  @Test func `OB3 where one reads from the right, bids stay at the left`() throws {
    let app = try market()
    try book(app, bids: [(1000, 50)], asks: [(1005, 70)])
    app.host.set(\.layoutDirection, .rightToLeft)
    func isRowMirrored(_ text: String) -> Bool {
      app.host.all.contains {
        $0.attributes[.other("mirrored")] != nil && $0.texts.count < 6 && $0.texts.contains(text)
      }
    }
    #expect(isRowMirrored("XBTUSD"))
    #expect(!isRowMirrored("100.0") && !isRowMirrored("Price (USD)"))
  }

  @Test func `OB3 a switch shows quantities in XBT`() throws {
    let app = try market()
    try book(app, bids: [(1000, 50)], asks: [])
    try app.host.tap("Qty in XBT")
    #expect(app.texts.contains("0.5000"))
    #expect(app.texts.contains("Qty (XBT)"))
    try app.host.choose("Ether / US dollar (BitMEX)", in: "Instrument")
    #expect(app.host.navigationTitle == "ETHUSD")
    #expect(!app.texts.contains("Qty (XBT)"), "size ÷ price means nothing there")
  }

  @Test
  func `OB2 the bar shows symbol, name and venue, with a chooser and a search`() throws {
    let app = try market()
    let bar = try #require(app.host.all.first { $0.kind == .toolbar })
    // The comparison of venues, which is empty for a contract; alerts; search.
    #expect(
      bar.children.map { $0.attributes[.placement] }
        == ["principal", "topBarTrailing", "topBarTrailing", "topBarTrailing"])
    #expect(bar.texts.prefix(2) == ["XBTUSD", "Bitcoin / US dollar · BitMEX"])
    #expect(
      app.host.attributes(of: "Choose the instrument")?[.accessibilityValue]
        == "XBTUSD, Bitcoin / US dollar · BitMEX")
    #expect(!bar.texts.contains("Qty in XBT"))
    try app.host.tap("Qty in XBT")
    try app.host.choose("Recent Trades", in: "List")
    #expect(app.texts.contains("Qty (XBT)"), "the unit holds for both lists")
    try app.host.choose("Ether / US dollar (BitMEX)", in: "Instrument")
    #expect(!app.texts.contains("Qty in XBT"), "no switch where it would do nothing")
    #expect(bar.texts != app.host.all.first { $0.kind == .toolbar }?.texts)
  }

  @Test func `OB4 bars show accumulated size on one scale for both sides`() throws {
    let app = try market()
    app.host.size = CGSize(width: 100, height: 24)
    try book(app, bids: [(1000, 50), (995, 50)], asks: [(1005, 20), (1010, 180)])
    let widths = ["bar bid 0", "bar bid 1", "bar ask 0", "bar ask 1"].map { name in
      app.host.all.first { $0.attributes[.accessibilityIdentifier] == name }?.all
        .compactMap { $0.attributes[.frame] }.first
    }
    #expect(widths == ["25.0x-", "50.0x-", "10.0x-", "100.0x-"])
  }

  @Test func `LT1 a resyncing book is dimmed and labelled`() throws {
    let app = try market()
    try book(app, bids: [(1000, 50)], asks: [(1005, 20)])
    #expect(app.texts.contains("Live · simulated"))
    app.feeds.pass(5000)
    try book(app, bids: [(1000, 50)], asks: [(1005, 20)], .resyncing)
    #expect(app.texts.contains { $0.hasPrefix("Resyncing") })
    #expect(app.host.attributes(of: "100.0")?[.opacity] == "0.5")
    let spoken = app.host.all.compactMap { $0.attributes[.accessibilityLabel] }
    #expect(spoken.contains("Bid 100.0, quantity 50, resyncing"))
  }

  @Test func `OB5 trades: newest first, three columns, buys green and sells red`() throws {
    let app = try market()
    try app.host.choose("Recent Trades", in: "List")
    try trades(app, [(2, 1005, .sell), (1, 1000, .buy)])
    let list = try #require(app.host.all.first { $0.kind == .list })
    #expect(list.texts == ["100.5", "1,000", "14:07:11", "100.0", "1,000", "14:07:10"])
    #expect(app.host.attributes(of: "100.5")?[.foregroundStyle] == "rgb(0.62,0.05,0.05,1.0)")
    #expect(app.host.attributes(of: "100.0")?[.foregroundStyle] == "rgb(0.0,0.37,0.14,1.0)")
    let spoken = list.all.compactMap { $0.attributes[.accessibilityLabel] }
    #expect(spoken.first == "Sold 1,000 at 100.5, 14:07:11")
  }

  @Test func `OB6 a new trade has a lighter background for 0.2 s, those before it have none`()
    throws
  {
    let app = try market()
    try app.host.choose("Recent Trades", in: "List")
    try trades(app, [(1, 1000, .buy)])
    #expect(background(app, "100.0") == "clear")
    try trades(app, [(2, 1005, .sell), (1, 1000, .buy)])
    #expect(background(app, "100.5") == "rgb(0.62,0.05,0.05,1.0)@0.25")
    app.feeds.pass(100)
    try trades(app, [(3, 1010, .buy), (2, 1005, .sell), (1, 1000, .buy)])
    app.feeds.pass(99)
    #expect(background(app, "100.5") == "rgb(0.62,0.05,0.05,1.0)@0.25")
    app.feeds.pass(1)
    #expect(background(app, "100.5") == "clear")
    #expect(background(app, "101.0") == "rgb(0.0,0.37,0.14,1.0)@0.25")
    app.feeds.pass(100)
    #expect(background(app, "101.0") == "clear")
    #expect(background(app, "100.0") == "clear")
  }

  @Test func `instruments of one name are distinguished by venue, a link's own included`() throws {
    let app = try market()
    let picker = try #require(app.host.all.first { $0.kind == .picker && $0.label == "Instrument" })
    #expect(Set(picker.texts).count == BookCatalogue.instruments.count)
    app.host.open(try #require(URL(string: "stocks://book/ADA/USD")))
    let more = try #require(
      app.host.all.first { $0.kind == .picker && $0.label == "Instrument" })
    #expect(more.texts.last == "ADA / USD (Kraken)")
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `an instrument that does not exist is shown as unknown`() throws {
    let app = TestApp()
    app.host.open(try #require(URL(string: "stocks://book/NO*PE")))
    #expect(app.texts.contains("There is no instrument called NO*PE here."))
    #expect(app.texts.contains("NO*PE (unknown)"))
    #expect(app.host.complaints.isEmpty)
  }

  private func background(_ app: TestApp, _ text: String) -> String? {
    app.host.attributes(of: text)?[.background]
  }
}

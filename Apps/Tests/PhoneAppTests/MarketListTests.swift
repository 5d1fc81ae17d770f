import AppState
import Foundation
import MarketModel
import MarketStreams
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing
import VenueCatalogue

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct MarketListTests {
  private static let afternoon: Int64 = 1_772_460_420_000

  private func markets() throws -> TestApp {
    let app = TestApp(at: Self.afternoon)
    app.feeds.connection(.kraken, .live)
    try app.host.tap("Market")
    try app.host.tap("All markets")
    return app
  }

  /// Searches, and waits until the rows follow their figures.
  private func search(_ text: String, in app: TestApp) throws {
    try app.host.search(text)
    app.host.render()
    app.feeds.pass(150)
  }

  private func symbols(_ app: TestApp) -> [String] {
    app.host.all.filter { $0.kind == .button && $0.texts.count > 1 }.compactMap(\.texts.first)
  }

  private func key(_ name: String) throws -> MarketKey {
    MarketKey(.kraken, .figures, try symbol(name))
  }

  @Test func `LT13 every market of the app is in the list, those of the other app are not`() throws
  {
    let app = try markets()
    try app.feeds.listing()
    let symbols = symbols(app)
    for name in [
      "BTC/USD", "ADA/USD", "AAPLx/USD", "XBTUSD", ExchangeCatalogue.symbol.text, "AAPL", "sb26493",
    ] {
      #expect(symbols.contains(name), "\(name)")
    }
    let shares = IsinCatalogue.shares.map(\.isin.text)
    #expect(!shares.isEmpty && symbols.allSatisfy { !shares.contains($0) })
    #expect(app.texts.contains("Apple, tokenised share / US dollar · Kraken"))
    #expect(app.texts.contains("Cardano / US dollar · Kraken · closed"))
    #expect(app.texts.contains("\(symbols.count) markets"))
    #expect(app.host.navigationTitle == "All markets")
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `LT13 what is typed finds names, symbols and venues`() throws {
    let app = try markets()
    try app.feeds.listing()
    try app.host.search("cardano")
    #expect(symbols(app) == ["ADA/USD"])
    #expect(app.texts.contains("1 market"))
    try app.host.search("bit kra")
    #expect(symbols(app).contains("BTC/USD") && !symbols(app).contains("XBTUSD"))
    try app.host.search("zzzz")
    #expect(symbols(app).isEmpty)
    #expect(app.texts.contains("No market found"))
    try app.host.search("")
    #expect(symbols(app).count > 30)
  }

  @Test func `LT13 a row shows its price, its change with the window, and its age when not live`()
    throws
  {
    let app = try markets()
    try search("bitcoin kraken usd", in: app)
    try app.feeds.figures(.kraken, "BTC/USD") {
      $0.last = try decimal("105899.4")
      $0.changePercent = try decimal("-0.24")
    }
    #expect(app.texts.contains("105,899.4"))
    #expect(app.texts.contains("−0.24%") && app.texts.contains("24 h"))
    app.feeds.pass(5000)
    app.feeds.connection(.kraken, .backingOff)
    app.feeds.pass(1250)
    #expect(app.texts.contains("Disconnected · 6 s ago"))
    #expect(app.host.attributes(of: "105,899.4")?[.opacity] == "0.5")
  }

  @Test func `LT13 only the rows that are there are subscribed, and none when the list is left`()
    throws
  {
    let app = try markets()
    app.host.render()
    app.feeds.pass(149)
    #expect(app.feeds.observers[try key("BTC/USD")] == nil, "a row that only passes")
    app.feeds.pass(1)
    #expect(app.feeds.observers[try key("BTC/USD")] == 1)
    try search("ether kraken", in: app)
    #expect(app.feeds.observers[try key("BTC/USD")] == 0)
    #expect(app.feeds.observers[try key("ETH/USD")] == 1)
    try app.host.tap("Tracker")
    #expect(app.feeds.observers[try key("ETH/USD")] == 0)
    #expect(app.feeds.observers[.listing(of: .kraken)] == 0)
  }

  @Test(arguments: [
    ("ADA/USD", AppTab.market, [Route]()), ("XBTUSD", .market, []), ("AAPL", .tracker, []),
    (ExchangeCatalogue.symbol.text, .exchange, []), ("sb26493", .products, []),
  ])
  func `LT13 a tap opens the instrument where the app shows it`(
    name: String, tab: AppTab, above: [Route]
  ) throws {
    let app = try markets()
    try app.feeds.listing()
    let row = try #require(
      app.host.all.first { $0.kind == .button && $0.texts.first == name })
    try app.host.tap(row.label)
    let router = app.model.router
    #expect(router.tab == tab && !router.isLost)
    if tab == .market {
      #expect(router.instrument?.text == name && router.market == .chart)
      #expect(router.markets == above)
    }
    #expect(router.tracker.isEmpty == (tab != .tracker))
    #expect(router.products.isEmpty == (tab != .products))
  }

  @Test func `PT7 a link leads to the list, one to an instrument away from it`() throws {
    let app = TestApp(at: Self.afternoon)
    app.host.open(try #require(URL(string: "stocks://markets")))
    #expect(app.host.navigationTitle == "All markets")
    app.host.open(try #require(URL(string: "stocks://book/ETH/USD")))
    #expect(app.host.navigationTitle == "ETH/USD")
  }

  @Test func `LT13 favourites are kept and listed alone, and the chart's bar has their star`()
    throws
  {
    let app = try markets()
    try app.host.choose("Favourites", in: "Markets")
    #expect(symbols(app).isEmpty && app.texts.contains("No favourites"))
    try app.host.choose("All", in: "Markets")
    try app.host.tap("Add ETH/USD to favourites")
    try app.host.choose("Favourites", in: "Markets")
    #expect(symbols(app) == ["ETH/USD"] && app.texts.contains("1 market"))
    #expect(app.preferences.favourites == [InstrumentKey(.kraken, try symbol("ETH/USD"))])
    app.host.open(try #require(URL(string: "stocks://book/ETH/USD")))
    try app.host.tap("Remove ETH/USD from favourites")
    #expect(app.preferences.favourites.isEmpty)
    #expect(app.host.complaints.isEmpty)
  }

  @Test func `LT13 gainers come first, by figures that are followed only meanwhile`() throws {
    let app = try markets()
    #expect(!app.feeds.isSurveyed)
    try app.host.tap("Gainers, 24 h")
    #expect(app.feeds.isSurveyed)
    for (name, change) in [("BTC/USD", "-0.24"), ("ETH/USD", "3.5"), ("SOL/USD", "1")] {
      var figures = DayFigures(
        symbol: try symbol(name),
        freshness: Freshness(state: .live, origin: .venue, confirmedAt: nil))
      figures.changePercent = try decimal(change)
      app.feeds.survey.take(figures, of: InstrumentKey(.kraken, try symbol(name)))
    }
    #expect(symbols(app).prefix(3) == ["ETH/USD", "SOL/USD", "BTC/USD"])
    #expect(app.texts.contains { $0.contains("markets · 24 h change at ") })
    try app.host.tap("Losers, 24 h")
    #expect(symbols(app).prefix(3) == ["BTC/USD", "SOL/USD", "ETH/USD"])
    try app.host.tap("By venue")
    #expect(!app.feeds.isSurveyed && symbols(app).first != "ETH/USD")
  }
}

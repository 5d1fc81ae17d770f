// PT4, WL2, WL5, EX1: the screens of a single quote, and the fixed lists.

import MarketModel
import MarketStreams
import Testing
import VenueCatalogue

@testable import AppState

@Suite struct QuoteScreensTests {
  @Test func `PT4 details show title, price, direction and a description`() throws {
    var screen = SymbolScreen(symbol: try symbol("AAPL"))
    #expect(screen.state.details?.price == nil)
    screen.take(try quote(.echo, "AAPL", "189.20", direction: .up, changes: 3))
    let details = try #require(screen.state.details)
    #expect(screen.state.symbol.text == "AAPL")
    #expect(details.name == "Apple")
    #expect(details.about.hasSuffix("."))
    #expect(details.price == (try decimal("189.20")))
    #expect(details.direction == .up)
    #expect(details.changes == 3)
    #expect(details.freshness == fresh(.live))
  }

  @Test func `PT6 details subscribe the same stream as the feed`() throws {
    let details = SymbolScreen(symbol: try symbol("AAPL"))
    #expect(details.wanted.count == 1)
    #expect(details.wanted.isSubset(of: FeedScreen().wanted))
  }

  @Test func `PT7 an unknown symbol is marked and subscribes nothing`() throws {
    var screen = SymbolScreen(symbol: try symbol("NOPE"))
    #expect(screen.state.details == nil)
    #expect(screen.wanted.isEmpty)
    screen.take(try quote(.echo, "NOPE", "1"))
    #expect(screen.state.details == nil)
  }

  @Test func `WL2 the list has ten or more shares in euro with valid and distinct ISINs`() {
    let rows = WatchListState().rows
    #expect(rows.count >= 20)
    #expect(Set(rows.map(\.isin)).count == rows.count)
    #expect(rows.allSatisfy { $0.currency == "EUR" && !$0.name.isEmpty })
    for row in rows { #expect(Isin.isValid(row.isin.text), "\(row.isin)") }
  }

  @Test func `WL2 a row shows the price of its share with all digits, and nothing else`() throws {
    var row = try #require(WatchRowScreen(isin: try symbol("US0378331005")))
    row.take(try quote(.isin, "US0378331005", "257.11937852675885", direction: .up, changes: 2))
    #expect(row.state.price?.description == "257.11937852675885")
    #expect(row.state.direction == .up)
    #expect(row.state.changes == 2)
    row.take(try quote(.isin, "US5949181045", "1"))
    #expect(row.state.price?.description == "257.11937852675885")
  }

  @Test func `WL5 each visible row subscribes to its own share only`() throws {
    let apple = try symbol("US0378331005")
    let row = try #require(WatchRowScreen(isin: apple))
    #expect(row.wanted == [MarketKey(.isin, .quote, apple)])
  }

  @Test func `WL5 what is no ISIN is not subscribed`() throws {
    #expect(WatchRowScreen(isin: try symbol("US0000000000")) == nil)
    #expect(WatchRowScreen(isin: try symbol("*")) == nil)
  }

  @Test func `EX1 the exchange's stock shows the tick with both offers`() throws {
    let name = ExchangeCatalogue.symbol
    var screen = ExchangeScreen(symbol: name)
    let tick = QuoteView(
      symbol: name, price: try decimal("45.05"), bid: try decimal("45.01"),
      ask: try decimal("45.10"), bidSize: Quantity(units: 17), askSize: Quantity(units: 36),
      direction: .up, changes: 9, freshness: fresh(.live))
    screen.take(.value(MarketKey(.exchange, .quote, name), .quote(tick)))
    let state = screen.state
    #expect(state.price == tick.price)
    #expect([state.bid, state.ask] == [tick.bid, tick.ask])
    #expect([state.bidSize, state.askSize] == [tick.bidSize, tick.askSize])
    #expect(state.direction == .up)
    #expect(state.changes == 9)
    #expect(state.freshness.state == .live)
  }

  @Test func `EX1 an offer that the next tick lacks is no longer shown`() throws {
    let name = ExchangeCatalogue.symbol
    var screen = ExchangeScreen(symbol: name)
    let key = MarketKey(.exchange, .quote, name)
    let full = QuoteView(
      symbol: name, price: try decimal("1"), bid: try decimal("1"), bidSize: Quantity(units: 1),
      freshness: fresh(.live))
    screen.take(.value(key, .quote(full)))
    screen.take(
      .value(
        key, .quote(QuoteView(symbol: name, price: try decimal("1"), freshness: fresh(.live)))))
    #expect(screen.state.bid == nil)
    #expect(screen.state.bidSize == nil)
  }

  @Test func `PD1 the chooser offers the six products of the brief`() {
    let choices = ProductChooserState().choices
    #expect(
      choices.map(\.identifier.text)
        == ["sb26493", "sb26496", "sb26502", "sb26500", "sb26513", "sb28248"])
    #expect(choices.map(\.name).last == "Deutsche Bank")
  }

  @Test func `OB1 the instruments have a venue and the meaning of their contracts`() throws {
    let instruments = BookChooserState().instruments
    #expect(
      instruments.prefix(5).map(\.symbol.text) == [
        "XBTUSD", "ETHUSD", "SOLUSD", "BTC/USD", "ETH/USD",
      ])
    #expect(instruments.prefix(5).map(\.contract) == [.inverse, .quanto, .quanto, .base, .base])
    #expect(instruments.count == Venue.allCases.map(\.descriptor.books.count).reduce(0, +))
    #expect(Set(instruments.map { "\($0.venue):\($0.symbol)" }).count == instruments.count)
    let contracts: Set<Venue> = [.bitmex, .bybitLinear]
    #expect(instruments.allSatisfy { contracts.contains($0.venue) != ($0.contract == .base) })
    #expect(instruments.allSatisfy { ($0.venue == .bybitLinear) == ($0.contract == .linear) })
  }

  @Test func `PT1 every stock of the catalogue is complete`() {
    for stock in StockCatalogue.stocks {
      #expect(stock.startPriceCents > 0, "\(stock.symbol)")
      #expect(stock.about.count > 20 && stock.about.hasSuffix("."), "\(stock.symbol)")
      #expect(StockCatalogue.stock(stock.symbol) == stock)
    }
  }
}

@Suite struct VenueLinkTests {
  @Test(arguments: [FreshnessState.live, .late, .stale, .resyncing, .closed])
  func `no value is better than disconnected while its venue is gone`(state: FreshnessState) {
    var link = VenueLink(.bux)
    _ = link.update(status(.live, since: 0))
    #expect(link.judged(fresh(state, 10)).state == state)
    #expect(link.update(status(.backingOff, since: 20)) == .lost)
    #expect(link.judged(fresh(state, 10)).state == .disconnected)
  }

  @Test func `a value from before the outage stays stale until it is confirmed again`() {
    var link = VenueLink(.bux)
    _ = link.update(status(.live, since: 0))
    _ = link.update(status(.connecting, since: 20))
    _ = link.update(status(.backingOff, since: 30))
    #expect(link.update(status(.subscribing, since: 40)) == .established)
    #expect(link.update(status(.live, since: 41)) == .none)
    #expect(link.judged(fresh(.live, 19)).state == .stale)
    #expect(link.judged(fresh(.late, 20)).state == .stale)
    #expect(link.judged(fresh(.live, 41)).state == .live)
  }

  @Test func `an open but silent connection makes its values stale`() {
    var link = VenueLink(.bux)
    _ = link.update(status(.live, since: 0))
    _ = link.update(status(.stale, since: 5))
    #expect(link.judged(fresh(.live, 4)).state == .stale)
    #expect(link.judged(fresh(.resyncing, 4)).state == .resyncing)
  }

  @Test func `a value that never came is waiting, whatever the connection does`() {
    var link = VenueLink(.bux)
    _ = link.update(status(.backingOff, since: 5))
    #expect(link.judged(.waiting(.venue)).state == .waiting)
  }

  private func status(_ phase: ConnectionPhase, since: Int64) -> ConnectionStatus {
    var status = ConnectionStatus(venue: .bux, origin: .simulated, since: at(since))
    status.phase = phase
    return status
  }
}

@Suite struct IsinTests {
  @Test(arguments: ["US0378331005", "AU0000XVGZA3", "GB0002634946", "DE000BASF111"])
  func `an ISIN with the right check digit is valid`(text: String) { #expect(Isin.isValid(text)) }

  @Test(arguments: [
    "", "US0378331006", "us0378331005", "US037833100", "US03783310055", "0S0378331005",
    "US03783310O5", "US0378331 05", "ÜS037833100", "AU0000VXGZA4",
  ])
  func `anything else is not`(text: String) { #expect(!Isin.isValid(text)) }

  @Test func `every change of one digit is noticed`() {
    let good = Array("US0378331005".utf8)
    for index in 2..<12 {
      for digit in UInt8(ascii: "0")...UInt8(ascii: "9") where digit != good[index] {
        var bytes = good
        bytes[index] = digit
        #expect(!Isin.isValid(String(decoding: bytes, as: UTF8.self)))
      }
    }
  }
}

// OB7: the same screens on a venue with sizes in the base currency and more instruments than any
// catalogue.

import MarketModel
import Testing
import VenueCatalogue

@testable import AppState

@Suite struct PairScreensTests {
  private func view(_ name: Symbol, isKnown: Bool = true) -> BookView {
    BookView(
      symbol: name, status: .synced, freshness: fresh(.live),
      bids: [
        BookRow(
          price: Price(units: 642_137), size: Quantity(units: 154_582_015),
          accumulated: Quantity(units: 154_582_015))
      ],
      asks: [
        BookRow(
          price: Price(units: 642_140), size: Quantity(units: 1),
          accumulated: Quantity(units: 1))
      ], bidLevels: 1, askLevels: 1, priceScale: Scale(clamping: 1),
      quantityScale: Scale(clamping: 8), priceDecimals: Scale(clamping: 1), sequence: 1,
      resyncs: 0, isKnown: isKnown)
  }

  @Test func `OB7 sizes of a pair are base amounts, exactly, in both units`() throws {
    let name = try symbol("BTC/USD")
    var screen = BookScreen(symbol: name)
    screen.take(connection(.kraken, .live))
    screen.take(.value(MarketKey(.kraken, .book, name), .book(view(name))))
    #expect(
      screen.state.table == """
        bid 64213.7 1.54582015 1.54582015 1000
        ask 64214.0 0.00000001 0.00000001 0
        """)
    #expect(screen.state.instrument?.contract == .base)
    #expect(screen.state.spread?.description == "0.3")
  }

  @Test func `OB7 trades of a pair have base amounts`() throws {
    let name = try symbol("BTC/USD")
    var screen = TradesScreen(symbol: name)
    let trade = Trade(
      price: Price(units: 642_137), size: Quantity(units: 27_625), side: .buy,
      time: Timestamp(milliseconds: 5), arrival: 1)
    let tape = TapeView(
      symbol: name, trades: [trade], priceScale: Scale(clamping: 1),
      quantityScale: Scale(clamping: 8), priceDecimals: Scale(clamping: 1),
      freshness: fresh(.live))
    screen.take(.value(MarketKey(.kraken, .trades, name), .trades(tape)))
    #expect(screen.state.trades.first?.size.description == "0.00027625")
    #expect(screen.state.trades.first?.sizeInBase?.description == "0.00027625")
  }

  @Test func `OB7 any pair can be opened by its name`() throws {
    let pair = try #require(BookCatalogue.instrument(try symbol("1INCH/EUR")))
    #expect(pair.venue == .kraken && pair.base == "1INCH" && pair.quote == "EUR")
    #expect(pair.contract == .base && pair.name == "1INCH / EUR")
    for text in ["/", "BTC/", "/USD", "BTC/USD/EUR", "B*C/USD"] {
      #expect(BookCatalogue.instrument(try symbol(text)) == nil, "\(text)")
    }
  }

  @Test func `OB7 a pair that the venue does not have is shown as unknown`() throws {
    let name = try symbol("ABC/XYZ")
    var book = BookScreen(symbol: name)
    #expect(book.state.instrument != nil, "the venue decides")
    book.take(.value(MarketKey(.kraken, .book, name), .book(view(name, isKnown: false))))
    #expect(book.state.instrument == nil)
    var trades = TradesScreen(symbol: name)
    let tape = TapeView(
      symbol: name, trades: [], priceScale: .whole, quantityScale: .whole, priceDecimals: .whole,
      freshness: fresh(.waiting), isKnown: false)
    trades.take(.value(MarketKey(.kraken, .trades, name), .trades(tape)))
    #expect(trades.state.instrument == nil)
  }

  @Test func `OB7 a pair that the venue has after all is shown again`() throws {
    let name = try symbol("ABC/XYZ")
    let (bookKey, tapeKey) = (MarketKey(.kraken, .book, name), MarketKey(.kraken, .trades, name))
    var book = BookScreen(symbol: name)
    var trades = TradesScreen(symbol: name)
    book.take(connection(.kraken, .live))
    trades.take(connection(.kraken, .live))
    for isKnown in [true, false, true] {
      book.take(.value(bookKey, .book(view(name, isKnown: isKnown))))
      let tape = TapeView(
        symbol: name, trades: [], priceScale: .whole, quantityScale: .whole,
        priceDecimals: .whole, freshness: fresh(isKnown ? .live : .waiting), isKnown: isKnown)
      trades.take(.value(tapeKey, .trades(tape)))
      #expect((book.state.instrument != nil) == isKnown)
      #expect((trades.state.instrument != nil) == isKnown)
    }
    #expect(book.state.freshness.state == .live && book.state.bids.count == 1)
    #expect(trades.state.freshness.state == .live)
  }

  @Test func `a market is opened by its venue and symbol`() {
    let name = Symbol(known: "kraken:XBT/EUR")
    let pair = Symbol(known: "XBT/EUR")
    let book = BookScreen(symbol: name)
    #expect(book.state.symbol == pair && book.wanted == [MarketKey(.kraken, .book, pair)])
    let trades = TradesScreen(symbol: name)
    #expect(trades.state.symbol == pair && trades.wanted == [MarketKey(.kraken, .trades, pair)])
  }

  @Test func `OB7 instruments of a closed venue come last`() {
    let all = BookCatalogue.instruments(closed: [.bitmex])
    #expect(all.first?.symbol.text == "BTC/USD" && all.last?.symbol.text == "SOLUSD")
    #expect(all.count == BookCatalogue.instruments.count)
    #expect(BookChooserState(all).instruments.first?.venue == .kraken)
    #expect(BookChooserState(all).acceptsPair == .kraken)
  }

  @Test func `OB7 the list of venues shows that a venue is closed, and does not retry it`() throws {
    let closure = try #require(Venue.bitmex.closure)
    var screen = StatusScreen(closed: [.bitmex: closure])
    screen.take(connection(.kraken, .live))
    #expect(screen.state.venues[.bitmex]?.reason?.description.contains("23 September 2026") == true)
    #expect(screen.state.venues[.bitmex]?.phase == .stopped)
    #expect(screen.state.worst == .connected)
    let effects = screen.perform(.retry(.bitmex), at: at(5))
    #expect(effects.isEmpty)
    #expect(Venue.kraken.closure == nil)
  }
}

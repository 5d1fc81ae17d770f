// Markets outside the catalogue whose symbol has no separator: the venue's list states their
// currencies.

import MarketModel
import Testing
import VenueCatalogue

@testable import AppState

@Suite struct ListedMarketTests {
  private let spot: InstrumentKey
  private let perpetual: InstrumentKey

  init() throws {
    spot = InstrumentKey(.binance, try symbol("LTCUSDT"))
    perpetual = InstrumentKey(.bybitLinear, try symbol("LTCUSDT"))
  }

  private func view(of market: InstrumentKey, listed kind: InstrumentKind?) -> ScreenInput {
    let row = BookRow(
      price: Price(units: 84), size: Quantity(units: 1), accumulated: Quantity(units: 1))
    let listed = kind.map {
      ListedInstrument(symbol: market.symbol, base: "LTC", quote: "USDT", kind: $0, isOpen: true)
    }
    let view = BookView(
      symbol: market.symbol, status: .synced, freshness: fresh(.live), bids: [row], asks: [],
      bidLevels: 1, askLevels: 0, priceScale: .whole, quantityScale: .whole,
      priceDecimals: .whole, sequence: 1, resyncs: 0, listed: listed)
    return .value(MarketKey(market.venue, .book, market.symbol), .book(view))
  }

  @Test func `a book is named by its symbol until the venue has listed its currencies`() throws {
    for (market, kind, name) in [
      (spot, InstrumentKind.spot, "LTC / USDT"), (perpetual, .perpetual, "LTC / USDT perpetual"),
    ] {
      var screen = BookScreen(symbol: market.marketName)
      #expect(screen.wanted == [MarketKey(market.venue, .book, market.symbol)])
      screen.take(connection(market.venue, .live))
      screen.take(view(of: market, listed: nil))
      #expect(screen.state.instrument?.name == "LTCUSDT" && screen.state.instrument?.quote == "")
      screen.take(view(of: market, listed: kind))
      #expect(screen.state.instrument?.name == name)
      #expect(screen.state.instrument?.base == "LTC" && screen.state.instrument?.quote == "USDT")
      #expect(screen.state.instrument?.kind == kind)
    }
  }

  @Test func `an order needs the listed currency`() throws {
    var screen = try #require(MarketTicketScreen(spot))
    screen.take(connection(.binance, .live))
    screen.take(view(of: spot, listed: nil))
    #expect(screen.state.obstacle == "The venue has not listed this market's currency yet.")
    screen.take(view(of: spot, listed: .spot))
    #expect(screen.state.obstacle == nil && screen.state.currency == "USDT")
    var other = try #require(MarketTicketScreen(perpetual))
    other.take(connection(.bybitLinear, .live))
    other.take(view(of: perpetual, listed: .perpetual))
    #expect(other.state.obstacle?.description.contains("pays funding") == true)
  }

  @Test func `an asset is found at venues whose symbols have no separator`() throws {
    let asset = try #require(Asset(base: "LTC", quote: "USDT"))
    let markets = asset.markets()
    for venue in [Venue.okx, .bybit, .binance] {
      #expect(markets.contains { $0.venue == venue && $0.base == "LTC" && $0.quote == "USDT" })
    }
    #expect(markets.allSatisfy { $0.contract == .base })
  }

  @Test func `a listed perpetual is a row with its own kind and name`() throws {
    var screen = MarketListScreen(origin: .simulated)
    let item = ListedInstrument(
      symbol: perpetual.symbol, base: "LTC", quote: "USDT", kind: .perpetual, isOpen: false)
    screen.take(
      .value(
        .listing(of: .bybitLinear),
        .listing(VenueListing(instruments: [item], freshness: fresh(.live)))))
    let row = try #require(screen.state.rows.first { $0.instrument == perpetual })
    #expect(row.name == "Litecoin / Tether perpetual" && row.kind == .perpetual && !row.isOpen)
  }
}

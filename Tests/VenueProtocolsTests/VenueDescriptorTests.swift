// The table of venues: complete, and without rows that a user or a path could confuse.

import MarketModel
import Testing
import VenueCatalogue
import VenueProtocols

@Suite struct VenueDescriptorTests {
  @Test(arguments: Venue.allCases)
  func `a venue's row makes that venue's session`(venue: Venue) {
    for origin in [DataOrigin.venue, .simulated, .custom, .replay] {
      let session = venue.adapter.session(SessionSetup(origin: origin, seed: 3))
      #expect(session.venue == venue && session.origin == origin)
    }
  }

  @Test(arguments: Venue.allCases)
  func `a venue's instruments are its own`(venue: Venue) {
    #expect(venue.descriptor.books.allSatisfy { $0.venue == venue })
    #expect(venue.descriptor.books.isEmpty || venue.adapter.replay.isOfAllInstruments)
  }

  @Test func `names, instruments and simulated paths are unique`() {
    let rows = Venue.allCases.map(\.descriptor)
    #expect(Set(rows.map(\.displayName)).count == rows.count)
    #expect(rows.allSatisfy { !$0.displayName.isEmpty && !$0.addressHelp.isEmpty })
    let symbols = rows.flatMap(\.books).map { InstrumentKey($0.venue, $0.symbol) }
    #expect(Set(symbols).count == symbols.count)
    let paths = Venue.allCases.map { $0.simulatedPrefix + $0.descriptor.simulatedPath }
    #expect(Set(paths).count == paths.count)
    #expect(rows.allSatisfy { $0.simulatedPath.isEmpty || $0.simulatedPath.hasPrefix("/") })
    let roots = rows.flatMap(\.clientPaths)
    #expect(Set(roots).count == roots.count)
    #expect(Set(roots).isDisjoint(with: paths) && roots.allSatisfy { $0.hasPrefix("/") })
  }

  @Test(arguments: Venue.allCases)
  func `a public address has a scheme that the venue speaks; a closed venue has none`(
    venue: Venue
  ) {
    let row = venue.descriptor
    let scheme = row.publicAddress?.split(separator: ":").first.map(String.init)
    #expect(scheme.map(row.transport.schemes.contains) ?? true)
    #expect(row.closure == nil || row.publicAddress == nil)
    #expect((venue.adapter.requests != nil) == (row.transport == .requestsAndFeed))
  }

  @Test func `a budget allows the venue's limit and no more`() {
    let expected: [Venue: ConnectionBudget] = [
      .bitmex: ConnectionBudget(attempts: 40),
      .kraken: ConnectionBudget(attempts: 120, windowMilliseconds: 600_000),
      .coinbase: ConnectionBudget(attempts: 120, windowMilliseconds: 600_000),
      .binance: ConnectionBudget(attempts: 60, windowMilliseconds: 300_000),
    ]
    for venue in Venue.allCases {
      #expect(venue.descriptor.budget == expected[venue] ?? .ordinary, "\(venue)")
    }
  }

  @Test func `any pair of currencies belongs to the one venue that takes it`() {
    #expect(BookCatalogue.pairVenue == .kraken)
    #expect(Venue.allCases.count { $0.descriptor.pairSeparator == "/" } == 1)
    #expect(BookCatalogue.instrument(Symbol(known: "1INCH/EUR"))?.venue == .kraken)
    #expect(BookCatalogue.instrument(Symbol(known: "XBTUSD"))?.venue == .bitmex)
  }

  @Test func `a perpetual is a market beside the spot pair of its symbol, without paper orders`()
    throws
  {
    let symbol = Symbol(known: "BTCUSDT")
    let spot = try #require(BookCatalogue.instrument(InstrumentKey(.bybit, symbol)))
    let perpetual = try #require(BookCatalogue.instrument(InstrumentKey(.bybitLinear, symbol)))
    #expect(spot.marketName.text == "BTCUSDT" && spot.kind == .spot)
    #expect(perpetual.marketName.text == "bybit-linear:BTCUSDT" && perpetual.kind == .perpetual)
    #expect(BookCatalogue.instrument(perpetual.marketName) == perpetual)
    #expect(perpetual.name == "Bitcoin / Tether perpetual" && perpetual.contract.countsBase)
    let markets = try #require(Asset(base: "BTC", quote: "USDT")).markets()
    #expect(markets.contains(spot) && !markets.contains(perpetual))
    #expect(spot.obstacle == nil)
    #expect(
      perpetual.obstacle
        == "Paper orders are for spot markets only; BTCUSDT pays funding, which is not simulated.")
  }

  @Test func `a market's name leads back to it, whichever venue has the symbol`() throws {
    let listed = BookCatalogue.instruments.map { InstrumentKey($0.venue, $0.symbol) }
    let symbols = try ["BTC/USD", "AAPLx/USD", "BTC-USD", "BTCUSDT", "XBTUSD", "TROAD", "NOPE-X"]
      .map { try #require(Symbol($0)) }
    let others = Venue.allCases.flatMap { venue in symbols.map { InstrumentKey(venue, $0) } }
    for key in listed + others {
      let found = BookCatalogue.instrument(key)
      #expect((found != nil) == BookCatalogue.mayHold(key))
      #expect(found == nil || found?.venue == key.venue && found?.symbol == key.symbol)
      #expect(found == nil || BookCatalogue.instrument(key.marketName) == found, "\(key)")
      let name = try #require(Symbol("\(key.venue):\(key.symbol)"))
      #expect(BookCatalogue.instrument(name) == found, "\(key)")
    }
    #expect(InstrumentKey(.kraken, Symbol(known: "BTC/USD")).marketName.text == "BTC/USD")
  }

  @Test(arguments: ["echo:AAPL", "nasdaq:BTC/USD", "kraken:", ":BTC/USD", "kraken:kraken:BTC/USD"])
  func `a name of no venue with books is no instrument`(name: String) throws {
    #expect(BookCatalogue.instrument(try #require(Symbol(name))) == nil)
  }

  @Test func `a closed venue has no instruments besides its listed ones`() throws {
    for (name, isFound) in [("bitmex:XBTUSD", true), ("bitmex:NOPE", false)] {
      let found = BookCatalogue.instrument(try #require(Symbol(name)), closed: [.bitmex])
      #expect((found != nil) == isFound)
    }
  }

  @Test(arguments: ["XBTM26-XBTU26", "XBT_USDT", ".BXBT", "NOPE", "ETHUSD_ETHU26"])
  func `any other name belongs to the one venue that takes it, unless it is closed`(name: String)
    throws
  {
    let symbol = try #require(Symbol(name))
    #expect(BookCatalogue.nameVenue == .bitmex)
    #expect(Venue.allCases.count { $0.descriptor.acceptsNames } == 1)
    let instrument = try #require(BookCatalogue.instrument(symbol))
    #expect(instrument.venue == .bitmex && instrument.name == name && instrument.quote.isEmpty)
    #expect(BookCatalogue.mayHold(InstrumentKey(.bitmex, symbol)))
    #expect(!BookCatalogue.mayHold(InstrumentKey(.kraken, symbol)))
    #expect(BookCatalogue.instrument(symbol, closed: [.bitmex]) == nil)
    #expect(BookCatalogue.instrument(Symbol(known: "XBTUSD"), closed: [.bitmex]) != nil)
  }

  @Test(arguments: [
    "AAPL", "TROAD", "US0378331005", "sb26493", "A,B", "A/B/C", "/", "A/", "A:B", "A?b=c", "A*",
  ])
  func `what another venue offers, and what is no name, has no book`(name: String) throws {
    let symbol = try #require(Symbol(name))
    #expect(BookCatalogue.instrument(symbol) == nil)
  }

  @Test(arguments: ["ADA/EUR", "AAPLx/USD", "1INCH/USD", "ETH2.S/USD", "A-B/USD", "A_B/USD", "a/b"])
  func `whatever pair a venue lists may be opened`(name: String) throws {
    #expect(BookCatalogue.instrument(try #require(Symbol(name)))?.venue == .kraken)
  }

  @Test func `BUX is asked below its address, with the token among the headers`() throws {
    let requests = try #require(Venue.bux.adapter.requests)
    #expect(requests.feedPath == "/subscriptions/me")
    #expect(requests.productPath(Symbol(known: "sb26493")) == "/core/23/products/sb26493")
    let headers = requests.headers(AccessToken("secret"))
    #expect(headers.contains { $0 == ("Authorization", "Bearer secret") })
    #expect(!requests.headers(nil).contains { $0.name == "Authorization" })
    let refused = requests.readProduct(401, [UInt8]().span, Symbol(known: "sb26493"))
    #expect(throws: ProductFailure.self) { try refused.get() }
  }

  @Test func `a name is refused unasked only where all names are known`() {
    let nope = Symbol(known: "NOPE")
    let exchange = Venue.exchange.descriptor
    #expect(exchange.refusal(of: nope) == "Two Roads Exchange has no NOPE, but TROAD alone")
    #expect(exchange.refusal(of: ExchangeCatalogue.symbol) == nil)
    let echo = Venue.echo.descriptor.refusal(of: nope)
    #expect(echo?.hasPrefix("Price Tracker Echo has no NOPE, only AAPL, ") == true)
    for venue in [Venue.bitmex, .kraken, .isin, .bux] {
      #expect(venue.descriptor.refusal(of: nope) == nil, "\(venue) is asked")
    }
  }

  @Test func `catalogues in the source are complete`() {
    #expect(StockCatalogue.stocks.count == 25)
    #expect(IsinCatalogue.shares.count == 28)
    #expect(IsinCatalogue.shares.allSatisfy { Isin.isValid($0.isin.text) })
    #expect(ProductCatalogue.choices.count == 6)
    #expect(ExchangeCatalogue.symbol.text == "TROAD")
  }
}

extension VenueReplay {
  fileprivate var isOfAllInstruments: Bool {
    if case .allInstruments = self { true } else { false }
  }
}

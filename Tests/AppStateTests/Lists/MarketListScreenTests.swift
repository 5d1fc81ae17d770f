// LT13: the list of all markets, in natural order, with the venues' data.

import MarketModel
import MarketStreams
import Testing
import VenueCatalogue

@testable import AppState

struct MarketListScreenTests {
  private let key = MarketKey.listing(of: .kraken)

  private func listing(
    _ pairs: [String], closed: Set<String> = [], _ state: FreshnessState = .live
  ) throws -> ScreenInput {
    let instruments = try pairs.sorted().map { pair in
      let sides = pair.split(separator: "/").map(String.init)
      return ListedInstrument(
        symbol: try symbol(pair), base: sides[0], quote: sides[1],
        kind: sides[0].hasSuffix("x") ? .token : .spot, isOpen: !closed.contains(pair))
    }
    return .value(key, .listing(VenueListing(instruments: instruments, freshness: fresh(state))))
  }

  private func rows(_ screen: MarketListScreen, at venue: Venue) -> [MarketRow] {
    screen.state.rows.filter { $0.instrument.venue == venue }
  }

  @Test func `before any venue has spoken there are the catalogue's own instruments`() {
    let screen = MarketListScreen(origin: .simulated)
    let others: [Venue: Int] = [
      .isin: IsinCatalogue.shares.count, .bux: 6, .echo: 25, .exchange: 1,
    ]
    for venue in Venue.allCases {
      let expected = others[venue] ?? venue.descriptor.books.count
      #expect(rows(screen, at: venue).count == expected && expected > 0, "\(venue)")
    }
    let listing: [Venue] = [.kraken, .coinbase, .okx, .bybit, .bybitLinear, .binance]
    #expect(screen.wanted == Set(listing.map { .listing(of: $0) }))
    #expect(screen.state.freshness.state == .waiting)
    #expect(Set(screen.state.rows.map(\.id)).count == screen.state.rows.count)
    #expect(rows(screen, at: .echo).allSatisfy { $0.kind == .made })
    #expect(rows(screen, at: .bitmex).allSatisfy { $0.kind == .contract })
    #expect(rows(screen, at: .exchange).map(\.kind) == [.stock])
    #expect(rows(screen, at: .isin).allSatisfy { $0.kind == .share && $0.quote == "EUR" })
    #expect(rows(screen, at: .bux).allSatisfy { $0.kind == .product })
  }

  @Test func `rows go by venue, and those of closed venues come last`() {
    let order = MarketListScreen(closed: [.bitmex]).state.rows.map(\.instrument.venue)
    var venues: [Venue] = []
    for venue in order where venues.last != venue { venues.append(venue) }
    #expect(venues == Venue.allCases.filter { $0 != .bitmex } + [.bitmex])
    #expect(
      MarketListScreen(closed: [.bitmex]).state.rows.filter { !$0.isOpen }
        .allSatisfy { $0.instrument.venue == .bitmex })
  }

  @Test func `all pairs of the venue come behind the catalogue's own, by symbol`() throws {
    var screen = MarketListScreen(origin: .simulated)
    screen.take(connection(.kraken, .live))
    screen.take(
      try listing(["ZRX/USD", "BTC/USD", "AAPLx/USD", "ADA/EUR", "ETH/USD"], closed: ["ETH/USD"]))
    let rows = rows(screen, at: .kraken)
    #expect(
      rows.map(\.instrument.symbol.text) == [
        "BTC/USD", "ETH/USD", "SOL/USD", "XRP/USD", "DOGE/USD", "SHIB/USD", "ETH/BTC",
        "AAPLx/USD", "ADA/EUR", "ZRX/USD",
      ])
    #expect(rows[0].isOpen, "the venue says so")
    #expect(!rows[1].isOpen, "the venue says not")
    #expect(!rows[2].isOpen, "the venue does not list it")
    #expect(rows[7].name == "Apple, tokenised share / US dollar" && rows[7].kind == .token)
    #expect(rows[8].name == "Cardano / Euro" && rows[8].kind == .spot)
    #expect(screen.state.freshness.state == .waiting, "for the other venues' lists")
    let other = VenueListing(instruments: [], freshness: fresh(.live))
    for venue in screen.wanted.map(\.venue) where venue != .kraken {
      screen.take(connection(venue, .live))
      screen.take(.value(.listing(of: venue), .listing(other)))
    }
    #expect(screen.state.freshness.state == .live)
  }

  @Test func `a pair whose book can't be opened is not offered`() throws {
    var screen = MarketListScreen()
    screen.take(try listing(["BTC/USD", "odd/pair", "A/B/C"]))
    #expect(rows(screen, at: .kraken).count == 8, "the odd one is, since the venue lists it")
  }

  @Test func `the list is worth what its connection is worth`() throws {
    var screen = MarketListScreen(origin: .simulated)
    screen.take(connection(.kraken, .live))
    screen.take(try listing(["BTC/USD"]))
    screen.take(connection(.kraken, .backingOff, since: 10), 10)
    #expect(screen.state.freshness.state == .disconnected)
    #expect(screen.state.rows.count > 60, "what was listed stays in sight")
  }

  @Test func `values of other streams and venues change nothing`() throws {
    var screen = MarketListScreen(origin: .simulated)
    let before = screen.state
    screen.take(try quote(.isin, "US0378331005", "1.0"))
    screen.take(connection(.bitmex, .live))
    let foreign = VenueListing(instruments: [], freshness: fresh(.live))
    screen.take(.value(.listing(of: .bitmex), .listing(foreign)))
    #expect(screen.state == before)
  }

  @Test func `1,400 pairs are found by name, code and venue`() throws {
    var screen = MarketListScreen()
    screen.take(try listing((0..<1400).map { "C\($0)/USD" } + ["ADA/USD", "ADA/EUR"]))
    #expect(
      screen.state.rows(matching: "cardano").map(\.id) == ["kraken/ADA/EUR", "kraken/ADA/USD"])
    #expect(screen.state.rows(matching: "cardano eur").map(\.id) == ["kraken/ADA/EUR"])
    #expect(screen.state.rows(matching: "apple").count == 3, "share, product, tracker")
    #expect(screen.state.rows(matching: "").count == screen.state.rows.count)
    #expect(screen.state.rows(matching: "nothing like it").isEmpty)
  }

  @Test func `a ranking keeps its figures, and markets without a change of 24 hours come last`()
    throws
  {
    var screen = MarketListScreen(origin: .simulated)
    let names = ["BTC/USD", "ETH/USD", "SOL/USD", "XRP/USD"]
    let keys = try names.map { InstrumentKey(.kraken, try symbol($0)) }
    func survey(_ changes: [String?], since: Int? = nil) throws -> SurveyState {
      var survey = SurveyState()
      for (index, change) in changes.enumerated() {
        var figures = DayFigures(symbol: keys[index].symbol, freshness: fresh(.live))
        figures.changePercent = try change.map(decimal)
        figures.at = Timestamp(milliseconds: 1000)
        if index == since { figures.window = .since(Timestamp(milliseconds: 500)) }
        survey.take(figures, of: keys[index])
      }
      return survey
    }
    func order() -> [String] {
      screen.state.rows.filter { keys.contains($0.instrument) }.map(\.instrument.symbol.text)
    }
    func send(_ order: MarketOrder) {
      #expect(
        screen.perform(.order(order), at: ClockReading(milliseconds: 5000)) == [.wantedChanged])
    }
    let listed = order()
    #expect(!screen.wantsSurvey && screen.state.rankedAt == nil)
    send(.gainers)
    #expect(screen.wantsSurvey && screen.state.rankedAt == nil)
    screen.take(.survey(try survey(["-1.5", "2.25", nil, "9"], since: 3)))
    #expect(screen.state.rankedAt != nil)
    #expect(order().prefix(2) == ["ETH/USD", "BTC/USD"])
    #expect(Set(order().suffix(2)) == ["SOL/USD", "XRP/USD"])
    screen.take(.survey(try survey(["8", "2.25", "4", "9"], since: 3)))
    #expect(order() == ["SOL/USD", "ETH/USD", "BTC/USD", "XRP/USD"], "only what is new is placed")
    send(.losers)
    #expect(order() == ["ETH/USD", "SOL/USD", "BTC/USD", "XRP/USD"])
    send(.name)
    #expect(!screen.wantsSurvey && screen.state.rankedAt == nil)
    #expect(screen.state.rows.map(\.name) == screen.state.rows.map(\.name).sorted())
    send(.listed)
    #expect(order() == listed)
  }

  @Test func `favourites are shown alone, in the order of the list`() throws {
    var screen = MarketListScreen(origin: .simulated)
    let all = screen.state.rows
    let chosen = Set(all.shuffled().prefix(5).map(\.instrument))
    #expect(screen.perform(.show(chosen), at: ClockReading(milliseconds: 0)).isEmpty)
    #expect(screen.state.rows == all.filter { chosen.contains($0.instrument) })
    _ = screen.perform(.show([]), at: ClockReading(milliseconds: 0))
    #expect(screen.state.rows.isEmpty)
    _ = screen.perform(.show(nil), at: ClockReading(milliseconds: 0))
    #expect(screen.state.rows == all)
  }
}

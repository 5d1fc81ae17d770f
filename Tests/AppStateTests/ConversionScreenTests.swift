// LT12: all positions in one currency, converted by live markets.

import MarketModel
import PaperTrading
import Testing
import VenueCatalogue

@testable import AppState

@Suite struct ConversionScreenTests {
  private let currencies = ["BTC", "EUR", "ETH", "JPY", "SOL", "USD", "USDT"]

  private func screen(_ currency: String = "USD") throws -> ConversionScreen {
    var screen = try #require(ConversionScreen(currency: currency, origin: .simulated))
    for venue in Venue.allCases where venue != .kraken {
      screen.take(connection(venue, .stopped))
    }
    screen.take(connection(.kraken, .live))
    return screen
  }

  /// Equity, and realised and unrealised P&L of half of it each, without fees.
  private func sum(_ text: String, fees: String = "0") throws -> CurrencySum {
    var sum = CurrencySum()
    for figure in CurrencySum.figures {
      let value = try decimal(figure == \.fees ? fees : text)
      sum[keyPath: figure].add(WideInteger(value.units), digits: Int(value.scale.digits))
    }
    return sum
  }

  private func listing(_ pairs: [String], at venue: Venue = .kraken) throws -> ScreenInput {
    let separator = venue.descriptor.pairSeparator ?? ""
    let instruments = try pairs.sorted().map { pair in
      let sides = pair.split(separator: "/").map(String.init)
      return ListedInstrument(
        symbol: try symbol(sides.joined(separator: separator)), base: sides[0], quote: sides[1],
        kind: .spot, isOpen: true)
    }
    return .value(
      .listing(of: venue), .listing(VenueListing(instruments: instruments, freshness: fresh(.live)))
    )
  }

  private func book(
    _ name: String, _ bid: Int64?, _ ask: Int64?, digits: UInt8 = 2, isKnown: Bool = true,
    _ freshness: Freshness = fresh(.live)
  ) throws -> ScreenInput {
    let view = BookView(
      symbol: try symbol(name), status: .synced, freshness: freshness, bids: [], asks: [],
      bidLevels: 0, askLevels: 0, priceScale: Scale(clamping: digits), quantityScale: .whole,
      priceDecimals: .whole, sequence: 1, resyncs: 0, isKnown: isKnown,
      top: BookTop(bid: bid.map { Price(units: $0) }, ask: ask.map { Price(units: $0) }))
    return .value(MarketKey(.kraken, .book, view.symbol), .book(view))
  }

  private func standings(_ screen: ConversionScreen) -> [String: ConversionPart.Standing] {
    Dictionary(uniqueKeysWithValues: screen.state.parts.map { ($0.currency, $0.standing) })
  }

  @Test func `in the positions' only currency the total is exact and needs no market`() throws {
    var screen = try screen()
    #expect(screen.perform(.show(["USD": try sum("-4.5000000001", fees: "0.1")]), at: at(0)) == [])
    #expect(screen.wanted.isEmpty)
    let total = try #require(screen.state.total)
    #expect(total.equity == "-4.5000000001" && total.fees == "0.1")
    #expect(total.average.realised == "-4.5000000001" && total.lowEquity == nil)
    #expect(screen.state.parts.map(\.legs.isEmpty) == [true])
  }

  @Test func `amounts are multiplied by a price, or divided by it, in the middle of the spread`()
    throws
  {
    for (currency, pair, expected) in [
      ("USD", "EUR/USD", "108.325"), ("USD", "USD/EUR", "92.31479345"),
    ] {
      var screen = try screen(currency)
      #expect(screen.perform(.show(["EUR": try sum("100")]), at: at(0)) == [.wantedChanged])
      #expect(standings(screen) == ["EUR": .searching] && screen.state.total == nil)
      #expect(screen.take(try listing([pair, "EUR/JPY"])) == [.wantedChanged])
      #expect(standings(screen) == ["EUR": .noPrice])
      #expect(screen.wanted.contains(MarketKey(.kraken, .book, try symbol(pair))))
      screen.take(try book(pair, 10832, 10833, digits: 4))
      #expect(standings(screen) == ["EUR": .converted])
      #expect(screen.state.total?.equity == expected && screen.state.total?.fees == "0")
      let leg = try #require(screen.state.parts.first?.legs.first)
      #expect(leg.price == (try decimal("1.08325")) && leg.step.from == "EUR")
      #expect(leg.freshness.state == .live)
    }
  }

  @Test func `two markets convert where none does directly, and are rounded once`() throws {
    var screen = try screen("EUR")
    _ = screen.perform(.show(["SOL": try sum("1"), "EUR": try sum("0.5")]), at: at(0))
    screen.take(try listing(["SOL/BTC", "SOL/USD", "EUR/USD", "BTC/EUR"]))
    let legs = try #require(screen.state.parts.last?.legs)
    #expect(legs.map(\.step.to) == ["USD", "EUR"] && legs.map(\.step.isInverse) == [false, true])
    screen.take(try book("SOL/USD", 100, 100))
    #expect(standings(screen) == ["EUR": .converted, "SOL": .noPrice])
    #expect(screen.state.total?.equity == "0.5")
    screen.take(try book("EUR/USD", 300, 300))
    // 1 × 1 ÷ 3, and 0.5.
    #expect(screen.state.parts.last?.equity == "0.33333333")
    #expect(screen.state.total?.equity == "0.83333333")
    // A direct market that is listed later takes over.
    let effects = screen.take(try listing(["SOL/EUR", "SOL/USD", "EUR/USD"]))
    #expect(effects == [.wantedChanged] && standings(screen)["SOL"] == .noPrice)
    #expect(screen.state.parts.last?.legs.count == 1)
  }

  @Test func `a currency without a route is not in the total, and is searched for at first`()
    throws
  {
    var screen = try #require(ConversionScreen(currency: "USD", origin: .simulated))
    _ = screen.perform(.show(["XYZ": try sum("7"), "USD": try sum("2")]), at: at(0))
    screen.take(try listing(["BTC/USD", "XYZ/ABC", "ABC/DEF", "DEF/USD"]))
    #expect(standings(screen) == ["USD": .converted, "XYZ": .searching])
    for venue in Venue.allCases where venue != .kraken {
      screen.take(connection(venue, .backingOff))
    }
    #expect(standings(screen) == ["USD": .converted, "XYZ": .noRoute])
    #expect(screen.state.total?.equity == "2")
    screen.take(try listing(["XYZ-USD"].map { $0.replacing("-", with: "/") }, at: .coinbase))
    #expect(standings(screen)["XYZ"] == .noPrice)
  }

  @Test func `a late or lost price still converts and is marked as its book is`() throws {
    var screen = try screen()
    _ = screen.perform(.show(["EUR": try sum("100")]), at: at(0))
    screen.take(try listing(["EUR/USD"]))
    for state in [FreshnessState.late, .stale, .resyncing, .live] {
      screen.take(try book("EUR/USD", 108, 108, fresh(state, 5)))
      #expect(screen.state.parts[0].legs[0].freshness == fresh(state, 5))
      #expect(screen.state.total?.equity == "108")
    }
    screen.take(connection(.kraken, .backingOff, since: 9))
    #expect(screen.state.parts[0].legs[0].freshness.state == .disconnected)
    #expect(screen.state.total?.equity == "108")
  }

  @Test func `a market that opens while its venue is lost is disconnected, not waiting for ever`()
    throws
  {
    var screen = try screen()
    screen.take(try listing(["EUR/USD"]))
    screen.take(connection(.kraken, .backingOff))
    _ = screen.perform(.show(["EUR": try sum("100")]), at: at(0))
    screen.take(try book("EUR/USD", 108, 108))
    #expect(screen.state.parts[0].legs[0].freshness.state == .disconnected)
  }

  @Test func `a position without an exit price leaves its currency out of all figures`() throws {
    var screen = try screen()
    var unknown = try sum("3")
    unknown.isValued = false
    _ = screen.perform(.show(["EUR": unknown, "USD": try sum("2")]), at: at(0))
    screen.take(try listing(["EUR/USD"]))
    screen.take(try book("EUR/USD", 108, 108))
    #expect(standings(screen) == ["EUR": .noValue, "USD": .converted])
    #expect(screen.state.total?.average.realised == "2")
  }

  @Test func `the possible range is converted like the equity, and is known only if all are`()
    throws
  {
    var screen = try screen()
    var euros = try sum("10")
    euros.isCertain = false
    euros.low.add(WideInteger(-20), digits: 0)
    _ = screen.perform(.show(["EUR": euros, "USD": try sum("1")]), at: at(0))
    screen.take(try listing(["EUR/USD"]))
    screen.take(try book("EUR/USD", 150, 150))
    let total = try #require(screen.state.total)
    #expect((total.lowEquity, total.equity, total.highEquity) == ("-14", "16", "16"))
    euros.isBounded = false
    _ = screen.perform(.show(["EUR": euros, "USD": try sum("1")]), at: at(0))
    #expect(screen.state.total?.lowEquity == nil && screen.state.total?.equity == "16")
  }

  @Test func `hostile prices and amounts neither trap nor wrap`() throws {
    var screen = try screen()
    var huge = try sum("1")
    huge.equity.add(WideInteger(.max, times: .max), digits: 0)
    _ = screen.perform(.show(["EUR": huge, "USD": huge]), at: at(0))
    screen.take(
      try listing(
        ["EUR/USD", "USD/EUR", "EUR/EUR", "/USD".replacing("/", with: "//")]
          .filter { $0.split(separator: "/").count == 2 }))
    for (bid, ask): (Int64?, Int64?) in [
      (nil, 1), (1, nil), (0, 1), (-5, 5), (.max, .max), (.min, .min), (.max / 4, .max / 4),
    ] {
      screen.take(try book("EUR/USD", bid, ask))
      #expect(standings(screen)["EUR"] == .noPrice)
    }
    screen.take(try book("EUR/USD", 1, 1, isKnown: false))
    #expect(standings(screen)["EUR"] == .noPrice)
    screen.take(try book("EUR/USD", 1, 1, digits: 18))
    #expect(standings(screen)["EUR"] == .noPrice)
    screen.take(try book("EUR/USD", 900_000_000_000_000, 900_000_000_000_000, digits: 0))
    #expect(standings(screen) == ["EUR": .tooLarge, "USD": .converted])
    // Two sums that fit, and whose total does not.
    screen.take(try book("EUR/USD", 1, 1, digits: 0))
    _ = screen.perform(.show(["EUR": try sum("1"), "USD": huge]), at: at(0))
    #expect(standings(screen) == ["EUR": .converted, "USD": .converted])
    #expect(screen.state.total?.equity == nil && screen.state.total?.fees == "0")
  }

  @Test(arguments: ["", "A B", "€", "ABCDEFGHIJKLMNOPQ", "A/B"])
  func `a code that no currency has opens nothing`(code: String) {
    #expect(ConversionScreen(currency: code) == nil)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `in random lists a route exists exactly if one or two markets join the currencies`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    func pick() -> String { currencies[Int(random.next() % UInt64(currencies.count))] }
    let pairs = Set((0..<(random.next() % 9)).map { _ in [pick(), pick()] })
      .filter { $0[0] != $0[1] }
    let inputs = try [Venue.kraken, .coinbase].map { venue in
      try listing(
        pairs.filter { _ in random.next() % 3 > 0 }.map { $0.joined(separator: "/") }, at: venue)
    }
    let lists: [(Venue, VenueListing)] = inputs.compactMap {
      guard case .value(let key, .listing(let list)) = $0 else { return nil }
      return (key.venue, list)
    }
    let edges = lists.flatMap { venue, list in
      list.instruments.map { (InstrumentKey(venue, $0.symbol), $0.base, $0.quote) }
    }
    func joins(_ from: String, _ to: String) -> Bool {
      edges.contains { ($0.1, $0.2) == (from, to) || ($0.2, $0.1) == (from, to) }
    }
    for from in currencies {
      for to in currencies where to != from {
        let length =
          joins(from, to) ? 1 : currencies.contains { joins(from, $0) && joins($0, to) } ? 2 : nil
        let steps = ConversionRoute.steps(from: from, to: to, in: lists)
        #expect(steps?.count == length, "seed \(seed): \(from) \(to)")
        #expect(steps?.first?.from ?? from == from && steps?.last?.to ?? to == to)
        for step in steps ?? [] {
          let sides = step.isInverse ? (step.to, step.from) : (step.from, step.to)
          #expect(edges.contains { $0.0 == step.market && ($0.1, $0.2) == sides }, "seed \(seed)")
        }
        if let steps, steps.count == 2 { #expect(steps[0].to == steps[1].from) }
      }
    }
  }
}

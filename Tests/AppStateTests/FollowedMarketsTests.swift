// Which markets the order service follows, and what a command waits for.

import MarketModel
import MarketStreams
import PaperTrading
import Testing
import VenueCatalogue

@testable import AppState

@Suite struct FollowedMarketsTests {
  private let spot = BookCatalogue.instruments.filter { $0.contract == .base }
  private var followed: FollowedMarkets

  init() throws {
    let rules = TradingRules(oneStock: try #require(Symbol("TROAD")))
    followed = FollowedMarkets(rules: rules)
  }

  private func at(_ seconds: Int64) -> MonotonicTime {
    ClockReading(milliseconds: seconds * 1000).monotonic
  }

  private func name(_ index: Int) throws -> Symbol {
    try #require(Symbol(InstrumentKey(spot[index].venue, spot[index].symbol).text))
  }

  private func words(_ effects: [FollowedMarkets.Effect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .observe(let symbol, _): "observe \(symbol)"
      case .release(let symbol): "release \(symbol)"
      case .deliver(let input, let symbol): "deliver \(input) of \(symbol)"
      case .answer(let command, let obstacle):
        "answer \(command): \(obstacle.map { "\($0.text) final \($0.isFinal)" } ?? "go")"
      case .schedule(let command, _): "schedule \(command)"
      }
    }
  }

  private func book(of index: Int, isKnown: Bool = true) -> StreamInput {
    let instrument = spot[index]
    let item = ListedInstrument(
      symbol: instrument.symbol, base: "A", quote: "B", kind: .spot, isOpen: true)
    let view = BookView(
      symbol: instrument.symbol, status: .synced,
      freshness: Freshness(
        state: .live, origin: .simulated, confirmedAt: ClockReading(milliseconds: 1)), bids: [],
      asks: [], bidLevels: 0, askLevels: 0, priceScale: .whole, quantityScale: .whole,
      priceDecimals: .whole, sequence: 1, resyncs: 0, isKnown: isKnown, listed: item)
    return .value(instrument.bookKey, .book(view))
  }

  @Test(arguments: 0..<6)
  mutating func `a command waits for the first book of any venue's spot market`(
    seed: Int
  ) throws {
    let index = Int.random(in: spot.indices)
    print("spot market \(index): \(spot[index].venue) \(spot[index].symbol)")
    let market = try name(index)
    #expect(
      words(followed.request(1, in: market, at: at(0))) == ["observe \(market)", "schedule 1"])
    #expect(words(followed.request(2, in: market, at: at(1))) == ["schedule 2"])
    let opened = words(
      followed.receive(book(of: index), of: market, at: ClockReading(milliseconds: 1)))
    #expect(opened.count == 3 && opened.suffix(2) == ["answer 1: go", "answer 2: go"])
    #expect(words(followed.request(3, in: market, at: at(2))) == ["answer 3: go"])
    #expect(followed.expire(1, of: market).isEmpty)
  }

  @Test mutating func `a command whose book does not come is answered once`() throws {
    let market = try name(0)
    _ = followed.request(1, in: market, at: at(0))
    _ = followed.request(2, in: market, at: at(1))
    #expect(
      words(followed.expire(1, of: market))
        == ["answer 1: No prices of \(market) have arrived yet. final false"])
    #expect(followed.expire(1, of: market).isEmpty)
    #expect(
      words(
        followed.receive(book(of: 0, isKnown: false), of: market, at: ClockReading(milliseconds: 1))
      ) == ["answer 2: The venue has no market \(market). final true"])
    #expect(
      words(followed.request(3, in: market, at: at(2)))
        == ["answer 3: The venue has no market \(market). final true"])
  }

  @Test mutating func `what can't be traded is refused for good`() throws {
    let contract = try #require(BookCatalogue.instruments.first { $0.contract != .base })
    let names = [
      "TROAD", "nowhere:BTC", InstrumentKey(contract.venue, contract.symbol).text,
    ]
    for name in names {
      let effects = followed.request(1, in: try #require(Symbol(name)), at: at(0))
      #expect(words(effects).allSatisfy { $0.hasPrefix("answer 1") && $0.hasSuffix("true") })
      #expect(effects.count == 1, "\(name)")
    }
    var exchangeOnly = FollowedMarkets(
      venues: [.exchange], rules: TradingRules(oneStock: try #require(Symbol("TROAD"))))
    let market = try name(0)
    #expect(
      words(exchangeOnly.request(1, in: market, at: at(0)))
        == ["answer 1: There is no market \(market). final true"])
  }

  @Test mutating func `open orders and positions keep a market, and unused ones end`() throws {
    let (opened, held, unused) = (try name(0), try name(1), try name(2))
    #expect(
      words(followed.keep(open: [opened], at: at(0)))
        == ["observe \(opened)", "deliver missedTrades of \(opened)"])
    #expect(words(followed.hold(held, isFlat: false, at: at(0))) == ["observe \(held)"])
    #expect(followed.hold(held, isFlat: false, at: at(0)).isEmpty)
    _ = followed.request(1, in: unused, at: at(0))
    #expect(followed.endUnused(at: at(900)).isEmpty, "a command waits for it")
    _ = followed.expire(1, of: unused)
    #expect(followed.endUnused(at: at(299)).isEmpty)
    #expect(
      words(followed.endUnused(at: at(300)))
        == ["release \(unused)", "deliver ended of \(unused)"])
    _ = followed.keep(open: [], at: at(301))
    _ = followed.hold(held, isFlat: true, at: at(301))
    #expect(followed.endUnused(for: 0, at: at(301)).count == 4)
  }

  @Test mutating func `too many unused markets replace the least recently used one`() throws {
    let limit = FollowedMarkets.maximumUnused
    for index in 0..<limit {
      let market = try name(index)
      _ = followed.request(index, in: market, at: at(Int64(index)))
      _ = followed.expire(index, of: market)
    }
    _ = followed.request(limit, in: try name(0), at: at(Int64(limit)))
    _ = followed.expire(limit, of: try name(0))
    let next = words(followed.request(limit + 1, in: try name(limit), at: at(100)))
    #expect(next.first == "release \(try name(1))")
  }

  @Test mutating func `at the end every waiting command is answered`() throws {
    let market = try name(0)
    _ = followed.request(1, in: market, at: at(0))
    #expect(
      words(followed.end("Over."))
        == ["answer 1: Over. final false", "release \(market)", "deliver ended of \(market)"])
    #expect(followed.end("Over.").isEmpty)
  }
}

// One asset at several venues: best prices, exclusions, and the common book.

import MarketModel
import Testing

@testable import AppState
@testable import VenueCatalogue

@Suite struct AssetScreenTests {
  private let first = BookInstrument(.kraken, "BTC/USD", "", "BTC", "USD", .base)
  private let second = BookInstrument(.bitmex, "BTC_USD", "", "BTC", "USD", .base)

  private func screen(step: String? = nil) throws -> AssetScreen {
    var screen = AssetScreen(
      try #require(Asset(base: "BTC", quote: "USD")), [first, second],
      step: step.flatMap { FixedDecimal($0) }, origin: .simulated)
    for venue in [Venue.kraken, .bitmex] { screen.take(connection(venue, .live)) }
    return screen
  }

  /// Rows of "price:size", best first, at scales with `digits` and 8 decimals.
  private func view(
    _ market: BookInstrument, bids: String, asks: String, digits: Int = 1,
    state: FreshnessState = .live, ticks: Int64 = 1, isKnown: Bool = true, confirmed: Int64 = 0
  ) throws -> ScreenInput {
    let scale = Scale(clamping: UInt8(digits))
    func rows(_ text: String) throws -> [BookRow] {
      var sum: Int64 = 0
      return try text.split(separator: " ").map { row in
        let parts = row.split(separator: ":")
        let price = try #require(FixedDecimal(String(parts[0]))?.exactly(at: scale))
        let size = try #require(FixedDecimal(String(parts[1]))?.exactly(at: Scale(clamping: 8)))
        sum += size.units
        return BookRow(
          price: Price(units: price.units), size: Quantity(units: size.units),
          accumulated: Quantity(units: sum))
      }
    }
    let grouping = try #require(PriceGrouping(ticks: ticks))
    let view = BookView(
      symbol: market.symbol, status: .synced, freshness: fresh(state, confirmed),
      bids: try rows(bids), asks: try rows(asks), bidLevels: 1, askLevels: 1, priceScale: scale,
      quantityScale: Scale(clamping: 8), priceDecimals: scale, sequence: 1, resyncs: 0,
      isKnown: isKnown, grouping: grouping)
    let subscription = Subscription(.book, market.symbol, grouping: grouping)
    return .value(MarketKey(market.venue, subscription), .book(view))
  }

  @Test func `the best prices are those of all live books, at any scale`() throws {
    var screen = try screen()
    screen.take(try view(first, bids: "64000.1:1", asks: "64000.9:2"))
    #expect(screen.state.best?.markets == 1)
    screen.take(try view(second, bids: "64000.25:3", asks: "64001.5:4", digits: 2))
    let best = try #require(screen.state.best)
    #expect(best.bid.description == "64000.25" && best.ask.description == "64000.9")
    #expect(best.markets == 2 && best.basisPoints?.description == "0.10")
    #expect(screen.state.markets.map(\.isCounted) == [true, true])
    #expect(screen.state.markets[1].spreadBasisPoints?.description == "0.20")
  }

  @Test func `the spread is as old as the older of its two prices`() throws {
    var screen = try screen()
    screen.take(try view(first, bids: "64000:1", asks: "64002:1", confirmed: 5))
    screen.take(try view(second, bids: "64001:1", asks: "64002:1", digits: 2, confirmed: 3))
    #expect(screen.state.best?.confirmedAt == at(3), "only the second has the bid")
    screen.take(try view(second, bids: "64000:1", asks: "64003:1", digits: 2, confirmed: 3))
    #expect(screen.state.best?.confirmedAt == at(5), "the first has both")
  }

  @Test func `prices that cross have a negative spread`() throws {
    var screen = try screen()
    screen.take(try view(first, bids: "64010:1", asks: "64011:1"))
    screen.take(try view(second, bids: "64000:1", asks: "64001:1"))
    #expect(screen.state.best?.basisPoints?.description == "-1.41")
  }

  @Test(arguments: [
    FreshnessState.late, .stale, .resyncing, .disconnected, .waiting, .queued, .closed,
  ])
  func `a book that is not live is shown and not counted`(state: FreshnessState) throws {
    var screen = try screen()
    screen.take(try view(first, bids: "64000:1", asks: "64001:1"))
    screen.take(try view(second, bids: "64000.5:1", asks: "64000.6:1", state: state))
    #expect(screen.state.markets[1].bid?.price.description == "64000.5")
    #expect(screen.state.markets.map(\.isCounted) == [true, false])
    #expect(screen.state.best?.bid.description == "64000.0" && screen.state.best?.markets == 1)
    #expect(screen.state.bids.allSatisfy { $0.parts.map(\.market) == [0] })
  }

  @Test func `a lost connection, an unknown market and an empty side are not counted`() throws {
    var screen = try screen()
    screen.take(try view(first, bids: "64000:1", asks: "64001:1"))
    screen.take(try view(second, bids: "64000.5:1", asks: "64000.6:1"))
    screen.take(connection(.bitmex, .backingOff))
    #expect(screen.state.best?.markets == 1)
    screen.take(connection(.bitmex, .live))
    screen.take(try view(second, bids: "", asks: "64000.6:1"))
    #expect(screen.state.best?.markets == 1 && screen.state.best?.ask.description == "64001.0")
    screen.take(try view(second, bids: "64000.5:1", asks: "64000.6:1", isKnown: false))
    #expect(!screen.state.markets[1].isKnown && screen.state.best?.markets == 1)
  }

  @Test func `levels at one price are summed, with each market's part`() throws {
    var screen = try screen()
    screen.take(try view(first, bids: "1.0:1 0.9:2", asks: "1.2:1"))
    screen.take(try view(second, bids: "1.00:3 0.95:4", asks: "1.10:0.5", digits: 2))
    #expect(screen.state.step?.description == "0.1", "the coarser tick")
    let grouped = try view(second, bids: "1.00:3 0.90:4", asks: "1.10:0.5", digits: 2, ticks: 10)
    screen.take(grouped)
    #expect(
      screen.state.bids.map { "\($0.price) \($0.size) \($0.thousandths)" } == [
        "1 4 667", "0.9 6 1000",
      ])
    #expect(screen.state.bids[0].parts.map(\.size.description) == ["1", "3"])
    #expect(screen.state.bids[0].parts.map(\.thousandths) == [250, 750])
    #expect(screen.state.asks.map(\.price.description) == ["1.1", "1.2"])
  }

  @Test func `rows end where a book's own rows do, since sums beyond would be too small`() throws {
    var screen = try screen()
    let deep = (0..<20).map { "\(100 - $0).0:1" }.joined(separator: " ")
    screen.take(try view(first, bids: deep, asks: "101.0:1"))
    screen.take(try view(second, bids: "100.0:1 50.0:9", asks: "101.0:1"))
    #expect(screen.state.bids.last?.price.description == "81")
    #expect(screen.state.bids.count == 20)
  }

  @Test func `a coarser step subscribes to grouped rows of each market`() throws {
    var screen = try screen(step: "10")
    screen.take(try view(first, bids: "64000.0:1", asks: "64001.0:1"))
    screen.take(try view(second, bids: "64000.00:1", asks: "64001.00:1", digits: 2))
    let keys = Set(
      screen.wanted.filter { $0.subscription.channel == .book }.map {
        "\($0.venue) \($0.subscription.grouping.ticks)"
      })
    #expect(keys == ["kraken 1", "kraken 100", "bitmex 1", "bitmex 1000"])
    #expect(screen.state.step?.description == "10" && screen.state.bids.isEmpty, "not there yet")
    screen.take(try view(first, bids: "64000.0:1", asks: "64010.0:1", ticks: 100))
    screen.take(try view(second, bids: "64000.00:2", asks: "64010.00:1", digits: 2, ticks: 1000))
    #expect(screen.state.bids.map(\.size.description) == ["3"])
  }

  @Test func `the spread is kept for an hour, four times a minute, while two markets count`() throws
  {
    var screen = try screen()
    screen.take(try view(first, bids: "64000:1", asks: "64001:1"))
    _ = screen.receive(.timer, at: at(0))
    #expect(screen.state.spreads.isEmpty, "one market has no spread across markets")
    screen.take(try view(second, bids: "64000:1", asks: "64001:1"))
    for second in 0..<4000 { _ = screen.receive(.timer, at: at(Int64(second) * 1000)) }
    #expect(screen.state.spreads.count == 240)
    #expect(screen.state.spreads.last?.time.milliseconds == 3_990_000)
  }

  @Test func `hostile sizes and prices neither trap nor wrap`() throws {
    var random = SplitMix64(seed: 31)
    let extremes: [Int64] = [.min, -1, 0, 1, .max / 2, .max]
    for _ in 0..<2000 {
      var screen = try screen()
      for market in [first, second] {
        let scale = Scale(clamping: UInt8(random.below(19)))
        let rows = (0..<random.below(4)).map { _ in
          BookRow(
            price: Price(units: extremes[Int(random.below(6))]),
            size: Quantity(units: extremes[Int(random.below(6))]), accumulated: .zero)
        }
        let view = BookView(
          symbol: market.symbol, status: .synced, freshness: fresh(.live), bids: rows, asks: rows,
          bidLevels: 1, askLevels: 1, priceScale: scale, quantityScale: scale,
          priceDecimals: scale, sequence: 1, resyncs: 0,
          tick: Price(units: extremes[Int(random.below(6))]))
        screen.take(.value(market.bookKey, .book(view)))
      }
      #expect(screen.state.bids.allSatisfy { (0...1000).contains($0.thousandths) })
    }
  }

  @Test func `an asset is found at every venue that lists the pair`() throws {
    let asset = try #require(Asset(base: "BTC", quote: "USD"))
    let markets = asset.markets()
    #expect(markets.contains { $0.venue == .kraken && $0.symbol.text == "BTC/USD" })
    #expect(markets.allSatisfy { $0.base == "BTC" && $0.quote == "USD" && $0.contract == .base })
    #expect(Asset(base: "", quote: "USD") == nil && Asset(base: "B/C", quote: "USD") == nil)
    #expect(Asset(base: String(repeating: "A", count: 17), quote: "USD") == nil)
  }
}

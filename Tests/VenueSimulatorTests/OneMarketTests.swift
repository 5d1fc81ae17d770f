// The simulated venues show one world: an instrument has the same price wherever it is shown, and a
// trade leaves the book at the same moment.

import MarketModel
import OrderMatching
import Testing
import VenueProtocols

@testable import VenueSimulator

@Suite struct OneMarketTests {
  private static let start = Timestamp(milliseconds: 1_626_993_367_000)
  private static let bank = SharedStock.deutscheBank

  private func later(_ milliseconds: Int64) -> Timestamp {
    Self.start.adding(milliseconds: milliseconds)
  }

  private func stream(seed: UInt64) -> VenueDriver<SimulatedIsinStream> {
    var driver = VenueDriver(SimulatedIsinStream(seed: seed, start: Self.start))
    driver.connect(1)
    return driver
  }

  private func bux(seed: UInt64) -> VenueDriver<SimulatedBux> {
    VenueDriver(SimulatedBux(seed: seed, start: Self.start))
  }

  /// BUX's present price of a product, in units of its decimals.
  private func price(
    _ product: String, _ driver: inout VenueDriver<SimulatedBux>, at now: Timestamp
  ) throws -> FixedDecimal {
    let request = VenueRequest(
      path: "/core/23/products/" + product, headers: ["authorization": "Bearer x"])
    let answer = driver.venue.respond(to: request, at: now)
    let body = try #require(answer).body
    return try #require(try JSONTree(body)["currentPrice"]?["amount"]?.decimal)
  }

  @Test func `a stock has one price in the price stream and at BUX at the same moment`() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var (stream, bux) = (stream(seed: seed), bux(seed: seed))
      stream.send(#"{"subscribe":"\#(Self.bank)"}"#, from: 1)
      var compared = 0
      for _ in 0..<30_000 {
        stream.run(milliseconds: 1)
        guard let quote = try stream.take(1).last.map({ try JSONTree($0) }) else { continue }
        let price = try self.price("sb28248", &bux, at: stream.now)
        let (bid, ask) = try (#require(quote["bid"]?.decimal), #require(quote["ask"]?.decimal))
        #expect(bid <= price && price <= ask, "seed \(seed), \(stream.now)")
        compared += 1
      }
      #expect(compared > 50)
    }
  }

  @Test func `a stock in euros is its dollars at the rate that BUX quotes`() throws {
    var (stream, bux) = (stream(seed: 4), bux(seed: 4))
    stream.send(#"{"subscribe":"\#(SharedStock.apple)"}"#, from: 1)
    stream.run(milliseconds: 20_000)
    let quote = try JSONTree(try #require(stream.take(1).last))
    let cents = Scale(clamping: 2), fine = Scale(clamping: 5)
    let euros = try #require(quote["price"]?.decimal?.rounded(to: cents)).units
    let (inDollars, ofEuro) = try (
      price("sb26513", &bux, at: stream.now), price("sb26502", &bux, at: stream.now)
    )
    let dollars = try #require(inDollars.exactly(at: cents)).units
    let rate = try #require(ofEuro.exactly(at: fine)).units
    #expect(abs(euros * rate / 100_000 - dollars) <= 25, "\(euros) at \(rate), \(dollars)")
  }

  @Test func `coins cost the same at both coin venues, and in one another`() throws {
    var bitmex = VenueDriver(SimulatedBitMEX(seed: 6, start: Self.start))
    var kraken = VenueDriver(SimulatedKraken(seed: 6, start: Self.start))
    func middle(_ bid: String?, _ ask: String?) throws -> Double {
      try (#require(bid.flatMap(Double.init)) + #require(ask.flatMap(Double.init))) / 2
    }
    for _ in 0..<12 {
      bitmex.run(milliseconds: 5000)
      kraken.run(milliseconds: 5000)
      bitmex.venue.catchUpUnheard(to: bitmex.now)
      kraken.venue.catchUp(to: kraken.now)
      var prices: [String: Double] = [:]
      for (future, pair) in [("XBTUSD", "BTC/USD"), ("ETHUSD", "ETH/USD"), ("SOLUSD", "SOL/USD")] {
        let left = try #require(bitmex.venue.bookLevels(future))
        let right = try #require(kraken.venue.bookLevels(pair, depth: 10))
        let one = try middle(left.bids.first?.price, left.asks.first?.price)
        let other = try middle(right.bids.first?.price, right.asks.first?.price)
        #expect(abs(one - other) < other / 500, "\(pair): \(one), \(other)")
        prices[pair] = other
      }
      let cross = try #require(kraken.venue.bookLevels("ETH/BTC", depth: 10))
      let ratio = try #require(prices["ETH/USD"]) / #require(prices["BTC/USD"])
      let shown = try middle(cross.bids.first?.price, cross.asks.first?.price)
      #expect(abs(shown - ratio) < ratio / 250, "\(shown), \(ratio)")
    }
  }

  /// By venue, the middle of bitcoin in tenths of a tick of 0.1, each half second for a minute.
  private func middles(seed: UInt64) throws -> [Venue: [Int64]] {
    let venues = [VenueCase.okx, .bybit, .bybitLinear, .binance, .kraken, .coinbase]
    var middles: [Venue: [Int64]] = [:]
    for venue in venues {
      var loop = BookLoop(venue, seed: seed, wanting: [venue.book])
      loop.connect()
      for _ in 0..<120 {
        loop.run(milliseconds: 500)
        let levels = try #require(loop.driver.venue.bestLevels(venue.bitcoin, depth: 1))
        let both = [levels.bids.first?.price, levels.asks.first?.price].compactMap {
          $0?.exactly(at: Scale(clamping: 2))?.units
        }
        try #require(both.count == 2)
        middles[venue.venue, default: []].append((both[0] + both[1]) / 2)
      }
    }
    return middles
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `a coin has about the same price at every venue, and its own market at each`(
    seed: UInt64
  ) throws {
    let middles = try middles(seed: seed)
    for (one, other) in [
      (Venue.okx, Venue.bybit), (.okx, .binance), (.bybit, .bybitLinear), (.bybit, .binance),
      (.kraken, .coinbase),
    ] {
      let (left, right) = try (#require(middles[one]), #require(middles[other]))
      let spreads = zip(left, right).map { $0 - $1 }
      // In hundred-thousandths of the price: at most fifteen basis points.
      let widest = zip(spreads, right).map { abs($0) * 100_000 / $1 }.max() ?? .max
      #expect(widest <= 150, "\(one) and \(other), seed \(seed): \(widest)")
      #expect(spreads.count { $0 != 0 } > 100, "\(one) and \(other), seed \(seed)")
      #expect(Set(spreads).count > 30, "\(one) and \(other), seed \(seed)")
    }
  }

  @Test func `an instrument is the same however often it was read before`() {
    let listing = MarketListing.quoted("X", .stock("X"), startTicks: 2500)
    var (often, once) = (
      SimulatedMarket(seed: 9, start: Self.start, [listing]),
      SimulatedMarket(
        seed: 9, start: Self.start,
        [.quoted("Y", .stock("Y"), startTicks: 400), listing])
    )
    for second in 0...400 as ClosedRange<Int64> {
      _ = often.look(0, at: later(second * 997))
    }
    let now = later(400 * 997)
    let index = once.index(of: "X") ?? -1
    #expect(often.look(0, at: now) == once.look(index, at: now))
    // Reading a past time changes nothing.
    #expect(often.look(0, at: Self.start) == once.look(index, at: now))
  }

  @Test func `days without anybody looking cost one session's work and move no price away`() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var market = SimulatedMarket(
        seed: seed, start: Self.start, [.quoted("X", .stock("X"), startTicks: 2500)])
      for day in 1...5 as ClosedRange<Int64> {
        let top = market.look(0, at: later(day * 86_400_000))
        let (bid, ask) = top.prices
        #expect(bid < ask && ask - bid <= 20, "seed \(seed), day \(day)")
        #expect((1900...3300).contains(bid), "seed \(seed), day \(day): \(bid)")
      }
    }
  }

  @Test func `a sweep prints what it eats, on BitMEX's wire`() throws {
    var driver = VenueDriver(SimulatedBitMEX(seed: 31, start: Self.start))
    let topics = "orderBookL2:SOLUSD,trade:SOLUSD"
    driver.connect(1, VenueRequest(path: "/realtime", query: [(name: "subscribe", value: topics)]))
    driver.run(milliseconds: 240_000)
    let messages = try driver.take(1).map { try JSONTree($0) }
    var sizes: [Int64: Int64] = [:]
    var eaten: [String: Int64] = [:]
    var sweeps = 0
    for message in messages {
      let isBook = message["table"]?.text == "orderBookL2"
      let action = message["action"]?.text ?? ""
      if message["table"]?.text == "trade", action == "insert" {
        #expect(eaten.isEmpty, "all that was printed is gone: \(eaten)")
        for row in message["data"]?.elements ?? [] {
          eaten[try #require(row["price"]?.text), default: 0] += try #require(
            row["size"]?.decimal?.units)
        }
        sweeps += 1
      }
      for row in isBook ? message["data"]?.elements ?? [] : [] {
        let id = try #require(row["id"]?.decimal?.units)
        let price = try #require(row["price"]?.text)
        let size = action == "delete" ? 0 : try #require(row["size"]?.decimal?.units)
        if let printed = eaten.removeValue(forKey: price) {
          #expect(try #require(sizes[id]) - size == printed, "at \(price)")
        }
        sizes[id] = action == "delete" ? nil : size
      }
    }
    #expect(sweeps > 10 && eaten.isEmpty)
  }

  @Test func `a sweep prints what it eats, on Kraken's wire`() throws {
    var driver = VenueDriver(SimulatedKraken(seed: 32, start: Self.start))
    driver.connect(1, VenueRequest(path: "/v2"))
    for (channel, extra) in [("book", #","depth":1000"#), ("trade", "")] {
      driver.send(
        #"{"method":"subscribe","params":{"channel":"\#(channel)","symbol":["ETH/USD"]\#(extra)}}"#,
        from: 1)
    }
    driver.run(milliseconds: 50_000)
    var levels: [String: Int64] = [:]
    var eaten: [String: Int64] = [:]
    var sweeps = 0
    let eight = Scale(clamping: 8)
    for message in try driver.take(1).map({ try JSONTree($0) }) {
      let isUpdate = message["type"]?.text == "update"
      let rows = message["data"]?.elements ?? []
      if message["channel"]?.text == "trade", isUpdate {
        #expect(eaten.isEmpty, "all that was printed is gone: \(eaten)")
        for row in rows {
          let side = row["side"]?.text == "buy" ? "asks" : "bids"
          let key = try side + #require(row["price"]?.text)
          eaten[key, default: 0] += try #require(row["qty"]?.decimal?.exactly(at: eight)).units
        }
        sweeps += 1
      }
      for row in message["channel"]?.text == "book" ? rows : [] {
        for side in ["bids", "asks"] {
          for level in row[side]?.elements ?? [] {
            let key = try side + #require(level["price"]?.text)
            let size = try #require(level["qty"]?.decimal?.exactly(at: eight)).units
            if let printed = eaten.removeValue(forKey: key) {
              #expect((levels[key] ?? 0) - size == printed, "at \(key)")
            }
            levels[key] = size
          }
        }
      }
    }
    #expect(sweeps > 10 && eaten.isEmpty, "\(sweeps)")
  }

  @Test func `after a pause the coin books reopen around the value, without a gap`() throws {
    var driver = VenueDriver(SimulatedKraken(seed: 33, start: Self.start))
    driver.connect(1, VenueRequest(path: "/v2"))
    driver.send(
      #"{"method":"subscribe","params":{"channel":"book","symbol":["SOL/USD"],"depth":10}}"#,
      from: 1)
    driver.run(milliseconds: 1000)
    _ = driver.take(1)
    let now = Timestamp(nanoseconds: driver.now.nanoseconds + 86_400_000_000_000)
    let effects = driver.venue.advance(to: now)
    #expect(effects.count < 20)
    let pair = try #require(driver.venue.pairs.firstIndex { $0.symbol == "SOL/USD" })
    let instrument = driver.venue.market.instruments[pair]
    let value = instrument.value.ticks(at: driver.venue.market.microseconds(at: now))
    let (bid, ask) = instrument.top.prices
    #expect(bid < ask && abs(bid - value) < value / 200 && abs(ask - value) < value / 200)
  }
}

// Pairs without subscribers: their history without a book, the book that opens with the first
// subscriber and closes with the last, and one tape through all of it.

import MarketModel
import OrderMatching
import Testing

@testable import VenueSimulator

struct KrakenQuietTests {
  typealias Driver = VenueDriver<SimulatedKraken>

  private func driver(seed: UInt64 = 5, connected: Bool = true) -> Driver {
    var driver = VenueDriver(SimulatedKraken(seed: seed, start: Driver.start, limitsCalls: false))
    if connected { driver.connect(1, VenueRequest(path: "/v2")) }
    return driver
  }

  private func ask(
    _ channel: String, _ symbols: [String], _ extra: String = "", method: String = "subscribe"
  ) -> String {
    let list = symbols.map { "\"\($0)\"" }.joined(separator: ",")
    return
      #"{"method":"\#(method)","params":{"channel":"\#(channel)","symbol":[\#(list)]\#(extra)}}"#
  }

  private func get(
    _ driver: inout Driver, _ method: String, _ pair: String? = nil,
    _ more: [(name: String, value: String)] = []
  ) throws -> JSONTree {
    let query = (pair.map { [(name: "pair", value: $0)] } ?? []) + more
    let request = VenueRequest(path: "/0/public/" + method, query: query)
    let response = driver.venue.respond(to: request, at: driver.now)
    return try JSONTree(#require(response).body)
  }

  /// Advances time while the first client sends something occasionally.
  private func run(_ driver: inout Driver, milliseconds: Int64) {
    var left = milliseconds
    while left > 0 {
      driver.send(#"{"method":"ping"}"#, from: 1)
      driver.run(milliseconds: min(left, 30_000))
      left -= 30_000
    }
  }

  private func openBooks(_ driver: Driver) -> Int {
    driver.venue.market.instruments.filter(\.isOpen).count
  }

  @Test func `a call returns a quiet pair's data without opening its book`() throws {
    var driver = driver()
    #expect(try get(&driver, "OHLC", "ADAUSD")["result"]?["ADAUSD"]?.elements.count == 721)
    #expect(try get(&driver, "Trades", "ADAUSD")["result"]?["ADAUSD"]?.elements.count == 1000)
    #expect(try get(&driver, "Ticker")["result"]?.keys.count == driver.venue.symbols.count)
    #expect(openBooks(driver) == 8)
    driver.send(ask("book", ["ADA/USD"], #","depth":100"#), from: 1)
    #expect(openBooks(driver) == 9)
    let told = driver.take(1).last.flatMap { try? JSONTree($0) }
    let book = told?["data"]?[0]
    #expect(book?["bids"]?.elements.count == 100 && book?["asks"]?.elements.count == 100)
  }

  @Test func `the markets with deep books are the same whatever else is listed or open`() throws {
    var alone = VenueDriver(
      SimulatedKraken(seed: 8, start: Driver.start, limitsCalls: false, listsAll: false))
    alone.connect(1, VenueRequest(path: "/v2"))
    var among = driver(seed: 8)
    among.connect(2, VenueRequest(path: "/v2"))
    among.send(ask("trade", Array(among.venue.symbols[20..<60])), from: 2)
    for channel in ["book", "trade"] {
      alone.send(ask(channel, ["BTC/USD", "ETH/BTC"]), from: 1)
      among.send(ask(channel, ["BTC/USD", "ETH/BTC"]), from: 1)
    }
    alone.run(milliseconds: 20_000)
    among.run(milliseconds: 20_000)
    let (left, right) = (alone.take(1), among.take(1))
    #expect(left.count > 100 && left.dropFirst() == right.dropFirst())
  }

  @Test func `a book closes a minute after its last listener, and opens again`() throws {
    var driver = driver()
    driver.send(ask("ticker", ["ADA/USD", "DOT/EUR"]), from: 1)
    run(&driver, milliseconds: 70_000)
    #expect(openBooks(driver) == 10)
    driver.send(ask("ticker", ["ADA/USD"], method: "unsubscribe"), from: 1)
    run(&driver, milliseconds: 58_000)
    #expect(openBooks(driver) == 10)
    run(&driver, milliseconds: 4000)
    #expect(openBooks(driver) == 9)
    driver.venue.disconnect(ClientID(1))
    driver.run(milliseconds: 62_000)
    #expect(openBooks(driver) == 8)
    driver.connect(2, VenueRequest(path: "/v2"))
    driver.send(ask("book", ["ADA/USD"], #","depth":25"#), from: 2)
    #expect(openBooks(driver) == 9)
    #expect(driver.take(2).last?.contains("snapshot") == true)
  }

  @Test func `scrolling through all pairs leaves few books open and few histories in memory`()
    throws
  {
    var driver = driver()
    let pairs = driver.venue.directory.pairs.dropFirst(8).prefix(200).filter { !$0.isToken }
    func hours(of pair: KrakenPair) -> [UInt8]? {
      let query = [
        (name: "pair", value: pair.alternativeName), (name: "interval", value: "60"),
      ]
      let request = VenueRequest(path: "/0/public/OHLC", query: query)
      return driver.venue.respond(to: request, at: driver.now)?.body
    }
    var first: [[UInt8]?] = []
    for pair in pairs {
      driver.send(ask("ticker", [pair.symbol]), from: 1)
      driver.send(ask("ticker", [pair.symbol], method: "unsubscribe"), from: 1)
      first.append(hours(of: pair))
      #expect(openBooks(driver) <= 8 + SimulatedKraken.mostUnheard + 1)
    }
    let kept = driver.venue.tapes.dropFirst(8).count { $0.keptHours > 100 }
    #expect(pairs.count > 150 && kept <= SimulatedKraken.mostRemembered)
    #expect(pairs.map(hours) == first, "forgetting changes no candle")
    #expect(first.allSatisfy { ($0?.count ?? 0) > 10_000 })
    driver.send(ask("ticker", pairs.prefix(150).map(\.symbol)), from: 1)
    #expect(openBooks(driver) >= 158, "a book with a listener stays open")
  }

  @Test func `through opening and closing a tape has no gap, and published trades stay`() throws {
    for seed in 1...2 as ClosedRange<UInt64> {
      var driver = driver(seed: seed)
      var known: [String: [String]] = [:]
      var streamed: [String: String] = [:]
      for round in 0..<4 {
        run(&driver, milliseconds: 200_000)
        if round % 2 == 0 {
          driver.send(ask("trade", ["ADA/USD"], #","snapshot":false"#), from: 1)
        } else {
          driver.send(ask("trade", ["ADA/USD"], method: "unsubscribe"), from: 1)
        }
        run(&driver, milliseconds: 130_000)
        for message in try driver.take(1).map({ try JSONTree($0) }) {
          guard message["channel"]?.text == "trade" else { continue }
          for row in message["data"]?.elements ?? [] {
            streamed[try #require(row["trade_id"]?.text)] = row["price"]?.text
          }
        }
        let rows = try get(&driver, "Trades", "ADAUSD")["result"]?["ADAUSD"]?.elements ?? []
        let trades = rows.map { row in row.elements.compactMap(\.text) }
        let numbers = try trades.map { try #require(Int64($0[6])) }
        #expect(numbers.count == 1000)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }, "seed \(seed)")
        for trade in trades {
          if let before = known[trade[6]] { #expect(before == trade, "seed \(seed)") }
          known[trade[6]] = trade
        }
      }
      #expect(streamed.count > 2, "seed \(seed): \(streamed.count)")
      for (number, price) in streamed {
        #expect(known[number]?[0].hasPrefix(price) == true, "seed \(seed), \(number)")
      }
    }
  }

  @Test func `an opening follows from seed, start, pair and moment alone`() throws {
    func stream(_ others: [String]) -> [String] {
      var driver = driver()
      if !others.isEmpty { driver.send(ask("ticker", others), from: 1) }
      driver.run(milliseconds: 7000)
      driver.connect(2, VenueRequest(path: "/v2"))
      driver.send(ask("book", ["LINK/USD"], #","depth":100"#), from: 2)
      driver.run(milliseconds: 20_000)
      return driver.take(2).filter { $0.contains(#""channel":"book""#) }
    }
    let left = stream([])
    #expect(left.count > 5 && left == stream(["AVAX/EUR", "XMR/BTC", "TSLAx/USD"]))
  }

  @Test func `fifty tickers at once and three hundred in all get their snapshots`() throws {
    var driver = driver()
    _ = driver.take(1)
    let symbols = driver.venue.symbols
    for range in [0..<50, 50..<250, 250..<300] {
      driver.send(ask("ticker", Array(symbols[range]), #","event_trigger":"bbo""#), from: 1)
      let told = driver.take(1).filter { $0.contains(#""type":"snapshot""#) }
      #expect(told.count == range.count)
    }
    driver.send(ask("book", Array(symbols[0..<110]), #","depth":10"#), from: 1)
    #expect(driver.take(1).filter { $0.contains(#""type":"snapshot""#) }.count == 110)
    driver.run(milliseconds: 3000)
    let updates = Set(
      try driver.take(1).map { try JSONTree($0) }.compactMap { $0["data"]?[0]?["symbol"]?.text })
    #expect(updates.count > 60, "\(updates.count)")
  }

  @Test func `a quiet pair's figures are those of its candles`() throws {
    var driver = driver()
    driver.run(milliseconds: 100_000)
    for key in ["ADAUSD", "DOTEUR", "PIPPINUSD", "TSLAxUSD"] {
      let answer = try get(&driver, "Ticker", key)
      let ticker = try #require(answer["result"]?[key])
      let kind: [(name: String, value: String)] =
        key == "TSLAxUSD" ? [(name: "asset_class", value: "tokenized_asset")] : []
      let rows = try get(&driver, "OHLC", key, kind + [(name: "interval", value: "1")])
      let hours = try get(&driver, "OHLC", key, kind + [(name: "interval", value: "60")])
      let minutes = rows["result"]?[key]?.elements ?? []
      #expect(ticker["c"]?[0]?.text == minutes.last?[4]?.text, "\(key)")
      let day = (hours["result"]?[key]?.elements ?? []).suffix(25).dropFirst()
      let traded = day.compactMap { $0[7]?.decimal?.units }.reduce(0, +)
      // The oldest hour is partly older than a day.
      let told = try #require(ticker["t"]?[1]?.decimal?.units)
      #expect(told >= traded, "\(key): \(told), \(traded)")
      let (bid, ask) = try (#require(ticker["b"]?[0]?.decimal), #require(ticker["a"]?[0]?.decimal))
      #expect(bid < ask)
    }
  }

  @Test func `what has no market cannot be subscribed to`() {
    var driver = driver()
    _ = driver.take(1)
    driver.send(ask("ticker", ["WAVES/USD"]), from: 1)
    #expect(driver.take(1).first?.contains("Currency pair not supported WAVES/USD") == true)
  }

  @Test func `after a long pause unsubscribed books close and subscribed ones go on`() throws {
    var driver = driver()
    driver.send(ask("book", ["ADA/USD", "DOT/USD"], #","depth":10"#), from: 1)
    driver.run(milliseconds: 2000)
    driver.send(ask("book", ["DOT/USD"], #","depth":10"#, method: "unsubscribe"), from: 1)
    _ = driver.take(1)
    let later = Timestamp(nanoseconds: driver.now.nanoseconds + 3_600_000_000_000)
    let effects = driver.venue.advance(to: later)
    #expect(openBooks(driver) == 9)
    #expect(effects.count < 20)
    let pair = try #require(driver.venue.pairs.firstIndex { $0.symbol == "ADA/USD" })
    let last = try #require(driver.venue.tapes[pair].last)
    #expect(last.microseconds > later.nanoseconds / 1000 - 1_800_000_000)
  }

  @Test func `days of a closed pair are found without going through their minutes`() {
    for (seed, pair) in [(1, 40), (2, 700), (3, 1300)] as [(UInt64, Int)] {
      let listing = KrakenDirectory.all.pairs[pair].listing
      let past = PastTrading(
        listing, value: listing.value(seed: seed), seed: seed, origin: 0, listing: -131_040)
      var next = past.nextTraded(-3000)
      var found = TapeCandle.none
      var last: Int64?
      for minute in -3000..<0 as Range<Int64> {
        let candle = past.candle(minute)
        #expect((candle.count > 0) == (minute == next), "seed \(seed), minute \(minute)")
        if minute == next { next = past.nextTraded(minute + 1) }
        if candle.count > 0 { last = minute }
        #expect(last == nil || past.lastTraded(before: minute + 1) == last)
        found.add(candle)
      }
      #expect(past.candle(from: -3000, to: 0) == found)
    }
  }
}

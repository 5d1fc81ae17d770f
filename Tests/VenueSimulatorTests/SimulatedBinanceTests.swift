// The simulated Binance as its clients see it.

import MarketModel
import TestSupport
import Testing
import VenueProtocols
import VenueSimulator

@Suite struct SimulatedBinanceTests {
  private func driver(
    seed: UInt64 = 7, _ behaviour: BinanceBehaviour = BinanceBehaviour()
  ) -> VenueDriver<SimulatedBinance> {
    var driver = VenueDriver(
      SimulatedBinance(
        seed: seed, start: VenueDriver<SimulatedBinance>.start, behaviour: behaviour))
    driver.connect(1, VenueRequest(path: "/stream"))
    return driver
  }

  private static func subscribe(_ streams: String...) -> String {
    let names = streams.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"method":"SUBSCRIBE","params":[\#(names)],"id":1}"#
  }

  private static func request(_ path: String) -> VenueRequest {
    let parts = path.split(separator: "?")
    let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { member in
      let sides = member.split(separator: "=").map(String.init)
      return (name: sides[0], value: sides[1])
    }
    return VenueRequest(path: String(parts[0]), query: query)
  }

  @Test func `numbers of updates join, and snapshots end within an update as well`() throws {
    var driver = driver()
    driver.send(Self.subscribe("btcusdt@depth@100ms"), from: 1)
    var last: Int64?
    var (updates, orphans, straddled) = (0, 0, 0)
    for _ in 0..<40 {
      driver.run(milliseconds: 330)
      let answer = driver.venue.respond(
        to: Self.request("/api/v3/depth?symbol=BTCUSDT&limit=1000"), at: driver.now)
      let snapshot = try JSONTree(try #require(answer).body)
      let number = try #require(snapshot["lastUpdateId"]?.text.flatMap { Int64($0) })
      driver.run(milliseconds: 200)
      for text in driver.take(1) where text.contains("depthUpdate") {
        let data = try #require(try JSONTree(text)["data"])
        let first = try #require(data["U"]?.text.flatMap { Int64($0) })
        let end = try #require(data["u"]?.text.flatMap { Int64($0) })
        #expect(first <= end && (last == nil || first == (last ?? 0) + 1))
        if first <= number, number < end { straddled += 1 }
        last = end
        updates += 1
        let rows = (data["b"]?.elements ?? []) + (data["a"]?.elements ?? [])
        orphans += rows.count { $0[1]?.text == "0.00000000" }
      }
    }
    #expect(updates > 60 && orphans > 5 && straddled > 0)
  }

  @Test(arguments: 1...repetitions(4, all: 20) as ClosedRange<UInt64>)
  func `a snapshot within an update and the update give the venue's book`(seed: UInt64) throws {
    var driver = driver(seed: seed)
    driver.send(Self.subscribe("btcusdt@depth@100ms"), from: 1)
    var straddled = 0
    for _ in 0..<100 {
      driver.run(milliseconds: 660)
      _ = driver.take(1)
      let answer = driver.venue.respond(
        to: Self.request("/api/v3/depth?symbol=BTCUSDT&limit=1000"), at: driver.now)
      let snapshot = try JSONTree(try #require(answer).body)
      let number = try #require(snapshot["lastUpdateId"]?.text.flatMap { Int64($0) })
      driver.run(milliseconds: 40)
      let text = driver.take(1).first { $0.contains("depthUpdate") }
      guard let data = try text.flatMap({ try JSONTree($0)["data"] }),
        let end = data["u"]?.text.flatMap({ Int64($0) }), number < end
      else { continue }
      straddled += 1
      let symbol = Symbol(known: "BTCUSDT")
      let published = try #require(driver.venue.publishedLevels(symbol, depth: 250))
      for (key, change, levels) in [("bids", "b", published.bids), ("asks", "a", published.asks)] {
        var book: [FixedDecimal: FixedDecimal] = [:]
        for row in (snapshot[key]?.elements ?? []) + (data[change]?.elements ?? []) {
          let price = try #require(row[0]?.text.flatMap { FixedDecimal($0) })
          let size = try #require(row[1]?.text.flatMap { FixedDecimal($0) })
          book[price] = size.units == 0 ? nil : size
        }
        let best = book.keys.sorted { key == "bids" ? $0 > $1 : $0 < $1 }.prefix(250)
        #expect(Array(best) == levels.map(\.price), "seed \(seed)")
        #expect(best.compactMap { book[$0] } == levels.map(\.size), "seed \(seed)")
      }
    }
    #expect(straddled > 20)
  }

  @Test func `streams that do not exist are acknowledged, and stay silent`() {
    var driver = driver()
    driver.send(Self.subscribe("nope@trade", "BTCUSDT@trade"), from: 1)
    #expect(driver.take(1) == [#"{"result":null,"id":1}"#])
    driver.run(milliseconds: 3000)
    #expect(driver.take(1).isEmpty)
    driver.send(#"{"method":"LIST_SUBSCRIPTIONS","id":0}"#, from: 1)
    #expect(driver.take(1) == [#"{"result":[],"id":0}"#])
    driver.send("{", from: 1)
    #expect(driver.take(1).first?.contains(#""code":3"#) == true)
  }

  @Test func `a sixth message within a second ends the connection`() {
    var driver = driver()
    for _ in 0..<5 { driver.send(Self.subscribe("btcusdt@trade"), from: 1) }
    #expect(driver.closed.isEmpty)
    driver.send(Self.subscribe("btcusdt@trade"), from: 1)
    #expect(driver.closed == [ClientID(1)])
  }

  @Test func `trade numbers rise by one`() throws {
    var driver = driver()
    driver.send(Self.subscribe("btcusdt@trade"), from: 1)
    driver.run(milliseconds: 60_000)
    let numbers = try driver.take(1).dropFirst().compactMap {
      try JSONTree($0)["data"]?["t"]?.text.flatMap { Int64($0) }
    }
    let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
    #expect(steps.count > 10 && steps.allSatisfy { $0 == 1 })
  }

  @Test func `an address may name streams, and those of /ws come without their name`() throws {
    var driver = driver()
    let streams = [(name: "streams", value: "btcusdt@aggTrade/btcusdt@bookTicker/nope@trade")]
    driver.connect(2, VenueRequest(path: "/stream", query: streams))
    driver.connect(3, VenueRequest(path: "/ws/btcusdt@trade"))
    driver.connect(4, VenueRequest(path: "/ws/7"))
    driver.send(Self.subscribe("btcusdt@aggTrade"), from: 4)
    driver.run(milliseconds: 20_000)
    let named = try driver.take(2).map { try JSONTree($0) }
    let trades = try driver.take(3).map { try JSONTree($0) }
    let raw = try driver.take(4).dropFirst().map { try JSONTree($0) }
    #expect(
      Set(named.compactMap { $0["stream"]?.text }) == ["btcusdt@aggTrade", "btcusdt@bookTicker"])
    let aggregates = named.compactMap { $0["data"] }.filter { $0["e"]?.text == "aggTrade" }
    #expect(raw == aggregates && !raw.isEmpty)
    #expect(trades.map { $0["t"]?.text } == raw.map { $0["a"]?.text })
    #expect(driver.venue.refusal(of: VenueRequest(path: "/wsx"), at: driver.now) != nil)
  }

  @Test func `aggregates over REST are the trades, by number, time or the latest`() throws {
    var driver = driver()
    driver.run(milliseconds: 5000)
    func rows(_ path: String, _ members: [String]) throws -> [[String]] {
      let answer = driver.venue.respond(to: Self.request("/api/v3/" + path), at: driver.now)
      return try JSONTree(try #require(answer).body).elements.map { row in
        members.map { row[$0]?.text ?? "" }
      }
    }
    let trades = try rows("trades?symbol=BTCUSDT&limit=300", ["id", "price", "qty", "time"])
    let members = ["a", "p", "q", "T"]
    #expect(try rows("aggTrades?symbol=BTCUSDT&limit=300", members) == trades)
    let tenth = trades[10]
    let after = try rows("aggTrades?symbol=BTCUSDT&limit=20&fromId=\(tenth[0])", members)
    #expect(after == Array(trades[10..<30]))
    let span = try rows(
      "aggTrades?symbol=BTCUSDT&startTime=\(tenth[3])&endTime=\(trades[200][3])", members)
    let wanted = trades.filter { (tenth[3]...trades[200][3]).contains($0[3]) }
    #expect(span == wanted && span.count > 100)
  }

  @Test func `the weight of requests is limited by the minute`() throws {
    var driver = driver()
    var statuses: [Int] = []
    for _ in 0..<130 {
      let answer = driver.venue.respond(
        to: Self.request("/api/v3/depth?symbol=BTCUSDT&limit=1000"), at: driver.now)
      statuses.append(try #require(answer).status)
    }
    #expect(statuses.count { $0 == 200 } == 120 && statuses.last == 429)
    driver.run(milliseconds: 60_000)
    let later = driver.venue.respond(
      to: Self.request("/api/v3/depth?symbol=NOPE&limit=5"), at: driver.now)
    #expect(try #require(later).status == 400)
  }

  @Test func `nothing that a client sends traps`() {
    var driver = driver()
    for bytes in HostileInput.messages(around: Self.subscribe("btcusdt@depth@100ms")) {
      driver.run(milliseconds: 250)
      _ = driver.venue.receive(bytes, binary: false, from: ClientID(1), at: driver.now)
    }
    for path in ["/api/v3/depth", "/api/v3/klines?symbol=BTCUSDT", "/api/v3/nope", "/api/v4/x"] {
      _ = driver.venue.respond(to: Self.request(path), at: driver.now)
    }
  }

  @Test func `candles over REST are read by the venue's history`() throws {
    var driver = driver()
    driver.run(milliseconds: 65_000)
    let history = try #require(Venue.binance.adapter.history)
    for interval in history.intervals {
      let path = try #require(history.path(.candles(interval), "BTCUSDT"))
      let answer = driver.venue.respond(to: Self.request(path), at: driver.now)
      let response = try #require(answer)
      let read = history.read(.candles(interval), "BTCUSDT", response.status, response.body.span)
      guard case .success(.candles(let candles)) = read else {
        Issue.record("\(interval): \(read)")
        continue
      }
      #expect(candles.rows.count >= 90 && candles.rows.last?.count != nil, "\(interval)")
      #expect(candles.lastCommitted == candles.rows.dropLast().last?.start)
    }
    let unknown = driver.venue.respond(
      to: Self.request("/api/v3/klines?symbol=NOPE&interval=1m"), at: driver.now)
    let response = try #require(unknown)
    #expect(
      history.read(.candles(.minute), "NOPE", response.status, response.body.span)
        == .failure(.unknownInstrument))
  }
}

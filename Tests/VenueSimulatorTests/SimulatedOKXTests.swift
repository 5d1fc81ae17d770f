// The simulated OKX as its clients see it.

import MarketModel
import Testing
import VenueProtocols
import VenueSimulator

@Suite struct SimulatedOKXTests {
  private func driver(
    seed: UInt64 = 7, _ behaviour: OKXBehaviour = OKXBehaviour()
  ) -> VenueDriver<SimulatedOKX> {
    var driver = VenueDriver(
      SimulatedOKX(seed: seed, start: VenueDriver<SimulatedOKX>.start, behaviour: behaviour))
    driver.connect(1, VenueRequest(path: "/ws/v5/public"))
    return driver
  }

  private static func subscribe(_ channels: String..., to symbol: String = "BTC-USDT") -> String {
    let topics = channels.map { #"{"channel":"\#($0)","instId":"\#(symbol)"}"# }
    return #"{"op":"subscribe","args":[\#(topics.joined(separator: ","))]}"#
  }

  @Test func `a topic is acknowledged before its snapshot of four hundred levels`() throws {
    var driver = driver()
    driver.send(Self.subscribe("books"), from: 1)
    let texts = driver.take(1)
    #expect(
      texts.count == 2 && texts[0].hasPrefix(#"{"event":"subscribe","arg":{"channel":"books""#))
    let book = try JSONTree(texts[1])
    #expect(book["action"]?.text == "snapshot")
    let data = try #require(book["data"]?[0])
    #expect(data["bids"]?.elements.count == 400 && data["asks"]?.elements.count == 400)
    #expect(data["prevSeqId"]?.text == "-1" && data["checksum"]?.text == "0")
    driver.send(Self.subscribe("books"), from: 1)
    #expect(driver.take(1).count == 1, "no second snapshot")
  }

  @Test func `updates are chained, and arrive at most ten times a second`() throws {
    var driver = driver()
    driver.send(Self.subscribe("books"), from: 1)
    var books = try driver.take(1).dropFirst().map { try JSONTree($0) }
    driver.run(milliseconds: 20_000)
    books += try driver.take(1).map { try JSONTree($0) }
    #expect(books.count > 100 && books.count <= 201)
    var last = books.first?["data"]?[0]?["seqId"]?.text
    for book in books.dropFirst() {
      #expect(book["data"]?[0]?["prevSeqId"]?.text == last)
      last = book["data"]?[0]?["seqId"]?.text
    }
  }

  @Test func `a quiet book repeats its number each minute`() throws {
    var driver = VenueDriver(
      SimulatedOKX(
        seed: 7, start: VenueDriver<SimulatedOKX>.start,
        markets: OpenedMarkets(only: ["SHIB-USDT"], slowedBy: 100_000, levels: 20)))
    driver.connect(1, VenueRequest(path: "/ws/v5/public"))
    driver.send(Self.subscribe("books", to: "SHIB-USDT"), from: 1)
    for _ in 0..<7 {
      driver.run(milliseconds: 20_000)
      driver.send("ping", from: 1)
    }
    let idle = try driver.take(1).dropFirst(2).filter { $0 != "pong" }.map { try JSONTree($0) }
      .filter {
        $0["data"]?[0]?["seqId"]?.text == $0["data"]?[0]?["prevSeqId"]?.text
      }
    #expect(idle.count >= 1)
    #expect(idle.allSatisfy { $0["data"]?[0]?["bids"]?.elements.isEmpty == true })
  }

  @Test func `trade numbers cover their fills`() throws {
    var driver = driver()
    driver.send(Self.subscribe("trades"), from: 1)
    driver.run(milliseconds: 120_000)
    let rows = try driver.take(1).dropFirst().compactMap { try JSONTree($0)["data"]?[0] }
    let numbers = rows.compactMap { row -> (Int64, Int64)? in
      guard let last = row["tradeId"]?.text.flatMap({ Int64($0) }),
        let count = row["count"]?.text.flatMap({ Int64($0) })
      else { return nil }
      return (last, count)
    }
    #expect(numbers.count == rows.count && numbers.count > 20)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0.0 == $1.0 - $1.1 })
    #expect(numbers.contains { $0.1 > 1 })
  }

  @Test func `requests that can't be carried out have the venue's codes`() {
    var driver = driver()
    for (text, code) in [
      (Self.subscribe("books", to: "NOPE-USDT"), "60018"), (Self.subscribe("candle1m"), "60018"),
      (#"{"op":"dance"}"#, "60012"), ("{", "60012"), (#"{"op":"subscribe","args":[]}"#, "60013"),
    ] {
      driver.send(text, from: 1)
      let answer = driver.take(1).first ?? ""
      #expect(answer.contains(#""event":"error""#) && answer.contains(code), "\(text): \(answer)")
    }
    driver.send("ping", from: 1)
    #expect(driver.take(1) == ["pong"])
    for _ in 0..<480 {
      driver.send(#"{"op":"unsubscribe","args":[{"channel":"status"}]}"#, from: 1)
    }
    #expect(driver.take(1).last?.contains("60014") == true)
    let refusal = driver.venue.refusal(of: VenueRequest(path: "/ws/v5/nope"), at: driver.now)
    #expect(refusal != nil)
  }

  @Test func `a silent connection is closed after thirty seconds`() {
    var driver = driver()
    driver.run(milliseconds: 32_000)
    #expect(driver.closed == [ClientID(1)])
  }

  @Test func `nothing that a client sends traps`() {
    var driver = driver()
    for bytes in HostileInput.messages(around: Self.subscribe("books")) {
      _ = driver.venue.receive(bytes, binary: false, from: ClientID(1), at: driver.now)
    }
  }

  @Test func `candles over REST are newest first and read by the venue's history`() throws {
    var driver = driver()
    driver.run(milliseconds: 65_000)
    let history = try #require(Venue.okx.adapter.history)
    for interval in history.intervals {
      let path = try #require(history.path(.candles(interval), "BTC-USDT"))
      let parts = path.split(separator: "?")
      let query = parts[1].split(separator: "&").map { member in
        let sides = member.split(separator: "=").map(String.init)
        return (name: sides[0], value: sides[1])
      }
      let request = VenueRequest(path: String(parts[0]), query: query)
      let answer = driver.venue.respond(to: request, at: driver.now)
      let response = try #require(answer)
      let read = history.read(.candles(interval), "BTC-USDT", response.status, response.body.span)
      guard case .success(.candles(let candles)) = read else {
        Issue.record("\(interval): \(read)")
        continue
      }
      #expect(candles.rows.count >= 90, "\(interval)")
      #expect(candles.lastCommitted == candles.rows.dropLast().last?.start)
    }
    let unknown = VenueRequest(
      path: "/api/v5/market/history-candles", query: [("instId", "NOPE"), ("bar", "1m")])
    let refused = driver.venue.respond(to: unknown, at: driver.now)
    let response = try #require(refused)
    #expect(
      history.read(.candles(.minute), "NOPE", response.status, response.body.span)
        == .failure(.unknownInstrument))
    let foreign = driver.venue.respond(to: VenueRequest(path: "/api/v4/x"), at: driver.now)
    #expect(foreign == nil)
  }

  @Test func `past trades run backwards by number, one a fill, and join the stream's`() throws {
    var driver = driver()
    driver.send(Self.subscribe("trades"), from: 1)
    driver.run(milliseconds: 65_000)
    let last = driver.take(1).last
    let history = try #require(Venue.okx.adapter.history)
    func page(_ request: HistoryRequest) throws -> [VenueTrade] {
      let path = try #require(history.path(request, "BTC-USDT"))
      let answer = driver.venue.respond(to: VenueRequest(text: path), at: driver.now)
      let response = try #require(answer)
      let read = history.read(request, "BTC-USDT", response.status, response.body.span)
      guard case .success(.trades(let page)) = read else {
        Issue.record("\(read)")
        return []
      }
      return page.trades
    }
    let newest = try page(.tradesBefore(nil))
    #expect(newest.count == 100)
    #expect(zip(newest, newest.dropFirst()).allSatisfy { $0.identifier + 1 == $1.identifier })
    let first = try #require(newest.first?.identifier)
    let older = try page(.tradesBefore(first))
    #expect(older.count == 100 && older.last?.identifier == first - 1)
    let row = try JSONTree(try #require(last))["data"]?[0]
    #expect(row?["tradeId"]?.text == newest.last.map { String($0.identifier) })
  }

  @Test func `requests for past trades that can't be have the venue's codes`() throws {
    var driver = driver()
    let history = try #require(Venue.okx.adapter.history)
    func answer(_ query: [(name: String, value: String)]) throws -> VenueResponse {
      let request = VenueRequest(path: "/api/v5/market/history-trades", query: query)
      let answer = driver.venue.respond(to: request, at: driver.now)
      return try #require(answer)
    }
    let refused = try answer([("instId", "NOPE"), ("type", "1")])
    #expect(
      history.read(.tradesBefore(nil), "NOPE", refused.status, refused.body.span)
        == .failure(.unknownInstrument))
    for (name, value) in [("type", "3"), ("after", "0"), ("after", "x"), ("limit", "0")] {
      let status = try answer([("instId", "BTC-USDT"), (name, value)]).status
      #expect(status == 400, "\(name)=\(value)")
    }
  }

  @Test func `one seed gives one market, watched or not`() {
    var (one, other) = (driver(), driver())
    one.send(Self.subscribe("books", "trades"), from: 1)
    one.run(milliseconds: 3000)
    other.run(milliseconds: 3000)
    let levels = [one, other].map {
      $0.venue.publishedLevels(Symbol(known: "BTC-USDT"), depth: 20)
    }
    #expect(levels[0]?.bids.count == 20 && levels[0]?.asks.count == 20)
    #expect(levels[0]?.bids == levels[1]?.bids && levels[0]?.asks == levels[1]?.asks)
  }
}

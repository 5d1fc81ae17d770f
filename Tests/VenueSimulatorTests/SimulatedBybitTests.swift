// The simulated Bybit as its clients see it.

import MarketModel
import Testing
import VenueCatalogue
import VenueProtocols
import VenueSimulator

@Suite struct SimulatedBybitTests {
  private func driver(
    seed: UInt64 = 7, _ behaviour: BybitBehaviour = BybitBehaviour()
  ) -> VenueDriver<SimulatedBybit> {
    var driver = VenueDriver(
      SimulatedBybit(seed: seed, start: VenueDriver<SimulatedBybit>.start, behaviour: behaviour))
    driver.connect(1, VenueRequest(path: "/v5/public/spot"))
    return driver
  }

  private static func subscribe(_ topics: String...) -> String {
    let names = topics.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"op":"subscribe","args":[\#(names)],"req_id":"s1"}"#
  }

  @Test func `a snapshot of fifty levels precedes its response`() throws {
    var driver = driver()
    driver.send(Self.subscribe("orderbook.50.BTCUSDT"), from: 1)
    let texts = driver.take(1)
    #expect(texts.count == 2 && texts[1].contains(#""req_id":"s1""#))
    let data = try #require(try JSONTree(texts[0])["data"])
    #expect(data["b"]?.elements.count == 50 && data["a"]?.elements.count == 50)
  }

  @Test func `numbers rise by one, and a restart begins at one`() throws {
    var behaviour = BybitBehaviour()
    behaviour.restartMilliseconds = 4000
    var driver = driver(behaviour)
    driver.send(Self.subscribe("orderbook.50.BTCUSDT"), from: 1)
    driver.run(milliseconds: 10_000)
    let books = try driver.take(1).filter { $0.contains("orderbook") }.map { try JSONTree($0) }
    var last: Int64?
    var restarts = 0
    for book in books {
      let number = try #require(book["data"]?["u"]?.text.flatMap { Int64($0) })
      if number == 1 {
        restarts += 1
        #expect(book["type"]?.text == "snapshot")
      } else {
        #expect(last == nil || number == (last ?? 0) + 1)
      }
      last = number
    }
    #expect(restarts == 2 && books.count > 60)
  }

  @Test func `trade identifiers have holes`() throws {
    var driver = driver()
    driver.send(Self.subscribe("publicTrade.BTCUSDT"), from: 1)
    driver.run(milliseconds: 60_000)
    let numbers = try driver.take(1).dropFirst().flatMap {
      try JSONTree($0)["data"]?.elements.compactMap { $0["i"]?.text.flatMap { Int64($0) } } ?? []
    }
    let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
    #expect(steps.count > 10 && steps.allSatisfy { $0 > 0 } && steps.contains { $0 > 1 })
  }

  @Test func `a request may be numbered by a number`() {
    var driver = driver()
    driver.send(#"{"op":"ping","req_id":17}"#, from: 1)
    #expect(driver.take(1).first?.contains(#""req_id":"17""#) == true)
  }

  @Test func `REST has the stream's book, and its trades under the same identifiers`() throws {
    var driver = driver()
    driver.send(Self.subscribe("publicTrade.BTCUSDT"), from: 1)
    driver.run(milliseconds: 20_000)
    let streamed = try driver.take(1).dropFirst().flatMap {
      try JSONTree($0)["data"]?.elements.compactMap { $0["i"]?.text } ?? []
    }
    func result(_ method: String, _ limit: Int) throws -> JSONTree {
      let query = [
        (name: "category", value: "spot"), (name: "symbol", value: "BTCUSDT"),
        (name: "limit", value: "\(limit)"),
      ]
      let answer = driver.venue.respond(
        to: VenueRequest(path: "/v5/market/" + method, query: query), at: driver.now)
      let tree = try JSONTree(try #require(answer).body)
      return try #require(tree["result"])
    }
    let trades = try result("recent-trade", 60)["list"]?.elements ?? []
    let identifiers = trades.compactMap { $0["execId"]?.text }
    #expect(Array(identifiers.reversed().suffix(streamed.count)) == streamed.suffix(60))
    let book = try result("orderbook", 30)
    let rows = ["b", "a"].flatMap { book[$0]?.elements ?? [] }
    let spelled = rows.map { "\($0[0]?.text ?? "")×\($0[1]?.text ?? "")" }
    let best = try #require(driver.venue.bestLevels(Symbol(known: "BTCUSDT"), depth: 30))
    #expect(spelled == (best.bids + best.asks).map { "\($0.price)×\($0.size)" })
  }

  @Test func `one bad topic rejects its whole request`() {
    var driver = driver()
    for (bad, words) in [
      (Self.subscribe("tickers.BTCUSDT", "tickers.NOPE"), "Invalid symbol :[tickers.NOPE]"),
      (Self.subscribe("tickers.BTCUSDT", "tickers.BTCUSDT"), "already subscribed"),
      (#"{"op":"dance","req_id":"1"}"#, "unknown op"), ("{", "parse"),
    ] {
      driver.send(bad, from: 1)
      let texts = driver.take(1)
      #expect(texts.count == 1 && texts[0].contains(words) && texts[0].contains("false"), "\(bad)")
    }
    let many = (0..<11).map { "\"tickers.P\($0)\"" }.joined(separator: ",")
    driver.send(#"{"op":"subscribe","args":[\#(many)]}"#, from: 1)
    #expect(driver.take(1).first?.contains("args size >10") == true)
    driver.send(#"{"op":"ping","req_id":"p"}"#, from: 1)
    #expect(driver.take(1).first?.contains(#""ret_msg":"pong""#) == true)
    let refusal = driver.venue.refusal(of: VenueRequest(path: "/v5/public/linear"), at: driver.now)
    #expect(refusal != nil)
  }

  // MARK: Perpetuals

  private func linear(seed: UInt64 = 7) -> VenueDriver<SimulatedBybit> {
    var driver = VenueDriver(
      SimulatedBybit(.linear, seed: seed, start: VenueDriver<SimulatedBybit>.start))
    driver.connect(1, VenueRequest(path: "/v5/public/linear"))
    return driver
  }

  @Test func `a perpetual's ticker names what has changed since the one before`() throws {
    var driver = linear()
    driver.send(Self.subscribe("tickers.BTCUSDT"), from: 1)
    driver.run(milliseconds: 20_000)
    let texts = driver.take(1)
    #expect(texts.filter { $0.contains("snapshot") }.count == 1)
    #expect(texts.contains { $0.contains(#""success":true,"ret_msg":"","#) })
    let deltas = try texts.filter { $0.contains("delta") }.map { try JSONTree($0) }
    #expect(deltas.count > 20)
    let names = ["lastPrice", "highPrice24h", "bid1Price", "ask1Size"]
    for name in names {
      let named = deltas.count { $0["data"]?[name] != nil }
      #expect(named < deltas.count, "\(name)")
      let values = deltas.compactMap { $0["data"]?[name]?.text }
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 }, "\(name)")
    }
    driver.connect(2, VenueRequest(path: "/v5/public/linear"))
    driver.send(Self.subscribe("tickers.BTCUSDT"), from: 2)
    let late = try JSONTree(try #require(driver.take(2).first))
    let last = deltas.last { $0["data"]?["lastPrice"] != nil }?["data"]?["lastPrice"]?.text
    #expect(late["data"]?["lastPrice"]?.text == last, "what the others have")
  }

  @Test func `a perpetual's trades have UUIDs, and prices end in zeros`() throws {
    var driver = linear()
    driver.send(Self.subscribe("publicTrade.BTCUSDT"), from: 1)
    driver.run(milliseconds: 30_000)
    let rows = try driver.take(1).dropFirst().flatMap {
      try JSONTree($0)["data"]?.elements ?? []
    }
    let identifiers = rows.compactMap { $0["i"]?.text }
    #expect(identifiers.count > 10 && Set(identifiers).count == identifiers.count)
    #expect(identifiers.allSatisfy { $0.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12] })
    #expect(rows.allSatisfy { $0["p"]?.text?.split(separator: ".").last?.count == 2 })
    #expect(rows.allSatisfy { $0["v"]?.text?.split(separator: ".").last?.count == 3 })
  }

  @Test func `perpetuals are listed in pages, and an unknown one is an error`() throws {
    var driver = linear()
    func list(_ query: [(name: String, value: String)]) throws -> JSONTree {
      let answer = driver.venue.respond(
        to: VenueRequest(
          path: "/v5/market/instruments-info", query: [("category", "linear")] + query),
        at: driver.now)
      return try JSONTree(try #require(answer).body)
    }
    var symbols: [String] = []
    var cursor = ""
    repeat {
      let page = try #require(try list([("limit", "2"), ("cursor", cursor)])["result"])
      let rows = page["list"]?.elements ?? []
      #expect(rows.allSatisfy { $0["contractType"]?.text == "LinearPerpetual" })
      symbols += rows.compactMap { $0["symbol"]?.text }
      cursor = page["nextPageCursor"]?.text ?? ""
    } while !cursor.isEmpty && symbols.count < 20
    let known = Venue.bybitLinear.descriptor.books.map(\.symbol.text)
    #expect(symbols == known + ["LTCUSDT"])
    let step = try list([("symbol", "BTCUSDT")])["result"]?["list"]?.elements.first
    #expect(step?["lotSizeFilter"]?["qtyStep"]?.text == "0.001")
    #expect(step?["priceFilter"]?["tickSize"]?.text == "0.10")
    let unknown = try list([("symbol", "NOPE")])
    #expect(unknown["retCode"]?.text == "10001")
  }

  @Test func `a perpetual's refusals name the topic, and eleven topics are accepted`() {
    var driver = linear()
    driver.send(Self.subscribe("tickers.BTCUSDT", "tickers.NOPE"), from: 1)
    #expect(driver.take(1).first?.contains("error:handler not found,topic:tickers.NOPE") == true)
    let many = (0..<11).map { "\"tickers.P\($0)\"" }.joined(separator: ",")
    driver.send(#"{"op":"subscribe","args":[\#(many)]}"#, from: 1)
    #expect(driver.take(1).first?.contains("args size") == false)
    let refusal = driver.venue.refusal(of: VenueRequest(path: "/v5/public/spot"), at: driver.now)
    #expect(refusal != nil)
  }

  @Test func `nothing that a client sends traps`() {
    var driver = driver()
    for bytes in HostileInput.messages(around: Self.subscribe("orderbook.50.BTCUSDT")) {
      _ = driver.venue.receive(bytes, binary: false, from: ClientID(1), at: driver.now)
    }
  }

  @Test(arguments: [Venue.bybit, .bybitLinear])
  func `candles over REST are newest first and read by the venue's history`(venue: Venue) throws {
    var driver = venue == .bybit ? driver() : linear()
    driver.run(milliseconds: 65_000)
    let history = try #require(venue.adapter.history)
    for interval in history.intervals {
      let path = try #require(history.path(.candles(interval), "BTCUSDT"))
      let parts = path.split(separator: "?")
      let query = parts[1].split(separator: "&").map { member in
        let sides = member.split(separator: "=").map(String.init)
        return (name: sides[0], value: sides[1])
      }
      let request = VenueRequest(path: String(parts[0]), query: query)
      let answer = driver.venue.respond(to: request, at: driver.now)
      let response = try #require(answer)
      let read = history.read(.candles(interval), "BTCUSDT", response.status, response.body.span)
      guard case .success(.candles(let candles)) = read else {
        Issue.record("\(interval): \(read)")
        continue
      }
      #expect(candles.rows.count >= 90, "\(interval)")
      #expect(candles.lastCommitted == candles.rows.dropLast().last?.start)
    }
    let unknown = VenueRequest(
      path: "/v5/market/kline",
      query: [
        ("category", venue == .bybit ? "spot" : "linear"), ("symbol", "NOPE"), ("interval", "1"),
      ])
    let answer = driver.venue.respond(to: unknown, at: driver.now)
    let response = try #require(answer)
    #expect(
      history.read(.candles(.minute), "NOPE", response.status, response.body.span)
        == .failure(.unknownInstrument))
  }
}

// The simulated Coinbase by itself: its traps, its requests, its history.

import MarketModel
import Testing

@testable import VenueSimulator

struct SimulatedCoinbaseTests {
  private typealias Driver = VenueDriver<SimulatedCoinbase>

  private func connected(seed: UInt64 = 3) -> Driver {
    var driver = Driver(SimulatedCoinbase(seed: seed, start: Driver.start))
    driver.connect(1, VenueRequest(path: "/advanced"))
    return driver
  }

  private func subscribe(_ channel: String, _ products: String...) -> String {
    let names = products.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"type":"subscribe","product_ids":[\#(names)],"channel":"\#(channel)"}"#
  }

  private func member(_ text: String, _ key: String) -> String {
    guard let start = text.firstRange(of: "\"\(key)\":")?.upperBound else { return "" }
    return String(text[start...].prefix { $0 != "," && $0 != "}" }).filter { $0 != "\"" }
  }

  @Test func `all messages of a connection have one count, from zero`() {
    var driver = connected()
    driver.connect(2, VenueRequest(path: "/advanced"))
    #expect(driver.take(1).isEmpty, "nothing comes before the first request")
    driver.send(#"{"type":"subscribe","channel":"heartbeats"}"#, from: 1)
    driver.send(subscribe("heartbeats"), from: 2)
    driver.send(subscribe("level2", "BTC-USD", "ETH-USD"), from: 1)
    driver.send(subscribe("market_trades", "BTC-USD"), from: 1)
    driver.send(subscribe("ticker", "BTC-USD"), from: 1)
    driver.send(subscribe("status", "BTC-USD"), from: 1)
    driver.run(milliseconds: 5000)
    let messages = driver.take(1)
    #expect(messages.map { member($0, "sequence_num") } == messages.indices.map(String.init))
    let channels = Set(messages.map { member($0, "channel") })
    #expect(
      channels == [
        "heartbeats", "subscriptions", "l2_data", "market_trades", "ticker", "status",
      ])
    let other = driver.take(2)
    #expect(other.map { member($0, "sequence_num") } == other.indices.map(String.init))
    #expect(other.count == 6, "a response and five heartbeats")
  }

  @Test func `the book over REST is the market's`() throws {
    var driver = connected()
    driver.run(milliseconds: 1500)
    func response(_ name: String) throws -> VenueResponse {
      let query = [(name: "product_id", value: name), (name: "limit", value: "30")]
      let request = VenueRequest(path: "/api/v3/brokerage/market/product_book", query: query)
      let answer = driver.venue.respond(to: request, at: driver.now)
      return try #require(answer)
    }
    let tree = try JSONTree(try response("BTC-USDC").body)
    let book = try #require(tree["pricebook"])
    #expect(book["product_id"]?.text == "BTC-USD")
    let best = driver.venue.bestLevels(Symbol(known: "BTC-USD"), depth: 30)
    let levels = try #require(best)
    for (key, rows) in [("bids", levels.bids), ("asks", levels.asks)] {
      let sent = try #require(book[key]).elements.map { [$0["price"]?.text, $0["size"]?.text] }
      #expect(sent == rows.map { [$0.price.description, $0.size.description] })
    }
    #expect(try response("NOPE-USD").status == 404)
  }

  @Test func `the response comes after the snapshots`() {
    var driver = connected()
    driver.send(subscribe("level2", "BTC-USD"), from: 1)
    let messages = driver.take(1)
    #expect(messages.map { member($0, "channel") } == ["l2_data", "subscriptions"])
    #expect(messages[1].contains(#""subscriptions":{"level2":["BTC-USD"]}"#))
  }

  @Test func `some updates are empty, some remove a price that is not in the book`() throws {
    var driver = connected()
    driver.send(subscribe("level2", "BTC-USD"), from: 1)
    driver.run(milliseconds: 60_000)
    var held: Set<String> = []
    var (updates, empty, orphans) = (0, 0, 0)
    for message in driver.take(1) where message.contains("l2_data") {
      let isSnapshot = message.contains(#""type":"snapshot""#)
      if !isSnapshot { updates += 1 }
      if message.contains(#""updates":[]"#) { empty += 1 }
      for row in message.split(separator: #"{"side":"#).dropFirst() {
        let text = #"{"side":"# + row
        let key = member(text, "side") + member(text, "price_level")
        let isGone = member(text, "new_quantity") == "0"
        #expect(!member(text, "new_quantity").isEmpty)
        if isGone, held.remove(key) == nil { orphans += 1 }
        if !isGone { held.insert(key) }
      }
    }
    #expect(updates > 400 && empty * 20 > updates && orphans > 5, "\(updates) \(empty) \(orphans)")
    let truth = try #require(driver.venue.publishedLevels(VenueCase.coinbase.bitcoin, depth: .max))
    #expect(held.count == truth.bids.count + truth.asks.count)
  }

  @Test func `a product in another dollar is sent as the one in dollars`() {
    var driver = connected()
    driver.send(subscribe("level2", "BTC-USDC"), from: 1)
    let messages = driver.take(1)
    #expect(messages.first?.contains(#""product_id":"BTC-USD""#) == true)
  }

  @Test func `unknown channels are refused in the venue's words, unknown products ignored`() {
    var driver = connected()
    driver.send(subscribe("heartbeat"), from: 1)
    driver.send("nonsense", from: 1)
    driver.send(subscribe("level2", "NOPE-USD"), from: 1)
    let messages = driver.take(1)
    #expect(messages[0] == #"{"type":"error","message":"authentication failure"}"#)
    #expect(messages[1].hasPrefix(#"{"type":"error""#))
    #expect(messages.count == 3 && member(messages[2], "channel") == "subscriptions")
  }

  @Test func `a client that subscribes to nothing is left after five seconds`() {
    var driver = connected()
    driver.run(milliseconds: 4000)
    #expect(driver.closed.isEmpty)
    driver.run(milliseconds: 3000)
    #expect(driver.closed == [ClientID(1)])
    driver.connect(2, VenueRequest(path: "/advanced"))
    driver.send(String(repeating: " ", count: 17_000), from: 2)
    #expect(driver.closed.contains(ClientID(2)), "too long a message")
  }

  @Test func `only the stream's path is accepted`() {
    var venue = SimulatedCoinbase(seed: 1, start: Driver.start)
    #expect(venue.refusal(of: VenueRequest(path: "/"), at: Driver.start)?.status == 404)
    #expect(venue.refusal(of: VenueRequest(path: "/advanced"), at: Driver.start) == nil)
  }

  @Test func `equal seeds give equal streams`() {
    let streams = (0..<2).map { _ in
      var driver = connected(seed: 11)
      driver.send(subscribe("level2", "BTC-USD"), from: 1)
      driver.send(subscribe("market_trades", "BTC-USD"), from: 1)
      driver.run(milliseconds: 10_000)
      return driver.take(1)
    }
    #expect(streams[0] == streams[1] && streams[0].count > 50)
  }

  @Test func `a pause of the host leaves no gap in the stream`() throws {
    var driver = connected()
    driver.send(subscribe("level2", "ETH-BTC"), from: 1)
    driver.run(milliseconds: 1000)
    let later = driver.now.adding(milliseconds: 60_000)
    for case .send(_, let bytes, _) in driver.venue.advance(to: later) {
      driver.venue.disconnect(ClientID(9))
      #expect(bytes.starts(with: Array(#"{"channel":"#.utf8)))
    }
    #expect(driver.venue.nextEvent.map { $0 > later } == true)
  }

  // MARK: REST

  private func ask(
    _ venue: inout SimulatedCoinbase, _ path: String, _ query: [(name: String, value: String)] = [],
    at now: Timestamp
  ) -> (status: Int, text: String) {
    let path = "/api/v3/brokerage/market/products" + path
    let answer = venue.respond(to: VenueRequest(path: path, query: query), at: now)
    return (answer?.status ?? 0, String(decoding: answer?.body ?? [], as: UTF8.self))
  }

  @Test func `candles are the folds of the trades, and those without a trade are left out`() {
    var driver = connected()
    driver.run(milliseconds: 400_000)
    let end = driver.now.milliseconds / 60_000 * 60
    let query = [
      ("start", String(end - 240)), ("end", String(end - 1)), ("granularity", "ONE_MINUTE"),
    ].map { (name: $0.0, value: $0.1) }
    let candles = ask(&driver.venue, "/BTC-USD/candles", query, at: driver.now).text
    let starts = candles.split(separator: #""start":"#).dropFirst().compactMap {
      Int64($0.dropFirst().prefix { $0 != "\"" })
    }
    #expect(!starts.isEmpty && starts == starts.sorted(by: >), "newest first")
    #expect(starts.allSatisfy { (end - 240..<end).contains($0) && $0 % 60 == 0 })
    let trades = ask(
      &driver.venue, "/BTC-USD/ticker",
      [("limit", "1000"), ("start", String(end - 240)), ("end", String(end - 1))].map {
        (name: $0.0, value: $0.1)
      }, at: driver.now
    ).text
    let numbers = trades.split(separator: #""trade_id":"#).dropFirst().compactMap {
      Int64($0.dropFirst().prefix { $0 != "\"" })
    }
    #expect(numbers.count > 10 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 == $1 + 1 })
    let quiet = ask(
      &driver.venue, "/SHIB-USD/candles",
      [
        ("start", String(end - 18_000)), ("end", String(end - 1)), ("granularity", "ONE_MINUTE"),
      ].map { (name: $0.0, value: $0.1) }, at: driver.now
    ).text
    #expect((1..<300).contains(quiet.split(separator: #""start":"#).count - 1))
  }

  @Test func `requests that can't be are refused in the venue's form`() {
    var driver = connected()
    let now = driver.now
    #expect(ask(&driver.venue, "/NOPE-USD/candles", at: now).status == 404)
    #expect(ask(&driver.venue, "/NOPE-USD", at: now).text.contains("product not found"))
    #expect(ask(&driver.venue, "/BTC-USD/candles", at: now).status == 400)
    #expect(ask(&driver.venue, "/BTC-USD/ticker", [("limit", "0")], at: now).status == 400)
    #expect(ask(&driver.venue, "/BTC-USD/odd", at: now).status == 404)
    let wide = [("start", "1"), ("end", "100000000"), ("granularity", "ONE_MINUTE")]
    let asked = wide.map { (name: $0.0, value: $0.1) }
    #expect(ask(&driver.venue, "/BTC-USD/candles", asked, at: now).status == 400)
    #expect(driver.venue.respond(to: VenueRequest(path: "/other"), at: now) == nil)
  }

  @Test func `products have their second names`() {
    var driver = connected()
    let text = ask(&driver.venue, "", at: driver.now).text
    #expect(text.contains(#""product_id":"BTC-USDC""#) && text.contains(#""alias":"BTC-USD""#))
    #expect(text.contains(#""price_increment":"0.01""#))
  }
}

import MarketModel
import Testing
import VenueProtocols
import VenueSimulator

struct SimulatedKrakenTests {
  private func driver(seed: UInt64 = 3) -> VenueDriver<SimulatedKraken> {
    var driver = VenueDriver(SimulatedKraken(seed: seed, start: VenueDriver<SimulatedKraken>.start))
    driver.connect(1, VenueRequest(path: "/v2"))
    return driver
  }

  private func subscribe(
    _ channel: String, _ symbols: String..., extra: String = "", id: Int = 7
  ) -> String {
    let list = symbols.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"method":"subscribe","params":{"channel":"\#(channel)","symbol":[\#(list)]\#(extra)}"#
      + #","req_id":\#(id)}"#
  }

  @Test func `a client is greeted with the status`() throws {
    var driver = driver()
    let greeting = try JSONTree(try #require(driver.take(1).first))
    #expect(greeting["channel"]?.text == "status" && greeting["type"]?.text == "update")
    #expect(greeting["data"]?[0]?["system"]?.text == "online")
  }

  @Test func `only the documented path is answered`() {
    var venue = SimulatedKraken(seed: 1, start: VenueDriver<SimulatedKraken>.start)
    #expect(venue.refusal(of: VenueRequest(path: "/v2"), at: .init(nanoseconds: 0)) == nil)
    #expect(venue.refusal(of: VenueRequest(path: "/"), at: .init(nanoseconds: 0))?.status == 404)
  }

  @Test func `one acknowledgement a symbol, then its snapshot`() throws {
    var driver = driver()
    _ = driver.take(1)
    driver.send(subscribe("book", "BTC/USD", "ETH/USD", extra: ",\"depth\":25"), from: 1)
    let answers = try driver.take(1).map { try JSONTree($0) }
    #expect(answers.count == 4)
    for (index, symbol) in [(0, "BTC/USD"), (2, "ETH/USD")] {
      #expect(answers[index]["method"]?.text == "subscribe")
      #expect(answers[index]["success"] == .boolean(true))
      #expect(answers[index]["req_id"]?.text == "7")
      #expect(answers[index]["result"]?["symbol"]?.text == symbol)
      #expect(answers[index]["result"]?["depth"]?.text == "25")
      let book = answers[index + 1]["data"]?[0]
      #expect(answers[index + 1]["type"]?.text == "snapshot")
      #expect(book?["symbol"]?.text == symbol)
      #expect(book?["bids"]?.elements.count == 25 && book?["asks"]?.elements.count == 25)
    }
  }

  @Test func `refusals have the venue's texts`() throws {
    var driver = driver()
    _ = driver.take(1)
    let cases: [(String, String)] = [
      (subscribe("book", "XBT/USD"), "Currency pair not supported XBT/USD"),
      (subscribe("book", "BTC/USD", extra: ",\"depth\":7"), "Subscription depth not supported"),
      (subscribe("ticks", "BTC/USD"), "Subscription name invalid"),
      (subscribe("trade"), "Pair(s) not found"),
      (#"{"method":"fly","req_id":7}"#, "Event(s) not found"),
      (
        #"{"method":"unsubscribe","params":{"channel":"trade","symbol":["BTC/USD"]},"req_id":7}"#,
        "Subscription Not Found"
      ),
    ]
    for (text, error) in cases {
      driver.send(text, from: 1)
      let answers = driver.take(1)
      #expect(answers.count == 1)
      let answer = try JSONTree(try #require(answers.first))
      #expect(answer["error"]?.text == error && answer["success"] == .boolean(false))
      #expect(answer["req_id"]?.text == "7")
    }
    driver.send("{", from: 1)
    #expect(driver.take(1).first?.contains("Malformed request") == true)
  }

  @Test func `a pair has one depth a connection`() throws {
    var driver = driver()
    driver.send(subscribe("book", "BTC/USD", extra: ",\"depth\":10"), from: 1)
    _ = driver.take(1)
    driver.send(subscribe("book", "BTC/USD", extra: ",\"depth\":100"), from: 1)
    #expect(driver.take(1).first?.contains("Already subscribed") == true)
  }

  @Test func `the trade snapshot holds fifty trades, numbered without a gap, oldest first`() throws
  {
    var driver = driver()
    driver.run(milliseconds: 120_000)
    _ = driver.take(1)
    driver.connect(2, VenueRequest(path: "/v2"))
    driver.send(subscribe("trade", "BTC/USD"), from: 2)
    let messages = try driver.take(2).map { try JSONTree($0) }
    let rows = try #require(messages.last?["data"]?.elements)
    #expect(rows.count == 50)
    let numbers = rows.compactMap { $0["trade_id"]?.text }.compactMap { Int64($0) }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    driver.run(milliseconds: 30_000)
    var next = try #require(numbers.last) + 1
    for message in try driver.take(2).map({ try JSONTree($0) })
    where message["channel"]?.text == "trade" {
      for row in message["data"]?.elements ?? [] {
        #expect(row["trade_id"]?.text == "\(next)")
        next += 1
      }
    }
    #expect(next > (numbers.last ?? 0) + 1, "some trades happen in half a minute")
  }

  @Test func `a quiet second brings a heartbeat, a ping a pong, silence of a minute the end`() {
    var driver = driver()
    _ = driver.take(1)
    driver.run(milliseconds: 5100)
    #expect(driver.take(1) == Array(repeating: #"{"channel":"heartbeat"}"#, count: 5))
    driver.send(#"{"method":"ping","req_id":101}"#, from: 1)
    let pong = driver.take(1).first ?? ""
    #expect(pong.hasPrefix(#"{"method":"pong","req_id":101,"time_in":""#))
    driver.run(milliseconds: 58_000)
    #expect(driver.closed.isEmpty)
    driver.run(milliseconds: 4000)
    #expect(driver.closed == [ClientID(1)])
  }

  @Test func `the same seed gives the same stream`() {
    func stream(_ seed: UInt64) -> [String] {
      var driver = driver(seed: seed)
      driver.send(subscribe("book", "BTC/USD", "ETH/BTC", "SHIB/USD"), from: 1)
      driver.send(subscribe("trade", "BTC/USD"), from: 1)
      driver.run(milliseconds: 20_000)
      return driver.take(1)
    }
    let first = stream(11)
    #expect(first.count > 300)
    #expect(first == stream(11))
    #expect(first != stream(12))
  }

  @Test func `nothing that a client sends traps`() {
    var driver = driver()
    let valid = subscribe("book", "BTC/USD", extra: ",\"depth\":10,\"snapshot\":true")
    for (index, bytes) in HostileInput.messages(around: valid).enumerated() {
      driver.connect(index + 2, VenueRequest(path: "/v2"))
      driver.send(String(decoding: bytes, as: UTF8.self), from: index + 2)
      _ = driver.take(index + 2)
    }
    driver.send(valid, from: 1)
    driver.run(milliseconds: 1000)
    #expect(
      driver.take(1).contains { $0.contains(#""type":"snapshot""#) && $0.contains("BTC/USD") },
      "a client that behaves is served all the same")
  }

  @Test(arguments: [
    "BTC/USD", "ETH/USD", "SOL/USD", "XRP/USD", "DOGE/USD", "SHIB/USD", "ETH/BTC",
  ])
  func `every pair has a market worth looking at`(_ name: String) throws {
    var driver = driver()
    let sampled = (0..<20).map { _ -> (bids: Int, asks: Int, spread: Int64) in
      driver.run(milliseconds: 3000)
      guard let book = driver.venue.bookLevels(name, depth: 100),
        let bid = book.bids.first.flatMap({ FixedDecimal($0.price) }),
        let ask = book.asks.first.flatMap({ FixedDecimal($0.price) })
      else { return (0, 0, 0) }
      return (book.bids.count, book.asks.count, ask.units - bid.units)
    }
    #expect(sampled.allSatisfy { $0.bids == 100 && $0.asks == 100 })
    #expect(sampled.allSatisfy { $0.spread > 0 })
  }
}

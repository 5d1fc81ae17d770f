// Requests, acknowledgements, partials and errors, byte by byte as captured.

import MarketModel
import Testing
import VenueSimulator

@Suite struct SimulatedBitMEXProtocolTests {
  private func driver(
    _ generation: BitMEXGeneration = .modern, subscribe: String? = nil
  ) -> VenueDriver<SimulatedBitMEX> {
    let start = VenueDriver<SimulatedBitMEX>.start
    var driver = VenueDriver(SimulatedBitMEX(seed: 2, start: start, generation: generation))
    let query = subscribe.map { [(name: "subscribe", value: $0)] } ?? []
    driver.connect(1, VenueRequest(path: "/realtime", query: query))
    return driver
  }

  private func answers(_ text: String, _ generation: BitMEXGeneration = .modern) -> [String] {
    var driver = driver(generation)
    _ = driver.take(1)
    driver.send(text, from: 1)
    return driver.take(1)
  }

  @Test func `the welcome comes first`() throws {
    var modern = driver()
    #expect(
      modern.take(1) == [
        #"{"info":"Welcome to the BitMEX Realtime API.","version":"2.0.0","#
          + #""timestamp":"2021-07-22T22:36:07.000Z","docs":"https://www.bitmex.com/app/wsAPI","#
          + #""heartbeatEnabled":false,"appName":"ws-feedhandler"}"#
      ])
  }

  @Test func `one acknowledgement a topic comes before the partials and echoes the request`() {
    let list = #"{"op": "subscribe", "args": ["trade:XBTUSD","quote:XBTUSD"]}"#
    let both = answers(list)
    #expect(both.count == 4)
    #expect(both[0] == #"{"success":true,"subscribe":"trade:XBTUSD","request":\#(list)}"#)
    #expect(both[1] == #"{"success":true,"subscribe":"quote:XBTUSD","request":\#(list)}"#)
    #expect(both[2].hasPrefix(#"{"table":"trade","action":"partial","keys":[],"types":{"#))
    #expect(both[3].hasPrefix(#"{"table":"quote","action":"partial","keys":[],"types":{"#))
    let bare = #"{"op":"subscribe","args":"trade:*"}"#
    #expect(answers(bare).first == #"{"success":true,"subscribe":"trade:*","request":\#(bare)}"#)
  }

  @Test func `subscriptions in the URL are acknowledged like a request`() {
    var driver = driver(subscribe: "instrument:XBTUSD,orderBookL2_25:XBTUSD")
    let messages = driver.take(1)
    #expect(messages.count == 5)
    let echo = #"{"op":"subscribe","args":["instrument:XBTUSD","orderBookL2_25:XBTUSD"]}"#
    #expect(messages[1] == #"{"success":true,"subscribe":"instrument:XBTUSD","request":\#(echo)}"#)
    #expect(messages[3].hasPrefix(#"{"table":"instrument","action":"partial","keys":["symbol"],"#))
  }

  @Test func `partials of the book are headed as captured`() throws {
    let legacy = try #require(
      answers(#"{"op":"subscribe","args":["orderBookL2:XBTUSD"]}"#, .legacy).last)
    let head =
      #"{"table":"orderBookL2","action":"partial","keys":["symbol","id","side"],"types":{"#
      + #""symbol":"symbol","id":"long","side":"symbol","size":"long","price":"float"},"#
      + #""foreignKeys":{"symbol":"instrument","side":"side"},"#
      + #""attributes":{"symbol":"parted","id":"sorted"},"filter":{"symbol":"XBTUSD"},"data":["#
      + #"{"symbol":"XBTUSD","id":87"#
    #expect(legacy.hasPrefix(head))
    let first = try #require(try JSONTree(legacy)["data"]?[0])
    #expect(first.keys == ["symbol", "id", "side", "size", "price"])
    #expect(first["side"]?.text == "Sell")
    let modern = try #require(answers(#"{"op":"subscribe","args":["orderBookL2:XBTUSD"]}"#).last)
    let tree = try JSONTree(modern)
    #expect(tree.keys == ["table", "action", "keys", "types", "filter", "data"])
    let row = try #require(tree["data"]?[0])
    #expect(row.keys == ["symbol", "id", "side", "size", "price", "timestamp", "transactTime"])
    #expect(row["price"]?.text?.contains(".") == true, "Java's spelling")
    #expect(modern.utf8.count < 2_000_000)
  }

  @Test func `partials of trade and quote hold one row in the captured order of keys`() throws {
    for generation in BitMEXGeneration.allCases {
      let trade = try JSONTree(
        try #require(answers(#"{"op":"subscribe","args":"trade:XBTUSD"}"#, generation).last))
      #expect(trade["data"]?.elements.count == 1)
      let keys = [
        "timestamp", "symbol", "side", "size", "price", "tickDirection", "trdMatchID",
        "grossValue", "homeNotional", "foreignNotional",
      ]
      #expect(trade["data"]?[0]?.keys == keys + (generation == .modern ? ["trdType"] : []))
      let quote = try JSONTree(
        try #require(answers(#"{"op":"subscribe","args":"quote:XBTUSD"}"#, generation).last))
      #expect(
        quote["data"]?[0]?.keys == [
          "timestamp", "symbol", "bidSize", "bidPrice", "askPrice", "askSize",
        ])
    }
  }

  @Test func `an unfiltered subscription covers every symbol and has an empty filter`() throws {
    let partial = try JSONTree(try #require(answers(#"{"op":"subscribe","args":"quote"}"#).last))
    #expect(partial["filter"]?.keys.isEmpty == true)
    #expect(
      partial["data"]?.elements.compactMap { $0["symbol"]?.text }
        == ["XBTUSD", "ETHUSD", "SOLUSD"])
  }

  @Test func `an unknown symbol gets an empty partial with its filter`() throws {
    let partial = try JSONTree(
      try #require(answers(#"{"op":"subscribe","args":"orderBookL2:NO\"PE"}"#).last))
    #expect(partial["filter"]?["symbol"]?.text == #"NO"PE"#)
    #expect(partial["data"]?.elements.isEmpty == true)
  }

  @Test func `quiet tables are acknowledged and empty`() throws {
    for table in ["liquidation", "funding", "settlement", "tradeBin1m", "quoteBin1d", "chat"] {
      let messages = answers(#"{"op":"subscribe","args":"\#(table):XBTUSD"}"#)
      #expect(messages.count == 2)
      #expect(try JSONTree(messages[1])["data"]?.elements.isEmpty == true, "\(table)")
    }
  }

  @Test func `an unknown table refuses the whole request`() {
    let request = #"{"op":"subscribe","args":["tradeBin1m","tradeBin5dm"]}"#
    #expect(
      answers(request) == [
        #"{"status":400,"error":"Unknown table: tradeBin5dm","meta":{},"request":\#(request)}"#
      ])
  }

  @Test func `subscribing twice is an error and changes nothing`() throws {
    var driver = driver(subscribe: "trade:XBTUSD")
    _ = driver.take(1)
    let request = #"{"op":"subscribe","args":"trade:XBTUSD"}"#
    driver.send(request, from: 1)
    #expect(
      driver.take(1) == [
        #"{"status":400,"error":"You are already subscribed to this topic: trade:XBTUSD","#
          + #""meta":{},"request":\#(request)}"#
      ])
    driver.run(milliseconds: 30_000)
    let times = try driver.take(1).map { try JSONTree($0)["data"]?[0]?["trdMatchID"]?.text }
    #expect(Set(times).count == times.count, "each trade once")
  }

  @Test func `unsubscribing is acknowledged and stops the stream`() {
    var driver = driver(subscribe: "orderBookL2:XBTUSD")
    _ = driver.take(1)
    let request = #"{"op":"unsubscribe","args":["orderBookL2:XBTUSD"]}"#
    driver.send(request, from: 1)
    #expect(
      driver.take(1) == [
        #"{"success":true,"unsubscribe":"orderBookL2:XBTUSD","request":\#(request)}"#
      ])
    driver.run(milliseconds: 5000)
    #expect(driver.take(1).isEmpty)
  }

  @Test func `tables of accounts are refused, public topics beside them are not`() throws {
    var driver = driver(subscribe: "execution:XBTUSD,quote:XBTUSD,margin")
    let statuses = try driver.take(1).map { try JSONTree($0)["status"]?.text }
    #expect(statuses == [nil, "401", nil, "401", nil])
  }

  @Test func `ping and other texts are answered`() throws {
    #expect(answers("ping") == ["pong"])
    for text in [
      "{", "help", "pong", "[]", #"{"op":"dance"}"#, #"{"args":[]}"#, #"{"op":"subscribe"}"#,
    ] {
      let error = try JSONTree(try #require(answers(text).first))
      #expect(error["status"]?.text == "400", "\(text)")
      #expect(error["error"] != nil)
    }
  }

  @Test func `too many errors and too big messages end the connection`() {
    var driver = driver()
    for _ in 0..<30 { driver.send("nonsense", from: 1) }
    #expect(driver.closed == [ClientID(1)])
    #expect(driver.take(1).count == 22, "the welcome and 21 errors")
    driver = self.driver()
    driver.send(String(repeating: " ", count: 20_000), from: 1)
    #expect(driver.closed == [ClientID(1)])
  }

  @Test func `a client that subscribes and unsubscribes without end is slowed down`() throws {
    var driver = driver()
    for _ in 0..<250 {
      driver.send(#"{"op":"subscribe","args":"trade:XBTUSD"}"#, from: 1)
      driver.send(#"{"op":"unsubscribe","args":"trade:XBTUSD"}"#, from: 1)
    }
    let errors = try driver.take(1).map { try JSONTree($0) }.filter { $0["error"] != nil }
    #expect(errors.first?["status"]?.text == "429")
    #expect(errors.first?["meta"]?["retryAfter"] != nil)
  }

  @Test func `a change is encoded once for all subscribers`() throws {
    var venue = driver(subscribe: "quote:XBTUSD").venue
    let now = VenueDriver<SimulatedBitMEX>.start
    _ = venue.connect(
      ClientID(2),
      VenueRequest(path: "/realtime", query: [(name: "subscribe", value: "quote")]), at: now)
    let effects = venue.advance(to: Timestamp(nanoseconds: now.nanoseconds + 2_000_000_000))
    let shared = effects.filter {
      guard case .send(let clients, _, _) = $0 else { return false }
      return clients == [ClientID(1), ClientID(2)]
    }
    #expect(!shared.isEmpty)
    venue.disconnect(ClientID(1))
    venue.disconnect(ClientID(2))
    #expect(venue.advance(to: Timestamp(nanoseconds: now.nanoseconds + 4_000_000_000)).isEmpty)
  }

  @Test func `trades eat the book that they report`() throws {
    for generation in BitMEXGeneration.allCases {
      var driver = driver(generation, subscribe: "orderBookL2:XBTUSD,trade:XBTUSD")
      var book = NaiveBitMEXClient(generation: generation, checksCrossing: false)
      driver.run(milliseconds: 60_000)
      var pending: [FixedDecimal: Int64] = [:]
      for text in driver.take(1) {
        let message = try JSONTree(text)
        if message["table"]?.text == "trade", message["action"]?.text == "insert" {
          let sizes = try message["data"]?.elements.map {
            (try #require($0["price"]?.decimal), try #require($0["size"]?.decimal?.units))
          }
          pending = Dictionary(sizes ?? [], uniquingKeysWith: +)
          for (price, size) in pending {
            let units = try #require(price.exactly(at: Scale(clamping: 4))).units
            let level = try #require(book.levels.values.first { $0.price == units })
            #expect(level.size >= size, "a trade of \(size) at \(price)")
          }
        }
        try book.apply(Array(text.utf8))
      }
      #expect(!pending.isEmpty && book.faults.isEmpty)
    }
  }

  @Test func `hostile messages never trap`() {
    var driver = driver()
    let valid = #"{"op":"subscribe","args":["orderBookL2_25:XBTUSD"]}"#
    for (index, message) in HostileInput.messages(around: valid).enumerated() {
      // A separate client for each, since errors disconnect.
      if index % 10 == 0 { driver.connect(1, VenueRequest(path: "/realtime")) }
      _ = driver.venue.receive(message, binary: index % 2 == 0, from: ClientID(1), at: driver.now)
    }
    for query in ["", ",", ":", "trade:XBTUSD,,", String(repeating: "x", count: 9000)] {
      driver.connect(2, VenueRequest(path: "/realtime", query: [(name: "subscribe", value: query)]))
    }
    driver.connect(3, VenueRequest(path: "/realtime"))
    driver.send(valid, from: 3)
    driver.run(milliseconds: 500)
    #expect(
      driver.take(3).contains { $0.contains(#""action":"partial""#) },
      "a client that behaves is served all the same")
  }
}

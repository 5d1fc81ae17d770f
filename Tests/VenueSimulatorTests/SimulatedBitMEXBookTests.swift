// The books that clients build from the stream equal the venue's own, at every step.

import MarketModel
import Testing
import VenueSimulator

@Suite struct SimulatedBitMEXBookTests {
  private static let start = VenueDriver<SimulatedBitMEX>.start

  private func venue(_ generation: BitMEXGeneration, seed: UInt64 = 8) -> SimulatedBitMEX {
    SimulatedBitMEX(seed: seed, start: SimulatedBitMEXBookTests.start, generation: generation)
  }

  /// Runs a naive client and compares after every `advance` or, to save time, once a second.
  private func follow(
    _ topic: String, _ generation: BitMEXGeneration, seconds: Int64, eachStep: Bool
  ) throws -> NaiveBitMEXClient {
    var venue = venue(generation)
    let (table, symbol) = (
      String(topic.prefix { $0 != ":" }), String(topic.drop { $0 != ":" }.dropFirst())
    )
    var client = NaiveBitMEXClient(table: table, generation: generation, checksCrossing: eachStep)
    var now = SimulatedBitMEXBookTests.start
    let end = now.nanoseconds + seconds * 1_000_000_000
    let request = VenueRequest(path: "/realtime", query: [(name: "subscribe", value: topic)])
    for effect in venue.connect(ClientID(1), request, at: now) { try apply(effect, &client) }
    while let next = venue.nextEvent, next.nanoseconds <= end {
      now = eachStep ? next : Timestamp(nanoseconds: now.nanoseconds + 1_000_000_000)
      for effect in venue.advance(to: now) { try apply(effect, &client) }
      let expected = try #require(venue.bookLevels(symbol))
      let book = client.book
      #expect(book.bids == expected.bids && book.asks == expected.asks)
      if book.bids != expected.bids { break }
    }
    return client
  }

  private func apply(_ effect: VenueEffect, _ client: inout NaiveBitMEXClient) throws {
    guard case .send(_, let bytes, _) = effect else { return }
    try client.apply(bytes)
  }

  @Test(arguments: BitMEXGeneration.allCases)
  func `a client that applies every delta has the venue's book after each step, never crossed`(
    generation: BitMEXGeneration
  ) throws {
    let client = try follow("orderBookL2:SOLUSD", generation, seconds: 20, eachStep: true)
    #expect(client.faults.isEmpty, "\(client.faults.prefix(5))")
    #expect((client.messages["update"] ?? 0) > 50)
    #expect((client.messages["insert"] ?? 0) > 5 && (client.messages["delete"] ?? 0) > 5)
  }

  @Test(arguments: BitMEXGeneration.allCases)
  func `the same holds for the whole book of XBTUSD`(generation: BitMEXGeneration) throws {
    let client = try follow("orderBookL2:XBTUSD", generation, seconds: 10, eachStep: false)
    #expect(client.faults.isEmpty, "\(client.faults.prefix(5))")
    #expect(!client.isCrossed && client.levels.count > 9000)
  }

  @Test func `XBTUSD is never crossed after any message`() throws {
    var driver = VenueDriver(venue(.modern, seed: 77))
    driver.connect(
      1,
      VenueRequest(
        path: "/realtime", query: [(name: "subscribe", value: "quote:XBTUSD,orderBookL2_25:XBTUSD")]
      )
    )
    driver.run(milliseconds: 300_000)
    var client = NaiveBitMEXClient(table: "orderBookL2_25", generation: .modern)
    var quotes = 0
    for text in driver.take(1) {
      try client.apply(Array(text.utf8))
      let message = try JSONTree(text)
      guard message["table"]?.text == "quote" else { continue }
      for row in message["data"]?.elements ?? [] {
        quotes += 1
        let bid = try #require(row["bidPrice"]?.decimal)
        let ask = try #require(row["askPrice"]?.decimal)
        #expect(bid < ask, "seed 77")
      }
    }
    #expect(client.faults.isEmpty, "\(client.faults.prefix(5))")
    #expect(quotes > 300)
  }

  @Test(arguments: [25, 100], BitMEXGeneration.allCases)
  func `the throttled tops follow the book, also for a listener that comes later`(
    depth: Int, generation: BitMEXGeneration
  ) throws {
    var driver = VenueDriver(venue(generation))
    let table = "orderBookL2_\(depth)"
    let request = VenueRequest(
      path: "/realtime", query: [(name: "subscribe", value: table + ":XBTUSD")])
    driver.connect(1, request)
    driver.run(milliseconds: 3030)
    driver.connect(2, request)
    driver.run(milliseconds: 2970)
    var books: [NaiveBitMEXClient] = []
    for number in 1...2 {
      var client = NaiveBitMEXClient(table: table, generation: generation)
      for text in driver.take(number) { try client.apply(Array(text.utf8)) }
      #expect(client.faults.isEmpty, "\(client.faults.prefix(5))")
      #expect(client.levels.values.count { $0.isAsk } == depth)
      #expect(client.levels.values.count { !$0.isAsk } == depth)
      books.append(client)
    }
    #expect(books[0].book.bids == books[1].book.bids && books[0].book.asks == books[1].book.asks)
    // Published at the end of the run, where no market step is due.
    let book = try #require(driver.venue.bookLevels("XBTUSD"))
    #expect(books[0].book.bids == Array(book.bids.prefix(depth)))
    #expect(books[0].book.asks == Array(book.asks.prefix(depth)))
  }

  @Test func `ten levels a side are sent whole and equal the book`() throws {
    var driver = VenueDriver(venue(.modern))
    driver.connect(
      1,
      VenueRequest(
        path: "/realtime", query: [(name: "subscribe", value: "orderBook10:ETHUSD")]))
    driver.run(milliseconds: 6000)
    let messages = try driver.take(1).map { try JSONTree($0) }.filter { $0["table"] != nil }
    #expect(messages.first?["action"]?.text == "partial")
    #expect(messages.dropFirst().allSatisfy { $0["action"]?.text == "update" })
    let row = try #require(messages.last?["data"]?[0])
    let book = try #require(driver.venue.bookLevels("ETHUSD"))
    for (side, levels) in [("bids", book.bids), ("asks", book.asks)] {
      let pairs = row[side]?.elements ?? []
      #expect(pairs.count == 10)
      for (pair, level) in zip(pairs, levels) {
        #expect(pair[0]?.text == level.price && pair[1]?.text == String(level.size))
      }
    }
  }

  @Test(arguments: BitMEXGeneration.allCases)
  func `the same seed gives the same bytes for a minute, another seed others`(
    generation: BitMEXGeneration
  ) {
    func stream(_ seed: UInt64) -> [String] {
      var driver = VenueDriver(venue(generation, seed: seed))
      let all = "orderBookL2,trade,quote,instrument,orderBook10,orderBookL2_25"
      driver.connect(1, VenueRequest(path: "/realtime", query: [(name: "subscribe", value: all)]))
      driver.run(milliseconds: 60_000)
      return driver.take(1)
    }
    let first = stream(5)
    #expect(first.count > 3000)
    #expect(first == stream(5))
    #expect(first != stream(6))
  }

  @Test func `the market does not depend on its subscribers`() throws {
    var (alone, watched) = (VenueDriver(venue(.modern)), VenueDriver(venue(.modern)))
    watched.connect(
      1,
      VenueRequest(path: "/realtime", query: [(name: "subscribe", value: "orderBookL2_25,trade")]))
    alone.run(milliseconds: 20_000)
    for _ in 0..<2000 { watched.run(milliseconds: 10) }
    for symbol in alone.venue.symbols {
      let (a, b) = try (
        #require(alone.venue.bookLevels(symbol)), #require(watched.venue.bookLevels(symbol))
      )
      #expect(a.bids == b.bids && a.asks == b.asks, "\(symbol)")
    }
  }

  @Test func `a long pause is short work and leaves no gap in the stream`() throws {
    var driver = VenueDriver(venue(.modern))
    driver.connect(
      1, VenueRequest(path: "/realtime", query: [(name: "subscribe", value: "orderBookL2:SOLUSD")]))
    driver.run(milliseconds: 1000)
    let later = Timestamp(nanoseconds: driver.now.nanoseconds + 86_400_000_000_000)
    let effects = driver.venue.advance(to: later)
    #expect(effects.count < 1000)
    #expect(driver.venue.nextEvent.map { $0 > later } == true)
    var client = NaiveBitMEXClient(generation: .modern)
    for text in driver.take(1) { try client.apply(Array(text.utf8)) }
    for effect in effects { try apply(effect, &client) }
    let book = try #require(driver.venue.bookLevels("SOLUSD"))
    #expect(client.book.bids == book.bids && client.book.asks == book.asks)
  }

  @Test func `legacy ids are computed from prices, modern ones are opaque`() throws {
    for generation in BitMEXGeneration.allCases {
      var driver = VenueDriver(venue(generation))
      driver.connect(
        1,
        VenueRequest(
          path: "/realtime", query: [(name: "subscribe", value: "orderBookL2:XBTUSD")]))
      let partial = try #require(driver.take(1).last)
      let rows = try #require(try JSONTree(partial)["data"]?.elements)
      let ids = rows.compactMap { $0["id"]?.decimal?.units }
      let prices = try rows.map { try #require($0["price"]?.decimal) }
      #expect(Set(ids).count == rows.count)
      #expect(zip(prices, prices.dropFirst()).allSatisfy { $0 > $1 }, "prices fall")
      let rising = zip(ids, ids.dropFirst()).count { $0 < $1 }
      switch generation {
      case .legacy:
        for (id, price) in zip(ids, prices) {
          let hundredths = try #require(price.exactly(at: Scale(clamping: 2))?.units)
          #expect(id == 8_800_000_000 - hundredths)
        }
      case .modern: #expect(rising > rows.count / 4 && rising < rows.count * 3 / 4)
      }
    }
  }
}

// The price tracker's echo from first batch to stop: PT1 to PT3 and the fault table.

import MarketModel
import Testing
import VenueProtocols

struct EchoTickerSessionTests: QuoteVenueTests {
  let names: [Symbol]

  init() throws { names = try ["AAPL", "GOOG", "TSLA"].map { try #require(Symbol($0)) } }

  func open(seed: UInt64 = 1) -> SessionDriver<EchoTickerSession> {
    var driver = SessionDriver(EchoTickerSession(symbols: names, seed: seed, origin: .simulated))
    driver.give(.opened)
    return driver
  }

  func message(_ text: String) throws -> EchoTickerMessage {
    try #require(try EchoTickerMessage(decoding: Array(text.utf8).span))
  }

  @Test func `PT2 the first batch goes out on opening, then one every two seconds`() throws {
    var driver = open()
    let first = try driver.takeSent().map(message)
    #expect(first.map { $0.symbol } == names && first.map { $0.sequence } == [1, 2, 3])
    #expect(first.allSatisfy { $0.price.units > 0 && $0.price.scale.digits == 2 })
    driver.pass(milliseconds: 1750)
    #expect(driver.takeSent() == [])
    driver.pass(milliseconds: 250)
    #expect(driver.takeSent().count == 3)
    driver.pass(milliseconds: 60_000)
    #expect(driver.takeSent().count == 90)
  }

  @Test func `PT2 the price changes when the echo comes back, not before`() throws {
    var driver = open()
    let sent = driver.takeSent()
    #expect(try driver.quote(names[0]).price == nil)
    #expect(driver.receive(sent[0]) == [changed(names[0])])
    #expect(try driver.quote(names[0]).price == message(sent[0]).price)
    #expect(try driver.quote(names[1]).price == nil)
    #expect(try driver.quote(names[0]).freshness.state == .live)
  }

  @Test func `PT1 direction and count follow the changes of value`() throws {
    var driver = open()
    var last: FixedDecimal?
    var expected = (direction: Direction.unchanged, changes: UInt64(0))
    for _ in 0..<200 {
      for text in driver.takeSent() {
        let echo = try message(text)
        driver.receive(text)
        guard echo.symbol == names[0] else { continue }
        if let last, last != echo.price {
          expected = (echo.price > last ? .up : .down, expected.changes + 1)
        }
        last = echo.price
        let view = try driver.quote(names[0])
        #expect(view.direction == expected.direction && view.changes == expected.changes)
      }
      driver.pass(milliseconds: 2000)
    }
    #expect(expected.changes > 150)
  }

  @Test func `the cadence neither drifts nor bursts after a pause`() {
    var driver = open()
    _ = driver.takeSent()
    driver.milliseconds = 2_240
    driver.give(.timer)
    driver.milliseconds = 3_990
    driver.give(.timer)
    #expect(driver.takeSent().count == 3, "the second batch was due at 4000, not at 4240")
    driver.milliseconds = 4_000
    driver.give(.timer)
    #expect(driver.takeSent().count == 3)
    driver.milliseconds = 61_000
    driver.give(.timer)
    driver.give(.timer)
    #expect(driver.takeSent().count == 3, "one batch after a pause")
    driver.milliseconds = 62_000
    driver.give(.timer)
    #expect(driver.takeSent().count == 3, "back on the grid")
  }

  @Test func `a wall clock that jumps changes nothing`() {
    var session = EchoTickerSession(symbols: names, seed: 1, origin: .simulated)
    let start = ClockReading(
      monotonic: MonotonicTime(milliseconds: 0), wall: Timestamp(milliseconds: 1_000_000))
    let later = ClockReading(
      monotonic: MonotonicTime(milliseconds: 1_000), wall: Timestamp(milliseconds: 0))
    #expect(session.handle(.opened, at: start).count == 4)
    #expect(session.handle(.timer, at: later) == [])
  }

  @Test func `repeated and overtaken echoes are ignored`() throws {
    var driver = open()
    let first = driver.takeSent()
    driver.pass(milliseconds: 2000)
    let second = driver.takeSent()
    #expect(driver.receive(second[0]) == [changed(names[0])])
    let settled = try driver.quote(names[0])
    #expect(driver.receive(second[0]) == [], "again")
    #expect(driver.receive(first[0]) == [], "overtaken")
    #expect(try driver.quote(names[0]) == settled && driver.rejected == [])
  }

  @Test func `echoes of an earlier connection are ignored`() throws {
    var driver = open()
    let early = driver.takeSent()
    driver.give(.closed)
    #expect(driver.receive(early[0]) == [])
    driver.give(.opened)
    #expect(driver.receive(early[0]) == [])
    #expect(try driver.quote(names[0]).price == nil)
    let sent = driver.takeSent()
    #expect(try message(sent[0]).session != message(early[0]).session)
    #expect(driver.receive(sent[0]) == [changed(names[0])])
  }

  @Test func `an echo that comes far too late is ignored`() throws {
    var driver = open()
    let early = driver.takeSent()
    driver.pass(milliseconds: 2_000 * Int64(EchoTickerSession.maximumBatchesInFlight))
    #expect(driver.receive(early[0]) == [])
    #expect(driver.receive(try #require(driver.takeSent().last)).count == 1)
  }

  @Test func `foreign messages are ignored, damaged ones counted, and no price moves`() throws {
    var driver = open()
    let sent = driver.takeSent()
    driver.receive(sent[0])
    let before = try driver.quote(names[0])
    for text in ["{}", "[]", "42", #""hello""#, "null", #"{"symbol":"AAPL","price":1}"#] {
      #expect(driver.receive(text) == [])
    }
    for text in ["Request served by x", "", "{", #"{"price":"1"}"#, #"{"price":1,"price":2}"#] {
      driver.receive(text)
    }
    let after = try driver.quote(names[0])
    #expect(driver.rejected.count == 5 && after.price == before.price)
    #expect(after.changes == before.changes && after.freshness.state == .late)
  }

  @Test func `an echo with another price, symbol or number than sent is refused`() throws {
    var driver = open()
    let sent = try message(driver.takeSent()[0])
    let forged = [
      EchoTickerMessage(
        symbol: sent.symbol, price: try decimal("1.23"), sequence: sent.sequence,
        session: sent.session),
      EchoTickerMessage(
        symbol: names[1], price: sent.price, sequence: sent.sequence, session: sent.session),
    ]
    for echo in forged { driver.receive(bytes: echo.message.bytes) }
    #expect(driver.rejected.map { $0.kind } == [.inconsistent, .inconsistent])
    let future = EchoTickerMessage(
      symbol: sent.symbol, price: sent.price, sequence: 999, session: sent.session)
    #expect(driver.receive(bytes: future.message.bytes) == [])
    #expect(try driver.quote(names[0]).price == nil)
    #expect(driver.receive(bytes: sent.message.bytes) == [changed(names[0])], "the true one counts")
  }

  @Test func `every byte of an echo flipped gives the true price or none`() throws {
    var opened = open()
    let sent = opened.takeSent()[0]
    let price = try message(sent).price
    let whole = Array(sent.utf8)
    for (bytes, flip) in flips(of: whole) {
      var driver = opened
      driver.receive(bytes: bytes)
      guard let shown = try driver.quote(names[0]).price else { continue }
      #expect(shown == price, "\(flip)")
    }
  }

  @Test func `PT3 stopping keeps the last price, starting continues from it`() throws {
    var driver = open()
    for text in driver.takeSent() { driver.receive(text) }
    let before = try driver.quote(names[0])
    #expect(driver.give(.closed).count == 3)
    #expect(driver.pass(milliseconds: 10_000) == [], "no batch while closed")
    #expect(try driver.quote(names[0]).price == before.price)
    #expect(try driver.quote(names[0]).freshness.state == .disconnected)
    driver.give(.opened)
    #expect(try driver.quote(names[0]).freshness.state == .stale)
    let echo = driver.takeSent()[0]
    driver.receive(echo)
    #expect(try driver.quote(names[0]).freshness.state == .live)
    let moved = try message(echo).price.units - (before.price?.units ?? 0)
    #expect(moved.magnitude <= max(1, (before.price?.units ?? 0).magnitude * 15 / 1000))
  }

  @Test func `echoes that stay away make prices late, then stale`() throws {
    var driver = open()
    for _ in 0..<10 {
      for text in driver.takeSent() { driver.receive(text) }
      driver.pass(milliseconds: 2000)
    }
    #expect(try driver.quote(names[0]).freshness.state == .live)
    driver.pass(milliseconds: 5_000)
    #expect(try driver.quote(names[0]).freshness.state == .late)
    driver.pass(milliseconds: 20_000)
    #expect(try driver.quote(names[0]).freshness.state == .stale)
  }

  @Test func `the quotes of all symbols exist, wanted or not, and no others`() throws {
    var driver = open()
    driver.want([])
    for text in driver.takeSent() { driver.receive(text) }
    for name in names { #expect(try driver.quote(name).price != nil) }
    let other = Subscription(.quote, try symbol("NOPE"))
    #expect(driver.session.value(for: other, at: driver.now) == nil)
    #expect(driver.session.value(for: Subscription(.book, names[0]), at: driver.now) == nil)
  }

  @Test func `equal seeds give equal prices, other seeds others; repeated symbols count once`()
    throws
  {
    var (one, same, other) = (open(seed: 5), open(seed: 5), open(seed: 6))
    #expect(one.takeSent() == same.takeSent())
    #expect(one.session != other.session)
    let twice = EchoTickerSession(symbols: names + names, seed: 5, origin: .simulated)
    #expect(twice.symbols == names)
  }

  @Test func `given start prices are where the walk starts`() throws {
    let session = EchoTickerSession(
      symbols: names, seed: 1, startPricesCents: [names[0]: 18_920, names[1]: -5],
      origin: .simulated)
    var driver = SessionDriver(session)
    driver.give(.opened)
    let sent = try driver.takeSent().map(message)
    #expect((18_636...19_204).contains(sent[0].price.units))
    #expect(sent[1].price.units > 400, "a price that can't be is drawn instead")
  }
}

struct EchoPriceWalkTests {
  @Test func `first prices are spread between 5 and 900`() {
    var walk = EchoPriceWalk(seed: 3)
    let prices = (0..<1000).map { _ in walk.firstPriceCents() }
    #expect(prices.allSatisfy { (500...90_000).contains($0) }, "seed 3")
    #expect(prices.contains { $0 < 5_000 } && prices.contains { $0 > 60_000 }, "seed 3")
  }

  @Test(arguments: [UInt64(0), 1, 42, .max])
  func `a walk stays in its bounds and takes small steps`(seed: UInt64) {
    var walk = EchoPriceWalk(seed: seed)
    for start in [Int64.min, -1, 0, 1, 100, 500, 90_000, 999_900, Int64.max] {
      var price = min(max(start, EchoPriceWalk.minimumCents), EchoPriceWalk.maximumCents)
      #expect(walk.price(after: start) > 0)
      for _ in 0..<5_000 {
        let next = walk.price(after: price)
        #expect((EchoPriceWalk.minimumCents...EchoPriceWalk.maximumCents).contains(next))
        #expect(abs(next - price) <= max(1, price * 150 / 10_000), "seed \(seed)")
        price = next
      }
    }
  }
}

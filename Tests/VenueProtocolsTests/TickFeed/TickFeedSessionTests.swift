// The tick feed from hello to silence: EX1 and the fault table.

import MarketModel
import Testing
import VenueProtocols

struct TickFeedSessionTests: QuoteVenueTests {
  let stock: Symbol

  init() throws { stock = try #require(Symbol("TRDS")) }

  func open() -> SessionDriver<TickFeedSession> {
    var driver = SessionDriver(TickFeedSession(symbol: stock, origin: .simulated))
    driver.give(.opened)
    return driver
  }

  func line(_ time: Int, _ last: String) -> String { "\(time),\(last),45.01,17,45.10,36\n" }

  func visible(_ effects: [SessionEffect]) -> [SessionEffect] {
    effects.filter { effect in
      if case .happened = effect { return false }
      return true
    }
  }

  @Test func `EX1 hello is sent on opening, without a newline`() {
    var driver = SessionDriver(TickFeedSession(symbol: stock, origin: .simulated))
    #expect(driver.give(.opened) == [.send(OutboundMessage(.stream, Array("hello".utf8))), .ready])
    driver.give(.closed)
    driver.give(.opened)
    #expect(driver.takeSent() == ["hello", "hello"])
  }

  @Test func `EX1 a tick gives price, best prices and sizes`() throws {
    var driver = open()
    #expect(visible(driver.receive(line(1, "45.05"))) == [changed(stock)])
    let view = try driver.quote(stock)
    #expect(view.price?.description == "45.05" && view.direction == .unchanged)
    #expect(view.bid?.description == "45.01" && view.ask?.description == "45.10")
    #expect(view.bidSize?.units == 17 && view.askSize?.units == 36)
    #expect(view.freshness.state == .live && driver.session.latestTick?.time == 1)
  }

  @Test func `EX1 a feed cut anywhere, in any pieces, gives the same ticks`() throws {
    let bytes = Array((line(1, "45.05") + "\r\n" + line(2, "45.07") + line(3, "45.06")).utf8)
    var whole = open()
    whole.receive(bytes: bytes, kind: .stream)
    #expect(whole.session.tickCount == 3 && whole.rejected == [])
    for size in 1...bytes.count {
      var driver = open()
      for start in stride(from: 0, to: bytes.count, by: size) {
        driver.receive(bytes: Array(bytes[start..<min(start + size, bytes.count)]), kind: .stream)
      }
      #expect(driver.session == whole.session, "pieces of \(size) bytes")
    }
  }

  @Test func `EX1 a half line is not used until its end has come`() throws {
    var driver = open()
    #expect(driver.receive("1,45.05,45.01,17,45.10,3") == [])
    #expect(try driver.quote(stock).price == nil)
    #expect(visible(driver.receive("6\n")) == [changed(stock)])
    #expect(try driver.quote(stock).askSize?.units == 36)
  }

  @Test func `EX1 a bad line is counted and never half used`() throws {
    var driver = open()
    driver.receive(line(1, "45.05"))
    let before = try driver.quote(stock)
    let effects = driver.receive("2,46,45.02,18,45.20,x\n" + line(2, "45.06"))
    guard case .rejected(let problem)? = effects.first else {
      Issue.record("accepted")
      return
    }
    #expect(problem.description == "best sell quantity: expected a number in range, found x")
    #expect(visible(effects).count == 2)
    #expect(try driver.quote(stock).bid == before.bid)
    #expect(try driver.quote(stock).price?.description == "45.06")
  }

  @Test func `EX1 an endless line is dropped up to its newline and counted once`() throws {
    var driver = open()
    for _ in 0..<100 { driver.receive(String(repeating: "9", count: 1000)) }
    #expect(driver.rejected.count == 1)
    driver.receive("9\n" + line(1, "45.05"))
    #expect(driver.rejected.count == 1)
    #expect(try driver.quote(stock).price?.description == "45.05")
  }

  @Test func `a crossed tick is refused as inconsistent`() throws {
    var driver = open()
    driver.receive("1,45.05,45.10,17,45.10,36\n")
    #expect(driver.rejected.first?.kind == .inconsistent)
    #expect(try driver.quote(stock).price == nil && driver.session.latestTick == nil)
  }

  @Test func `something that is no tick feed is given up, with bounded effects`() {
    var driver = open()
    let effects = driver.receive(String(repeating: "HTTP/1.1 400\r\n", count: 10_000))
    #expect(visible(effects).count == TickFeedSession.maximumBadLines + 1)
    #expect(effects.count == TickFeedSession.maximumBadLines + 2, "the doubt is reported once")
    guard case .reconnect? = effects.last else {
      Issue.record("not given up")
      return
    }
    #expect(driver.receive("more\n") == [])
    driver.give(.closed)
    driver.give(.opened)
    #expect(visible(driver.receive(line(1, "45.05"))) == [changed(stock)])
  }

  @Test func `a repeated line is the same snapshot, not a new one`() throws {
    var driver = open()
    driver.receive(line(1, "45.05"))
    #expect(driver.receive(line(1, "45.05")) == [])
    #expect(driver.session.tickCount == 1)
    driver.receive(line(2, "45.05"))
    #expect(driver.session.tickCount == 2)
    #expect(try driver.quote(stock).changes == 0)
  }

  @Test func `every tick of one read is reported, a repeated one is not`() throws {
    var driver = open()
    let effects = driver.receive(line(1, "45.05") + line(1, "45.05") + line(2, "45.05"))
    let ticks = effects.compactMap { effect -> UInt64? in
      guard case .happened(_, .tick(let tick, let number)) = effect, tick.time == number else {
        return nil
      }
      return number
    }
    #expect(ticks == [1, 2])
  }

  @Test func `a tick from the past is refused until the clock has surely been set back`() throws {
    var driver = open()
    driver.receive(line(100, "45.05"))
    driver.receive(line(99, "44.00"))
    driver.receive(line(101, "45.06"))
    driver.receive(line(10, "44.01") + line(11, "44.02"))
    #expect(try driver.quote(stock).price?.description == "45.06")
    #expect(driver.rejected.count == 3)
    driver.receive(line(12, "44.03"))
    #expect(try driver.quote(stock).price?.description == "44.03")
    #expect(driver.session.tickCount == 3)
  }

  @Test func `a reconnect drops the half line and confirms the price again`() throws {
    var driver = open()
    driver.receive(line(5, "45.05") + "6,45.0")
    #expect(driver.give(.closed) == [changed(stock)])
    #expect(try driver.quote(stock).freshness.state == .disconnected)
    #expect(try driver.quote(stock).price?.description == "45.05")
    driver.give(.opened)
    #expect(try driver.quote(stock).freshness.state == .stale)
    #expect(visible(driver.receive(line(1, "45.05"))) == [changed(stock)])
    #expect(try driver.quote(stock).freshness.state == .live && driver.rejected == [])
  }

  @Test func `silence is late after three ticks' time and stale after twelve`() throws {
    var driver = open()
    for time in 1...10 {
      driver.receive(line(time, "45.05"))
      driver.pass(milliseconds: 1000)
    }
    #expect(try driver.quote(stock).freshness.state == .live)
    driver.pass(milliseconds: 2250)
    #expect(try driver.quote(stock).freshness.state == .late)
    driver.pass(milliseconds: 9000)
    #expect(try driver.quote(stock).freshness.state == .stale)
  }

  @Test func `other streams do not exist`() throws {
    let driver = open()
    let other = Subscription(.quote, try symbol("OTHER"))
    #expect(driver.session.value(for: other, at: driver.now) == nil)
    #expect(driver.session.value(for: Subscription(.book, stock), at: driver.now) == nil)
  }

  @Test func `random bytes never trap`() {
    var driver = open()
    var generator = SplitMix64(seed: 7)
    let alphabet = Array("0123456789.,-e \r\n".utf8) + [0, 255]
    for _ in 0..<2_000 {
      let bytes = (0..<generator.below(60)).map { _ in
        alphabet[Int(generator.below(Int64(alphabet.count)))]
      }
      driver.receive(bytes: bytes, kind: .stream)
      if let tick = driver.session.latestTick { #expect(tick.bid < tick.ask, "seed 7") }
      driver.give(.closed)
      driver.give(.opened)
    }
  }
}

// The tick feed: silence until hello, then one line a second.

import MarketModel
import Testing
import VenueSimulator

@Suite struct SimulatedExchangeTests {
  private func driver(seed: UInt64 = 5, interval: Int64 = 1000) -> VenueDriver<SimulatedExchange> {
    VenueDriver(
      SimulatedExchange(
        seed: seed, start: VenueDriver<SimulatedExchange>.start, intervalMilliseconds: interval))
  }

  @Test func `nothing is sent before hello, one line a second after it`() {
    var driver = driver()
    driver.connect(1)
    driver.run(milliseconds: 5000)
    #expect(driver.take(1).isEmpty)
    driver.send("hello", from: 1)
    driver.run(milliseconds: 10_000)
    #expect(driver.take(1).count == 10)
  }

  @Test(arguments: [["hello\n"], ["hel", "lo"], ["h", "e", "l", "l", "o\r\n"], ["GET / hhello"]])
  func `hello is found however it is split and whatever comes before it`(parts: [String]) {
    var driver = driver()
    driver.connect(1)
    for part in parts { driver.send(part, from: 1) }
    driver.run(milliseconds: 1000)
    #expect(driver.take(1).count == 1)
  }

  @Test func `garbage is not hello`() {
    var driver = driver()
    driver.connect(1)
    for message in HostileInput.messages(around: "helo help hell o")
    where message != Array("hello".utf8) {
      _ = driver.venue.receive(message, binary: false, from: ClientID(1), at: driver.now)
    }
    driver.run(milliseconds: 3000)
    #expect(driver.take(1).isEmpty)
  }

  @Test func `lines hold a believable market`() throws {
    var driver = driver(seed: 9)
    driver.connect(1)
    driver.send("hello", from: 1)
    driver.run(milliseconds: 600_000)
    let lines = driver.take(1)
    #expect(lines.count == 600)
    var former: Int64?
    var usual = 0
    for line in lines {
      #expect(line.hasSuffix("\n"))
      let fields = line.dropLast().split(separator: ",").map(String.init)
      try #require(fields.count == 6)
      #expect(Int64(fields[0]) != nil)
      let prices = try [1, 2, 4].map { try #require(FixedDecimal(fields[$0])) }
      #expect(prices.allSatisfy { $0.scale.digits == 2 })
      let (last, bid, ask) = (prices[0], prices[1], prices[2])
      #expect(bid < ask)
      #expect(abs(last.units - bid.units) <= 60, "the last trade was near")
      let sizes = try [3, 5].map { try #require(Int(fields[$0])) }
      #expect(sizes.allSatisfy { $0 > 0 })
      usual += sizes.filter { (5...80).contains($0) }.count
      #expect((3500...5500).contains(last.units))
      if let former { #expect(abs(last.units - former) <= 100) }
      former = last.units
    }
    #expect(usual > 600, "most sizes at the touch are believable, \(usual) of 1,200")
  }

  @Test func `the same seed ticks alike, with or without listeners`() {
    var (early, late) = (driver(), driver())
    early.connect(1)
    early.send("hello", from: 1)
    early.run(milliseconds: 30_000)
    late.run(milliseconds: 20_000)
    late.connect(1)
    late.send("hello", from: 1)
    late.run(milliseconds: 10_000)
    #expect(Array(early.take(1).suffix(10)) == late.take(1))
  }

  @Test func `a long pause sends only the latest ticks`() {
    var driver = driver()
    driver.connect(1)
    driver.send("hello", from: 1)
    let later = Timestamp(nanoseconds: driver.now.nanoseconds + 86_400_000_000_000)
    #expect(driver.venue.advance(to: later).count <= 6)
    #expect(driver.venue.nextEvent.map { $0 > later } == true)
  }
}

@Suite struct SimulatedEchoTests {
  @Test func `messages come back unchanged and of the same kind`() {
    var echo = SimulatedEcho()
    let now = Timestamp(milliseconds: 0)
    for message in HostileInput.messages(around: #"{"symbol":"AAPL","price":"189.20"}"#) {
      for binary in [false, true] {
        #expect(
          echo.receive(message, binary: binary, from: ClientID(3), at: now)
            == [.send(to: [ClientID(3)], bytes: message, binary: binary)])
      }
    }
  }

  @Test func `a message beyond the bound closes the connection`() {
    var echo = SimulatedEcho()
    let big = [UInt8](repeating: 0, count: SimulatedEcho.maximumMessageBytes + 1)
    #expect(
      echo.receive(big, binary: true, from: ClientID(1), at: Timestamp(milliseconds: 0))
        == [.close(ClientID(1), code: 1009, reason: "message too big")])
  }
}

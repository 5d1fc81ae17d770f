// Faults on demand over an echo: what arrives, what does not, and that they end.

import MarketModel
import Testing
import VenueSimulator

@Suite struct FaultOrderTests {
  private typealias Driver = VenueDriver<FaultyVenue<SimulatedEcho>>

  private func driver(_ text: String, seed: UInt64 = 1) throws -> Driver {
    var driver = VenueDriver(FaultyVenue(SimulatedEcho(), seed: seed))
    driver.connect(1)
    try driver.inject(text)
    return driver
  }

  private func echoes(_ text: String, _ words: [String] = ["a", "b", "c", "d"]) throws -> [String] {
    var driver = try driver(text)
    for word in words { driver.send(word, from: 1) }
    driver.run(milliseconds: 1000)
    return driver.take(1)
  }

  @Test func `what befalls the next message does so once`() throws {
    #expect(try echoes("drop") == ["b", "c", "d"])
    #expect(try echoes("duplicate") == ["a", "a", "b", "c", "d"])
    #expect(try echoes("reorder") == ["b", "a", "c", "d"])
    #expect(try echoes("drop, duplicate") == ["b", "b", "c", "d"])
    #expect(try echoes("drop", ["pong", "a", "b"]) == ["pong", "b"], "a lost pong is no loss")
    var driver = try driver("drop")
    #expect(driver.venue.runningFaults(at: driver.now).count == 1)
    driver.send("a", from: 1)
    #expect(driver.venue.runningFaults(at: driver.now).isEmpty)
  }

  @Test func `a gap loses so many in a row`() throws {
    #expect(try echoes("gap=3") == ["d"])
    #expect(try echoes("gap=2@2") == ["a", "d"])
    #expect(try echoes("drop@3") == ["a", "b", "d"])
  }

  @Test func `a wrong checksum meets the next message that has one, and changes nothing else`()
    throws
  {
    let message = #"{"data":[{"checksum":4294967295,"timestamp":"x"}]}"#
    let wrong = #"{"data":[{"checksum":4294967294,"timestamp":"x"}]}"#
    #expect(try echoes("checksum", ["a", message, message]) == ["a", wrong, message])
  }

  @Test func `a delay moves every message by the same time and keeps their order`() throws {
    var driver = try driver("delay=300ms for 1s")
    driver.send("a", from: 1)
    driver.run(milliseconds: 200)
    driver.send("b", from: 1)
    driver.run(milliseconds: 99)
    #expect(driver.take(1).isEmpty)
    driver.run(milliseconds: 1)
    #expect(driver.take(1) == ["a"])
    driver.run(milliseconds: 600)
    #expect(driver.take(1) == ["b"])
    driver.send("c", from: 1)
    driver.run(milliseconds: 150)
    driver.send("d", from: 1)
    #expect(driver.take(1).isEmpty, "what has begun to wait is not overtaken")
    driver.run(milliseconds: 150)
    #expect(driver.take(1) == ["c", "d"])
    driver.send("e", from: 1)
    #expect(driver.take(1) == ["e"])
  }

  @Test func `the answer to a ping frame is as late as a message would be`() throws {
    var driver = try driver("delay=300ms for 1s")
    func delay() -> Int64 {
      let due = driver.venue.pongDue(of: ClientID(1), at: driver.now)
      return (due.nanoseconds - driver.now.nanoseconds) / 1_000_000
    }
    #expect(delay() == 300)
    driver.run(milliseconds: 900)
    driver.send("a", from: 1)
    driver.run(milliseconds: 100)
    #expect(delay() == 200, "the delay is over, what it holds goes first")
    driver.run(milliseconds: 200)
    #expect(driver.take(1) == ["a"])
    #expect(delay() == 0)
  }

  @Test func `during a stall only pings are answered; it ends by itself and loses nothing`() throws
  {
    var driver = try driver("stall for 2s")
    for text in ["a", "pong", "b"] { driver.send(text, from: 1) }
    #expect(driver.take(1) == ["pong"])
    #expect(driver.venue.answersPings(of: ClientID(1)))
    driver.run(milliseconds: 1999)
    #expect(driver.take(1).isEmpty)
    driver.run(milliseconds: 1)
    #expect(driver.take(1) == ["a", "b"])
    #expect(driver.venue.runningFaults(at: driver.now).isEmpty)
  }

  @Test func `what a delay and then a silence hold back keeps its order`() throws {
    var driver = try driver("delay=300ms for 1s, stall@2 for 400ms")
    for text in ["a", "b", "c"] { driver.send(text, from: 1) }
    driver.run(milliseconds: 299)
    driver.send("d", from: 1)
    driver.run(milliseconds: 101)
    driver.send("e", from: 1)
    driver.run(milliseconds: 1000)
    #expect(driver.take(1) == ["a", "b", "c", "d", "e"])
  }

  @Test func `a half-open connection receives nothing until the fault is cleared`() throws {
    var driver = try driver("half-open@1")
    #expect(driver.venue.answersPings(of: ClientID(1)))
    for text in ["a", "b", "pong"] { driver.send(text, from: 1) }
    #expect(driver.take(1) == ["a"])
    #expect(!driver.venue.answersPings(of: ClientID(1)))
    driver.venue.clearFaults(at: driver.now)
    driver.run(milliseconds: 0)
    #expect(driver.take(1) == ["b", "pong"])
    #expect(driver.venue.answersPings(of: ClientID(1)))
  }

  @Test func `what is held back has a bound`() throws {
    var driver = try driver("stall")
    for _ in 0...FaultyVenue<SimulatedEcho>.maximumHeldMessages { driver.send("x", from: 1) }
    #expect(driver.closed == [ClientID(1)])
  }

  @Test func `a close ends every connection at once, or each after its messages`() throws {
    for text in ["close=1012", "cut"] {
      var driver = try driver(text)
      #expect(driver.venue.nextEvent == driver.now)
      driver.run(milliseconds: 0)
      #expect(driver.closed == [ClientID(1)])
      driver.connect(2)
      driver.send("a", from: 2)
      #expect(driver.take(2) == ["a"])
    }
    var driver = try driver("close=1012@1")
    driver.send("a", from: 1)
    #expect(driver.take(1) == ["a"] && driver.closed.isEmpty)
    driver.send("b", from: 1)
    #expect(driver.take(1).isEmpty && driver.closed == [ClientID(1)])
  }

  @Test func `connections are refused by count or for a time`() throws {
    let request = VenueRequest(path: "")
    var counted = try driver("refuse=429*2")
    let statuses = (0..<3).map { _ in counted.venue.refusal(of: request, at: counted.now)?.status }
    #expect(statuses == [429, 429, nil])
    var timed = try driver("refuse=503 for 1s")
    for _ in 0..<5 { #expect(timed.venue.refusal(of: request, at: timed.now)?.status == 503) }
    timed.run(milliseconds: 1000)
    #expect(timed.venue.refusal(of: request, at: timed.now) == nil)
  }

  @Test func `a clock moves times in every spelling and nothing else`() throws {
    let spelled = [
      #"{"timestamp":"2021-07-22T23:59:59.865123Z","price":"1626993367"}"#:
        #"{"timestamp":"2021-07-23T00:01:29.865123Z","price":"1626993367"}"#,
      #"{"timeStamp":1626993367000,"id":62400580205,"checksum":1626993367}"#:
        #"{"timeStamp":1626993457000,"id":62400580205,"checksum":1626993367}"#,
      #"{"ts":"1626993367000","id":"1626993367"}"#: #"{"ts":"1626993457000","id":"1626993367"}"#,
      "1626993367,45.05,45.01,100,45.10,7\n": "1626993457,45.05,45.01,100,45.10,7\n",
      #"["2021-07-22T22:36:07Z",9999999999999,0.1626993367]"#:
        #"["2021-07-22T22:37:37Z",9999999999999,0.1626993367]"#,
      "2021-07-22T": "2021-07-22T", "": "",
    ]
    for (right, moved) in spelled {
      #expect(try echoes("clock=+90s", [right]) == [moved])
      #expect(try echoes("clock=-90s", [moved]) == [right])
    }
  }

  @Test func `a flood repeats the latest short message, so many a second, and ends`() throws {
    var driver = try driver("flood=5000/s for 2s")
    driver.run(milliseconds: 500)
    #expect(driver.take(1).isEmpty, "nothing has been said that could be repeated")
    driver.send("a", from: 1)
    driver.send(String(repeating: "x", count: 5000), from: 1)
    driver.run(milliseconds: 1000)
    let heard = driver.take(1)
    #expect((4990...5010).contains(heard.count { $0 == "a" }))
    #expect(heard.count { $0.utf8.count == 5000 } == 1)
    driver.run(milliseconds: 5000)
    #expect((2400...2600).contains(driver.take(1).count))
    #expect(driver.venue.nextEvent == nil)
  }

  @Test func `chances are alike for a seed, and there are no more faults than allowed`() throws {
    func heard(_ seed: UInt64) throws -> [String] {
      var driver = try driver("drop=10%, corrupt=5%, duplicate=5%", seed: seed)
      for index in 0..<500 { driver.send("message \(index)", from: 1) }
      return driver.take(1)
    }
    #expect(try heard(3) == heard(3))
    #expect(try heard(3) != heard(4))
    var full = try driver(Array(repeating: "drop@9", count: 16).joined(separator: ", "))
    #expect(throws: FaultSpecError.self) { try full.inject("drop") }
    #expect(full.venue.runningFaults(at: full.now).count == 16)
  }
}

extension VenueDriver where Wrapped: FaultInjecting {
  /// Injects faults now.
  mutating func inject(_ text: String) throws { try venue.inject(FaultSpec(text).orders, at: now) }
}

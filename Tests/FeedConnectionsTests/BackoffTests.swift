// Waiting: how long, how random, how it ends; and the budget of venues that count.

import MarketModel
import SocketTransport
import Testing
import VenueProtocols

@testable import FeedConnections

@Suite struct BackoffTests {
  @Test func `delays double to a minute and keep their jitter there`() {
    var backoff = Backoff(seed: 42)
    let spans: [Int64] = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60].map { $0 * 1000 }
    var atCap: Set<Int64> = []
    for span in spans {
      let delay = backoff.next()
      #expect(delay >= span / 2 && delay <= span, "seed 42: \(delay) of \(span)")
      if span == 60_000 { atCap.insert(delay) }
    }
    #expect(atCap.count == 6)
    backoff.reset()
    #expect(backoff.next() <= 1000)
  }

  @Test func `equal seeds wait equally, others do not`() {
    func delays(_ seed: UInt64) -> [Int64] {
      var backoff = Backoff(seed: seed)
      return (0..<10).map { _ in backoff.next() }
    }
    #expect(delays(7) == delays(7))
    #expect(delays(7) != delays(8))
  }

  /// Fails `count` attempts in a row; each connection lives for `milliseconds` first.
  private func delays(_ driver: inout Driver, count: Int, livingFor milliseconds: Int64) -> [Int64]
  {
    (0..<count).map { _ in
      driver.handle(.connected, .opened, .ready(wantsData: false))
      var left = milliseconds
      while left > 0 {
        driver.advance(min(1000, left))
        driver.handle(.received)
        left -= 1000
      }
      driver.handle(.failed(Driver.cut))
      let delay = driver.delay ?? -1
      driver.advance(max(0, delay))
      return delay
    }
  }

  @Test func `a connection that never lasts waits longer each time`() {
    var driver = Driver.at(.connecting)
    let waits = delays(&driver, count: 8, livingFor: 29_000)
    #expect(waits.prefix(6).elementsEqual(waits.prefix(6).sorted()), "\(waits)")
    #expect((waits.last ?? 0) >= 30_000)
  }

  @Test func `half a minute of health makes the next loss the first`() {
    var driver = Driver.at(.connecting)
    let waits = delays(&driver, count: 8, livingFor: 30_000)
    #expect(waits.allSatisfy { $0 <= 1000 }, "\(waits)")
  }

  @Test func `Retry-After is kept, even by Retry now`() {
    var driver = Driver.at(.connecting)
    let refusal = UpgradeRefusal(status: 429, body: [], retryAfterSeconds: 17)
    driver.handle(.failed(.transport(.upgradeRefused(refusal))))
    #expect(driver.delay == 17_000)
    driver.advance(1000)
    driver.handle(.retryNow)
    #expect(driver.phase == .backingOff)
    #expect(driver.delay == 16_000)
    driver.advance(16_000)
    #expect(driver.phase == .connecting)
  }

  @Test func `a rate limit said by the session waits too, ten seconds when it names none`() {
    for (seconds, expected) in [(29, 29_000), (nil, 10_000), (1_000_000, 3_600_000)]
      as [(Int?, Int64)]
    {
      var driver = Driver.at(.live)
      let problem = VenueProblem(
        .rateLimited(retryAfterSeconds: seconds), venue: .bitmex, "limit", userMessage: "Wait.")
      driver.handle(.failed(.venue(problem)))
      #expect(driver.delay == expected)
      #expect(driver.machine.status.reason == "Wait.")
    }
  }

  @Test func `Retry now ends a wait, but not faster than four times a second`() {
    var driver = Driver.at(.connecting)
    var attempts = 0
    for _ in 0..<1000 {
      driver.handle(.failed(Driver.cut))
      attempts += driver.handle(.retryNow).filter { $0 == .connect }.count
      attempts += driver.advance(10).filter { $0 == .connect }.count
    }
    #expect(attempts >= 35 && attempts <= 40, "\(attempts) in 10 s")
  }

  @Test func `start and stop in haste are bounded as well`() {
    var driver = Driver()
    var attempts = 0
    for _ in 0..<1000 {
      attempts += driver.handle(.start).filter { $0 == .connect }.count
      attempts += driver.advance(10).filter { $0 == .connect }.count
      driver.handle(.stop)
    }
    #expect(attempts <= 41, "\(attempts) in 10 s")
  }

  @Test func `a budget of forty an hour is never exceeded, whoever hurries`() {
    for isHasty in [false, true] {
      var driver = Driver(budget: .bitmex, seed: 3)
      driver.handle(.start)
      var times: [Int64] = [0]
      // Three hours in which nothing ever works.
      while driver.now < 3 * 3_600_000 {
        driver.handle(.failed(Driver.cut))
        var effects = isHasty ? driver.handle(.retryNow) : []
        effects += driver.advance(500)
        if effects.contains(.connect) { times.append(driver.now) }
      }
      for (index, time) in times.enumerated().dropFirst(40) {
        #expect(time - times[index - 40] >= 3_600_000, "attempt \(index)")
      }
      #expect(times.count > 100)
    }
  }

  @Test func `half of the budget spent, attempts are spread over the hour`() {
    var driver = Driver(budget: .bitmex)
    driver.handle(.start)
    for _ in 0..<30 {
      driver.handle(.failed(Driver.cut))
      driver.advance(driver.delay ?? 0)
    }
    driver.handle(.failed(Driver.cut))
    #expect((driver.delay ?? 0) == 90_000)
  }
}

// Back-off: duration, randomness, end; and the budget of venues with limits.

import MarketModel
import SocketTransport
import Testing
import VenueCatalogue
import VenueProtocols

@testable import FeedConnections

@Suite struct BackoffTests {
  @Test func `delays double to a minute and keep their jitter there`() {
    var backoff = Backoff(chance: SplitMix64(seed: 42))
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

  @Test func `any span doubles up to any cap, and restarts`() {
    for (first, cap, spans) in [
      (100, 2000, [100, 200, 400, 800, 1600, 2000, 2000]), (7, 7, [7, 7]), (0, 0, [1, 1]),
      (50, 20, [50, 50]), (1, .max, [1, 2, 4]),
    ] as [(Int64, Int64, [Int64])] {
      var backoff = Backoff(
        firstMilliseconds: first, capMilliseconds: cap, chance: SplitMix64(seed: 1))
      for span in spans { #expect((span / 2...span).contains(backoff.next()), "\(first), \(cap)") }
      backoff.reset()
      #expect((spans[0] / 2...spans[0]).contains(backoff.next()))
    }
  }

  @Test func `two hours of outage are waited out by 10 s at most where the budget bears it`() {
    let expected: [(ConnectionBudget, Int64)] = [
      (.ordinary, 10_000), (Venue.kraken.descriptor.budget, 10_000),
      (Venue.bitmex.descriptor.budget, 180_000),
    ]
    for (budget, longest) in expected {
      var driver = Driver(budget: budget, backoffCapMilliseconds: budget.backoffCapMilliseconds)
      driver.handle(.start)
      var waits: [Int64] = []
      while driver.now < 2 * 3_600_000 {
        driver.handle(.failed(Driver.cut))
        let wait = driver.delay ?? 0
        waits.append(wait)
        driver.advance(wait)
      }
      #expect(waits.max() == longest, "\(budget)")
    }
  }

  @Test func `equal seeds wait equally, others do not`() {
    func delays(_ seed: UInt64) -> [Int64] {
      var backoff = Backoff(chance: SplitMix64(seed: seed))
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

  @Test(arguments: Venue.allCases, [403, 418, 451])
  func `a venue that rejects this location is tried every five minutes, or when the user retries`(
    venue: Venue, status: Int
  ) {
    var driver = Driver(venue: venue, sendsToken: false)
    driver.handle(.start)
    let refusal = UpgradeRefusal(status: status, body: [], retryAfterSeconds: nil)
    for _ in 0..<5 {
      driver.handle(.failed(.transport(.upgradeRefused(refusal))))
      let delay = driver.delay ?? 0
      #expect(driver.phase == .backingOff && delay >= 300_000, "\(delay)")
      #expect(
        driver.machine.status.reason
          == "\(venue.descriptor.displayName) rejects this location or address (status \(status)).")
      driver.advance(delay)
      #expect(driver.phase == .connecting && driver.machine.status.rejectsLocation)
    }
    driver.handle(.failed(.transport(.upgradeRefused(refusal))))
    driver.advance(5000)
    driver.handle(.retryNow)
    #expect(driver.delay ?? 0 < 60_000, "the user may have changed the location")
    driver.advance(60_000)
    driver.handle(.opened)
    #expect(!driver.machine.status.rejectsLocation, "it accepts a connection now")
  }

  @Test func `a reader whose venue rejects the location is joined as soon as any other`() {
    var driver = Driver(venue: .binance, sendsToken: false)
    driver.handle(.start)
    driver.handle(.failed(.reader(.rejected("Binance rejects this location or address."))))
    #expect(driver.machine.status.rejectsLocation && driver.delay ?? .max < 60_000)
    #expect(driver.machine.status.reason == "Binance rejects this location or address.")
    driver.advance(60_000)
    driver.handle(.failed(.reader(.venue(nil))))
    #expect(!driver.machine.status.rejectsLocation)
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

  @Test func `a venue that asks for five seconds each time is left for longer each time`() {
    var driver = Driver.at(.connecting)
    let refusal = UpgradeRefusal(status: 429, body: [], retryAfterSeconds: 5)
    let delays = (0..<10).map { _ in
      driver.handle(.failed(.transport(.upgradeRefused(refusal))))
      let delay = driver.delay ?? 0
      driver.advance(delay)
      return delay
    }
    #expect(delays.allSatisfy { $0 >= 5000 }, "\(delays)")
    #expect((delays.last ?? 0) >= 30_000, "\(delays)")
  }

  @Test func `a rate limit within a healthy connection makes the next wait longer, too`() {
    var driver = Driver.at(.connecting)
    let problem = VenueProblem(
      .rateLimited(retryAfterSeconds: 5), venue: .bitmex, "limit", userMessage: "Wait.")
    let delays = (0..<10).map { _ in
      driver.handle(.connected, .opened, .ready(wantsData: false))
      for _ in 0..<40 {
        driver.advance(1000)
        driver.handle(.received)
      }
      driver.handle(.failed(.venue(problem)))
      let delay = driver.delay ?? 0
      driver.advance(delay)
      return delay
    }
    #expect((delays.last ?? 0) >= 30_000, "\(delays)")
  }

  @Test func `a rate limit of the session waits too, ten seconds without a given time`() {
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

  /// The times of attempts while the user presses Retry without pause, in milliseconds.
  private func times(
    _ driver: inout Driver, milliseconds: Int64, pressing: (inout Driver) -> Void
  ) -> [Int64] {
    var times: [Int64] = []
    let end = driver.now + milliseconds
    while driver.now < end {
      let last = driver.machine.attempts.last
      pressing(&driver)
      driver.advance(10)
      if let time = driver.machine.attempts.last, time != last {
        times.append(time.nanoseconds / 1_000_000)
      }
    }
    return times
  }

  @Test func `Retry now ends a wait at once, then after one, two and four seconds`() {
    var driver = Driver()
    // Rejected repeatedly, so that the machine makes no attempt by itself.
    driver.handle(.start)
    driver.advance(1000)
    let steps = times(&driver, milliseconds: 20_000) { driver in
      driver.handle(.failed(Driver.unauthorized))
      driver.handle(.retryNow)
    }
    #expect(zip(steps.dropFirst(), steps).map { $0 - $1 } == [1000, 2000, 4000, 8000], "\(steps)")
    #expect(steps.first == 1000)
  }

  @Test func `two minutes without haste make the next retry the first`() {
    var pace = HurryPace()
    func time(_ milliseconds: Int64) -> MonotonicTime {
      MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }
    for _ in 0..<20 { pace.use(at: time(0)) }
    #expect(pace.earliest(after: time(0)) == time(60_000))
    pace.use(at: time(119_999))
    #expect(pace.earliest(after: time(120_000)) == time(179_999))
    pace.use(at: time(239_999))
    #expect(pace.earliest(after: time(240_000)) == time(240_999))
  }

  @Test func `a page that presses Retry for ever leaves half of the budget to the machine`() {
    var driver = Driver(budget: Venue.bitmex.descriptor.budget, seed: 5)
    driver.handle(.start)
    var longest: Int64 = 0
    while driver.now < 2 * 3_600_000 {
      driver.handle(.failed(Driver.cut))
      driver.handle(.retryNow)
      longest = max(longest, driver.delay ?? 0)
      driver.advance(100)
    }
    #expect(longest <= 600_000, "the next attempt is \(longest) ms away")
  }

  @Test func `Retry now postpones nothing`() {
    for seed: UInt64 in 1...20 {
      var driver = Driver(seed: seed)
      driver.handle(.start)
      for _ in 0..<8 {
        driver.handle(.failed(Driver.cut))
        let planned = driver.delay ?? 0
        driver.handle(.retryNow)
        #expect((driver.delay ?? 0) <= planned, "seed \(seed)")
        driver.advance(planned)
      }
    }
  }

  @Test func `Stop and Start are no way round the pace`() {
    var driver = Driver.at(.live)
    let steps = times(&driver, milliseconds: 20_000) { driver in
      driver.handle(.stop)
      driver.handle(.start)
      driver.handle(.connected, .opened, .ready(wantsData: false))
    }
    #expect(steps.count <= 6, "\(steps)")
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

  @Test func `a budget of forty an hour is never exceeded, despite manual retries`() {
    for isHasty in [false, true] {
      var driver = Driver(budget: Venue.bitmex.descriptor.budget, seed: 3)
      driver.handle(.start)
      var times: [Int64] = [0]
      // Three hours without a success.
      while driver.now < 3 * 3_600_000 {
        driver.handle(.failed(Driver.cut))
        var effects = isHasty ? driver.handle(.retryNow) : []
        effects += driver.advance(500)
        if effects.contains(.connect) { times.append(driver.now) }
      }
      for (index, time) in times.enumerated().dropFirst(40) {
        #expect(time - times[index - 40] >= 3_600_000, "attempt \(index)")
      }
      #expect(times.count > 60)
    }
  }

  @Test func `half of the budget spent, attempts are spread over the hour`() {
    var driver = Driver(budget: Venue.bitmex.descriptor.budget)
    driver.handle(.start)
    for _ in 0..<30 {
      driver.handle(.failed(Driver.cut))
      driver.advance(driver.delay ?? 0)
    }
    driver.handle(.failed(Driver.cut))
    #expect((driver.delay ?? 0) == 180_000)
  }
}

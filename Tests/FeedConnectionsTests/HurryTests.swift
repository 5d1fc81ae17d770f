// Manual retries must never delay a venue's connection beyond what it would be without them.

import MarketModel
import SocketTransport
import Testing
import VenueCatalogue

@testable import FeedConnections

@Suite struct HurryTests {
  /// A machine with manual retries through twenty minutes of outage, now connected again.
  private func hurried(_ budget: ConnectionBudget, seed: UInt64) -> Driver {
    var driver = Driver(
      budget: budget, backoffCapMilliseconds: budget.backoffCapMilliseconds, seed: seed)
    driver.handle(.start)
    while driver.now < 1_200_000 {
      driver.handle(.failed(Driver.cut), .retryNow)
      driver.advance(250)
    }
    while driver.phase != .connecting { driver.advance(100) }
    driver.handle(.connected, .opened, .ready(wantsData: false))
    return driver
  }

  /// The machine's wait when it loses the connection now without manual retries.
  private func alone(_ driver: Driver) -> Int64 {
    var driver = driver
    driver.handle(.failed(Driver.cut))
    return driver.delay ?? -1
  }

  private static let counted = [Venue.bitmex.descriptor.budget, Venue.kraken.descriptor.budget]
  private static let budgets = counted + [.ordinary]

  @Test(arguments: budgets)
  func `a hurried wait is never longer than the machine's own`(budget: ConnectionBudget) {
    let ways: [(String, [ConnectionStateMachine.Event])] = [
      ("stop and start", [.stop, .start]), ("another token", [.configurationChanged]),
      ("retry after a refusal", [.failed(Driver.unauthorized), .retryNow]),
      ("start after a refusal", [.failed(Driver.unauthorized), .start]),
      ("another token after a refusal", [.failed(Driver.unauthorized), .configurationChanged]),
      ("retry in the wait", [.failed(Driver.cut), .retryNow]),
      ("stop and start in the wait", [.failed(Driver.cut), .stop, .start]),
    ]
    for seed: UInt64 in 1...4 {
      let driver = hurried(budget, seed: seed)
      for (name, events) in ways {
        var hasty = driver
        for event in events { hasty.handle(event) }
        let (wait, own) = (hasty.delay ?? 0, alone(driver))
        #expect(wait <= own, "\(name), seed \(seed): \(wait) instead of \(own) ms")
        hasty.advance(wait)
        #expect(hasty.phase == .connecting, "\(name), seed \(seed)")
      }
    }
  }

  @Test(arguments: counted)
  func `Retry leaves a stale connection alone unless it may try at once`(budget: ConnectionBudget) {
    var driver = hurried(budget, seed: 1)
    driver.advance(7000)
    #expect(driver.phase == .stale)
    #expect(driver.handle(.retryNow).isEmpty)
    driver.handle(.received)
    #expect(driver.phase == .live)
  }

  @Test(arguments: budgets, [(used: 5000, away: 3000), (used: 25_000, away: 10_000)])
  func `twelve app switches reconnect within 250 ms each, and Retry still works`(
    budget: ConnectionBudget, times: (used: Int64, away: Int64)
  ) {
    var driver = Driver(
      budget: budget, backoffCapMilliseconds: budget.backoffCapMilliseconds, seed: 1)
    driver.handle(.start)
    for number in 1...12 {
      driver.handle(.connected, .opened, .ready(wantsData: false))
      for _ in 0..<times.used / 1000 {
        driver.advance(1000)
        driver.handle(.received)
      }
      driver.handle(.stop)
      driver.advance(times.away)
      driver.handle(.resume)
      let wait = driver.delay ?? 0
      #expect(wait <= 250, "switch \(number): \(wait) ms")
      driver.advance(wait)
      #expect(driver.phase == .connecting, "switch \(number)")
    }
    driver.handle(.failed(Driver.cut), .retryNow)
    #expect((driver.delay ?? 0) <= 250)
  }

  @Test func `resuming replaces a connection, but keeps the venue's limits`() {
    var driver = Driver(budget: ConnectionBudget(attempts: 4, windowMilliseconds: 60_000), seed: 1)
    driver.handle(.resume)
    #expect(driver.phase == .connecting, "the first connection")
    driver.handle(.connected, .opened, .ready(wantsData: false))
    driver.advance(1000)
    driver.handle(.resume)
    #expect(driver.phase == .connecting, "the network is another")
    driver.handle(.connected, .opened, .ready(wantsData: false))
    driver.advance(100)
    #expect(driver.handle(.resume).isEmpty, "half of the budget is used: the connection stays")
    driver.handle(.failed(Driver.unauthorized), .resume)
    #expect(driver.phase == .refused, "another network makes no token valid")
  }

  @Test func `pressing Start and Stop puts an attempt off by nothing`() {
    for seed: UInt64 in 1...10 {
      var driver = hurried(.ordinary, seed: seed)
      let own = alone(driver)
      let attempts = driver.machine.status.reconnects
      let end = driver.now + own
      driver.handle(.failed(Driver.cut))
      while driver.now < end, driver.machine.status.reconnects == attempts {
        driver.handle(.stop, .start)
        driver.advance(min(100, end - driver.now))
      }
      #expect(driver.machine.status.reconnects > attempts, "seed \(seed): none in \(own) ms")
    }
  }

  @Test(arguments: budgets)
  func `after manual retries the next attempt is minutes away at most`(budget: ConnectionBudget) {
    var driver = Driver(budget: budget, seed: 7)
    driver.handle(.start)
    // Twenty minutes without retries, twenty with the maximum, and an hour without.
    var longest: Int64 = 0
    while driver.now < 6_000_000 {
      driver.handle(.failed(Driver.cut))
      if (1_200_000..<2_400_000).contains(driver.now) { driver.handle(.retryNow) }
      longest = max(longest, driver.delay ?? 0)
      driver.advance(500)
    }
    #expect(longest <= 180_000, "\(longest) ms")
  }
}

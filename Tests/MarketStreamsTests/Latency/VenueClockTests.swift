// A venue's clock over a virtual network: an estimated offset contains the truth within its
// uncertainty.

import MarketModel
import Testing

@testable import MarketStreams

/// A venue with a clock offset, behind a network with a delay in each direction.
private struct Route {
  let start: Int64 = 1_790_000_000_000_000_000
  var offset: Int64 = 0
  var out: Int64 = 10_000_000
  var back: Int64 = 10_000_000

  func venueTime(_ local: Int64) -> Timestamp { Timestamp(nanoseconds: start + local + offset) }

  func ask(_ clock: inout VenueClock, at local: Int64) {
    clock.take(
      sent: MonotonicTime(nanoseconds: local), got: venueTime(local + out),
      answered: venueTime(local + out + 31_000),
      received: MonotonicTime(nanoseconds: local + out + 31_000 + back))
  }

  /// The latency found for a message that took `back`.
  func hear(_ clock: inout VenueClock, at local: Int64) -> (nanoseconds: Int64, within: Int64)? {
    clock.latency(of: venueTime(local), arrived: MonotonicTime(nanoseconds: local + back))
  }

  func heard(_ clock: inout VenueClock, at local: Int64) throws -> (
    nanoseconds: Int64, within: Int64
  ) {
    let heard = hear(&clock, at: local)
    return try #require(heard)
  }

  func reading(_ local: Int64) -> ClockReading {
    ClockReading(
      monotonic: MonotonicTime(nanoseconds: local), wall: Timestamp(nanoseconds: start + local))
  }
}

@Suite struct VenueClockTests {
  private let second: Int64 = 1_000_000_000
  private let millisecond: Int64 = 1_000_000

  @Test(arguments: [UInt64(11), 12, 13])
  func `the true latency is within the reported range, whatever the delays`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      var clock = VenueClock(pings: .timed, resolution: 1000)
      var route = Route()
      route.offset = Int64(random.next() % 10_000_000_000) - 5_000_000_000
      for step in 1...20 {
        route.out = Int64(random.next() % 300_000_000)
        route.back = Int64(random.next() % 300_000_000)
        route.ask(&clock, at: Int64(step) * 10 * second)
        route.back = Int64(random.next() % 300_000_000)
        let heard = try route.heard(&clock, at: Int64(step) * 10 * second + second)
        #expect((heard.nanoseconds - route.back).magnitude <= UInt64(heard.within), "seed \(seed)")
      }
      let estimate = try #require(clock.estimate(at: route.reading(202 * second)))
      #expect((estimate.offset - route.offset).magnitude <= UInt64(estimate.within))
      #expect(estimate.steps == 0 && estimate.method == .pings)
    }
  }

  @Test func `a steady delay that begins later shows in full`() throws {
    var clock = VenueClock(pings: .timed, resolution: 1000)
    var route = Route()
    route.ask(&clock, at: second)
    route.back += 300 * millisecond
    for step in 2...30 {
      route.ask(&clock, at: Int64(step) * 10 * second)
      let heard = try route.heard(&clock, at: Int64(step) * 10 * second)
      #expect((heard.nanoseconds - route.back).magnitude <= UInt64(heard.within))
      #expect(heard.within < 45 * millisecond, "10 ms, and 100 µs for each second since")
    }
  }

  @Test func `a clock that is set is found by the next answer and counted`() throws {
    var clock = VenueClock(pings: .timed, resolution: 1000)
    var route = Route()
    route.ask(&clock, at: second)
    route.offset = 90 * second
    let negative = route.hear(&clock, at: 2 * second)
    #expect(negative == nil, "not a negative latency")
    route.ask(&clock, at: 3 * second)
    let heard = try route.heard(&clock, at: 4 * second)
    #expect((heard.nanoseconds - route.back).magnitude <= UInt64(heard.within))
    #expect(clock.estimate(at: route.reading(4 * second))?.steps == 1)
  }

  @Test func `a drift is reported with its uncertainty once a minute has passed`() throws {
    var clock = VenueClock(pings: .timed, resolution: 1000)
    var route = Route()
    for step in 0...360 {
      route.offset = Int64(step) * 10 * 50_000
      route.ask(&clock, at: second + Int64(step) * 10 * second)
      if step == 5 { #expect(clock.estimate(at: route.reading(52 * second))?.drift == nil) }
    }
    let drift = try #require(clock.estimate(at: route.reading(3601 * second))?.drift)
    #expect((drift.perBillion - 50_000).magnitude <= UInt64(drift.within), "50 ppm")
    #expect(drift.within < 6_000)
  }

  @Test(arguments: [VenuePings.timed, .frames])
  func `a venue is pinged at the start and each second, whatever it answers`(pings: VenuePings) {
    func time(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * second) }
    var clock = VenueClock(pings: pings, resolution: 1000)
    #expect(clock.wantsPing(at: time(5)))
    clock.noteAsked(at: time(5))
    #expect(!clock.wantsPing(at: MonotonicTime(nanoseconds: 6 * second - 1)))
    #expect(clock.wantsPing(at: time(6)))
    clock.noteAsked(at: time(6))
    Route().ask(&clock, at: 6 * second)
    #expect(!clock.wantsPing(at: MonotonicTime(nanoseconds: 7 * second - 1)))
    #expect(clock.wantsPing(at: time(7)))
    #expect(!VenueClock(pings: .none, resolution: 1000).wantsPing(at: time(5)))
  }

  @Test func `without such answers the fastest message of late is the measure`() throws {
    var clock = VenueClock(pings: .none, resolution: millisecond)
    var route = Route()
    route.offset = -3 * second
    route.back = 20 * millisecond
    let first = try route.heard(&clock, at: 100 * second).nanoseconds
    #expect(first == 0)
    route.back = 50 * millisecond
    let slower = try route.heard(&clock, at: 101 * second)
    #expect(slower.nanoseconds == 30 * millisecond && slower.within >= millisecond)
    route.back = 5 * millisecond
    let fastest = try route.heard(&clock, at: 102 * second).nanoseconds
    #expect(fastest == 0)
    route.back = 50 * millisecond
    let remembered = try route.heard(&clock, at: 170 * second).nanoseconds
    #expect(remembered == 45 * millisecond)
    for step in 171...300 { _ = route.hear(&clock, at: Int64(step) * second) }
    let forgotten = try route.heard(&clock, at: 301 * second).nanoseconds
    #expect(forgotten == 0)
    #expect(clock.estimate(at: route.reading(301 * second))?.method == .fastest)
  }

  @Test(arguments: [
    (Int64.min, Int64.min), (.max, .max), (-1, 5), (5, .max),
    (1_790_000_000_000_000_000, 1_789_000_000_000_000_000),
    (1_790_000_000_000_000_000, 1_790_000_100_000_000_000),
  ])
  func `an impossible pong is ignored`(got: Int64, answered: Int64) {
    var clock = VenueClock(pings: .timed, resolution: 1000)
    clock.take(
      sent: MonotonicTime(nanoseconds: second), got: Timestamp(nanoseconds: got),
      answered: Timestamp(nanoseconds: answered), received: MonotonicTime(nanoseconds: 2 * second))
    #expect(clock.estimate(at: Route().reading(2 * second)) == nil)
    let time = Timestamp(nanoseconds: got < 0 || got == .max ? got : .min)
    let latency = clock.latency(of: time, arrived: MonotonicTime(nanoseconds: second))
    #expect(latency == nil)
  }
}

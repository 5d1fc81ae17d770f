// Time that runs on while the machine sleeps, and clocks that show nonsense.

import MarketModel
import NIOConcurrencyHelpers
import Testing

@testable import FeedConnections

@Suite struct HubClockTests {
  @Test func `a wall clock beyond what nanoseconds can count shows the last time there is`() {
    #expect(HubClock.nanoseconds(seconds: 1, nanoseconds: 5) == 1_000_000_005)
    #expect(HubClock.nanoseconds(seconds: 9_223_372_036, nanoseconds: 999_999_999) == .max)
    #expect(HubClock.nanoseconds(seconds: .max, nanoseconds: 0) == .max)
    #expect(HubClock.nanoseconds(seconds: .min, nanoseconds: 0) == .min)
  }

  @Test func `the machine's clock goes on and shows this century`() {
    let (first, second) = (HubClock.live.now(), HubClock.live.now())
    #expect(second.monotonic >= first.monotonic)
    #expect(first.wall > ClockReading.earliestSetClock)
  }

  @Test func `after the machine has slept every connection is asked at once whether it lives`()
    async throws
  {
    let harness = HubHarness()
    try await harness.start()
    await harness.advance(500)
    #expect(try await harness.onNewest { $0.pings } == 0)
    harness.slept.withLockedValue { $0 = 3_600_000 }
    await harness.advance(250)
    #expect(try await harness.onNewest { $0.pings } == 1, "not five seconds after waking")
  }
}

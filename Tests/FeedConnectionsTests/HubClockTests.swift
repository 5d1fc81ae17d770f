// Time that continues while the machine sleeps, and clocks with invalid readings.

import MarketModel
import NIOConcurrencyHelpers
import NIOEmbedded
import Testing

@testable import FeedConnections

@Suite struct HubClockTests {
  @Test func `a wall clock beyond what nanoseconds can count shows the last time there is`() {
    #expect(HubClock.nanoseconds(seconds: 1, nanoseconds: 5) == 1_000_000_005)
    #expect(HubClock.nanoseconds(seconds: 9_223_372_036, nanoseconds: 999_999_999) == .max)
    #expect(HubClock.nanoseconds(seconds: .max, nanoseconds: 0) == .max)
    #expect(HubClock.nanoseconds(seconds: .min, nanoseconds: 0) == .min)
  }

  @Test func `the machine's clock advances and shows this century`() {
    let (first, second) = (HubClock.live.now(), HubClock.live.now())
    #expect(second.monotonic >= first.monotonic)
    #expect(first.wall > ClockReading.earliestSetClock)
  }

  @Test func `after the machine has slept every connection is asked at once whether it lives`()
    async throws
  {
    let harness = try await HubHarness.started()
    await harness.advance(500)
    #expect(try await harness.onNewest { $0.pings } == 0)
    harness.slept.withLockedValue { $0 = 3_600_000 }
    await harness.advance(250)
    #expect(try await harness.onNewest { $0.pings } == 1, "not five seconds after waking")
  }

  @Test func `after a sleep a connection is asked before what comes is read`() async throws {
    let harness = try await HubHarness.started()
    await harness.advance(500)
    harness.slept.withLockedValue { $0 = 3000 }
    try await harness.say("from before")
    #expect(try await harness.onNewest { $0.pings } == 1)
  }

  @Test func `a reading after a socket has noticed the sleep includes it as well`() async throws {
    let harness = try await HubHarness.started()
    let hub = harness.hub
    await harness.advance(500)
    harness.slept.withLockedValue { $0 = 3000 }
    try await harness.say("from before")
    #expect(try await harness.loop.executeInContext { hub.catchUp() } == 1)
  }

  @Test func `after a sleep what is known can be judged before any timer comes`() async throws {
    let harness = try await HubHarness.started()
    let key = try #require(harness.key("A"))
    let told = Journal<MarketKey>()
    let observation = harness.hub.observeChanges([key]) { told.append($0) }
    defer { observation.cancel() }
    await harness.advance(500)
    let hub = harness.hub
    let before = told.entries.count
    #expect(try await harness.loop.executeInContext { hub.catchUp() } == 0)
    #expect(told.entries.count == before)
    harness.slept.withLockedValue { $0 = 2000 }
    #expect(try await harness.loop.executeInContext { hub.catchUp() } == 1)
    #expect(told.entries.count == before + 1)
    #expect(try await harness.loop.executeInContext { hub.catchUp() } == 1, "once is enough")
  }
}

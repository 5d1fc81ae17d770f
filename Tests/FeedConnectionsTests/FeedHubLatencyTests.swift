// Latency inside the hub, only for messages that begin a frame.

import MarketModel
import MarketStreams
import NIOEmbedded
import Testing

@testable import FeedConnections

@Suite struct FeedHubLatencyTests {
  @Test func `the message that begins a frame is measured from the socket to the observer`()
    async throws
  {
    let harness = try await HubHarness.started()
    let key = try #require(harness.key("A"))
    let observation = harness.hub.observe([key], isMeasured: true) { _, _ in }
    await harness.advance(50)
    try await harness.onNewest { $0.nanosecondsSinceRead = 3_000_000 }
    try await harness.say("q A 1")
    await harness.advance(4)
    for price in 2...100 { try await harness.say("q A \(price)") }
    await harness.advance(16)
    let figures = try await figures(harness)
    #expect(figures.map(\.rung) == [.decoded, .state])
    #expect(figures.map(\.count) == [2, 2])
    #expect(figures.map(\.max) == [3_000_000, 12_000_000], "read 3 ms before, shown 16 - 4 later")
    withExtendedLifetime(observation) {}
  }

  @Test func `a message that another process has read has two rungs more`() async throws {
    let harness = try await HubHarness.started()
    let key = try #require(harness.key("A"))
    let observation = harness.hub.observe([key], isMeasured: true) { _, _ in }
    await harness.advance(50)
    try await harness.onNewest { $0.way = .copied }
    try await harness.say("q A 1")
    await harness.advance(16)
    #expect(try await figures(harness).map(\.rung) == [.decoded, .state])
    let now = harness.clock.now()
    try await harness.onNewest {
      $0.deliver(
        .readerTime(
          ReaderTime(
            epoch: 1, sent: now.monotonic, got: now.wall, answered: now.wall,
            received: now.monotonic)))
      let read = Timestamp(nanoseconds: now.wall.nanoseconds - 9_000_000)
      $0.way = .relayed(RelayedMessage(epoch: 1, read: read, held: 4_000_000, venueClock: nil))
    }
    try await harness.say("q A 2")
    let figures = try await figures(harness)
    #expect(figures.map(\.rung) == [.reader, .bus, .decoded, .state])
    #expect(figures.prefix(2).map(\.latest) == [4_000_000, 5_000_000])
    withExtendedLifetime(observation) {}
  }

  @Test func `measuring needs an observer, and excludes changes by time alone`() async throws {
    let harness = try await HubHarness.started()
    let key = try #require(harness.key("A"))
    let plain = harness.hub.observe([key]) { _, _ in }
    try await harness.say("q A 1")
    await harness.advance(5000)
    #expect(try await figures(harness).isEmpty)
    withExtendedLifetime(plain) {}
  }

  private func figures(_ harness: HubHarness) async throws -> [LatencyFigures] {
    let hub = harness.hub
    let reports = try await harness.loop.executeInContext { hub.latencyNow() }
    return reports.flatMap(\.figures).filter { $0.span == .sinceStart }
  }
}

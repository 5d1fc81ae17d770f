// What observers receive and when: conflated values, freshness that changes with time alone,
// statuses.

import VenueProtocols
import MarketModel
import NIOCore
import NIOEmbedded
import SocketTransport
import Testing

@testable import FeedConnections
import VenueCatalogue

@Suite struct FeedHubDeliveryTests {
  @Test func `a burst becomes one delivery of the newest value per frame`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let observation = harness.observe("A", "B", into: journal)
    await harness.advance(16)
    try await harness.say("q A 1")
    await harness.advance(1)
    for price in 2...100 { try await harness.say("q A \(price)") }
    #expect(journal.entries == ["A - waiting", "B - waiting", "A 1 live"])
    await harness.advance(15)
    #expect(journal.entries == ["A - waiting", "B - waiting", "A 1 live", "A 100 live"])
    withExtendedLifetime(observation) {}
  }

  @Test func `a lone value goes through at once, also when another came an interval ago`()
    async throws
  {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let observation = harness.observe("A", into: journal)
    await harness.advance(100)
    for price in 1...3 {
      try await harness.say("q A \(price)")
      await harness.settle()
      #expect(journal.entries.last == "A \(price) live")
      await harness.advance(16)
    }
    withExtendedLifetime(observation) {}
  }

  @Test func `a self-paced host is notified of every change and reads the newest value`()
    async throws
  {
    let harness = try await HubHarness.started()
    let changes = Journal<MarketKey>()
    let key = try #require(harness.key("A"))
    let (hub, loop) = (harness.hub, harness.loop)
    let observation = hub.observeChanges([key]) { changes.append($0) }
    await harness.settle()
    #expect(changes.entries == [key], "what there is already may be read")
    await harness.advance(16)
    let before = changes.entries.count
    for price in 1...10 { try await harness.say("q A \(price)") }
    #expect(changes.entries.count == before + 10, "without a frame in between")
    let value = try await loop.executeInContext { hub.value(of: key) }
    #expect(value.map(brief) == "A 10 live")
    observation.cancel()
    try await harness.say("q A 11")
    #expect(changes.entries.count == before + 10)
    async let done: Void = hub.shutdown()
    try await soon("the close") { try await harness.onNewest { $0.closeCode } != nil }
    await harness.advance(16)
    await done
    let gone = try await loop.executeInContext { hub.value(of: key) }
    #expect(gone == nil)
  }

  @Test func `a self-paced host is notified when only time has passed`() async throws {
    let harness = try await HubHarness.started()
    let changes = Journal<MarketKey>()
    let values = Journal<String>()
    let key = try #require(harness.key("A"))
    let other = harness.observe("A", into: values)
    let observation = harness.hub.observeChanges([key]) { changes.append($0) }
    await harness.advance(16)
    try await harness.say("q A 1")
    let before = changes.entries.count
    await harness.advance(2000)
    #expect((7...9).contains(changes.entries.count - before))
    #expect(values.entries.first == "A - waiting" && values.entries.contains("A 1 live"))
    withExtendedLifetime((observation, other)) {}
  }

  @Test func `every event of a burst is delivered at once, to the stream's observers`() async throws
  {
    let harness = try await HubHarness.started()
    let (events, values) = (Journal<UInt64>(), Journal<String>())
    let key = try #require(harness.key("A"))
    let observation = harness.hub.observeEvents([key]) { _, event, _ in
      if case .trade(let trade, _, _) = event { events.append(trade.arrival) }
    }
    let other = harness.observe("A", into: values)
    await harness.advance(16)
    #expect(try await harness.sent() == ["subscribe A"])
    for arrival in 1...100 { try await harness.say("t A \(arrival)") }
    try await harness.say("t B 101")
    #expect(events.entries == Array(1...100))
    #expect(values.entries == ["A - waiting"])
    observation.cancel()
    try await harness.say("t A 102")
    #expect(events.entries.count == 100)
    withExtendedLifetime(other) {}
  }

  @Test func `a value becomes late and stale by time alone, each reported once`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let observation = harness.observe("A", into: journal)
    await harness.advance(16)
    try await harness.say("q A 1")
    for _ in 0..<40 { await harness.advance(100) }
    #expect(journal.entries == ["A - waiting", "A 1 live", "A 1 late", "A 1 stale"])
    withExtendedLifetime(observation) {}
  }

  @Test func `a lost connection marks values at once and keeps them`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let observation = harness.observe("A", into: journal)
    await harness.advance(16)
    try await harness.say("q A 1")
    await harness.advance(20)
    try await harness.deliver(.ended(.closed(code: 1006, reason: "")))
    await harness.advance(20)
    #expect(journal.entries == ["A - waiting", "A 1 live", "A 1 disconnected"])
    withExtendedLifetime(observation) {}
  }

  @Test func `phases are reported as they happen`() async throws {
    let harness = HubHarness()
    let journal = Journal<String>()
    let observation = harness.phases(into: journal)
    let values = harness.observe("A", into: Journal())
    await harness.advance(16)
    try await harness.start()
    try await harness.say("q A 1")
    await harness.advance(5000)
    await harness.advance(2000)
    try await harness.deliver(.pong(roundTripMicroseconds: 5))
    try await harness.deliver(.ended(.closed(code: 1001, reason: "")))
    harness.hub.stop(.isin)
    await harness.advance(16)
    var phases: [String] = []
    for phase in journal.entries where phase != phases.last { phases.append(phase) }
    #expect(
      phases == [
        "idle", "connecting", "handshaking", "awaitingReady", "subscribing", "live", "stale",
        "live", "backingOff", "stopped",
      ])
    withExtendedLifetime((observation, values)) {}
  }

  @Test func `counters and the reason reach the status`() async throws {
    let harness = HubHarness()
    let journal = Journal<ConnectionStatus>()
    let observation = harness.hub.observeConnections { journal.append($0) }
    try await harness.start()
    for _ in 0..<3 { try await harness.say("nonsense") }
    try await harness.say("resync A")
    try await harness.deliver(.pong(roundTripMicroseconds: 321))
    await harness.advance(300)
    let status = try #require(journal.entries.last)
    #expect(status.rejectedMessages == 3)
    #expect(status.resyncs == 1)
    #expect(status.roundTripMicroseconds == 321)
    try await harness.say("reconnect")
    await harness.advance(16)
    let lost = try #require(journal.entries.last)
    #expect(lost.phase == .backingOff)
    #expect(lost.reason == "Scripted problem.")
    #expect(lost.nextAttempt != nil)
    withExtendedLifetime(observation) {}
  }

  @Test func `a round trip over text messages is measured from the hub's own probe`() async throws {
    let harness = HubHarness(probe: .text("ping"))
    let journal = Journal<ConnectionStatus>()
    let observation = harness.hub.observeConnections { journal.append($0) }
    try await harness.start()
    await harness.advance(5000)
    #expect(try await harness.sent() == ["ping"])
    await harness.advance(25)
    try await harness.say("pong")
    await harness.advance(250)
    #expect(journal.entries.last?.roundTripMicroseconds == 25_000)
    withExtendedLifetime(observation) {}
  }

  @Test func `a venue with late pongs is shown as delayed meanwhile`() async throws {
    let harness = HubHarness(tellsTime: true)
    let journal = Journal<ConnectionStatus>()
    let observation = harness.hub.observeConnections { journal.append($0) }
    try await harness.start()
    let number = try #require(try await harness.sent().compactMap(clockNumber).last)
    await harness.advance(40)
    try await harness.say("clock \(number)")
    await harness.advance(250)
    #expect(journal.entries.last?.roundTripMicroseconds == 40_000)
    /// Prices arrive regularly; each pong is for the ping so many before the latest.
    func pass(_ milliseconds: Int64, answersAfter late: Int) async throws {
      for _ in 0..<milliseconds / 250 {
        await harness.advance(250)
        try await harness.say("q A 1")
        let asked = try await harness.sent().compactMap(clockNumber)
        if asked.count > late { try await harness.say("clock \(asked[asked.count - 1 - late])") }
      }
    }
    try await pass(10_000, answersAfter: 1)
    #expect(journal.entries.allSatisfy { $0.delayMilliseconds == nil })
    try await pass(3500, answersAfter: 3)
    #expect(try #require(journal.entries.last?.delayMilliseconds) >= 2000)
    #expect(journal.entries.last?.phase == .live)
    let last = try #require(try await harness.sent().compactMap(clockNumber).last)
    try await harness.say("clock \(last)")
    await harness.settle()
    #expect(journal.entries.last?.delayMilliseconds == nil, "at once, not with the next tick")
    withExtendedLifetime(observation) {}
  }

  @Test func `a venue without times is pinged with frames, and late while they take long`()
    async throws
  {
    let harness = HubHarness()
    let journal = Journal<ConnectionStatus>()
    let observation = harness.hub.observeConnections { journal.append($0) }
    try await harness.start()
    /// Prices arrive regularly, and so do pongs for the pings before the latest.
    func pass(_ milliseconds: Int64, answersAfter late: Int) async throws {
      for _ in 0..<milliseconds / 250 {
        await harness.advance(250)
        try await harness.say("q A 1")
        let asked = try await harness.onNewest { $0.asked }
        guard asked.count > late else { continue }
        try await harness.deliver(.numberedPong(asked[asked.count - 1 - late]))
      }
    }
    try await pass(20_000, answersAfter: 0)
    let calm = try await harness.onNewest { $0.asked.count }
    #expect((19...21).contains(calm), "one a second, not \(calm) in twenty")
    #expect(try await harness.sent().allSatisfy { !$0.hasPrefix("time") })
    #expect(journal.entries.allSatisfy { $0.delayMilliseconds == nil })
    try await pass(5000, answersAfter: 3)
    #expect(try #require(journal.entries.last?.delayMilliseconds) >= 2500, "told again as it grows")
    #expect(journal.entries.last?.phase == .live)
    try await pass(4000, answersAfter: 0)
    #expect(journal.entries.last?.delayMilliseconds == nil)
    // A venue that never answers pings is not judged by them.
    try await pass(120_000, answersAfter: .max)
    #expect(journal.entries.last?.delayMilliseconds == nil)
    withExtendedLifetime(observation) {}
  }

  @Test func `what is long on its way to the reader is late here, too`() async throws {
    let harness = HubHarness()
    let journal = Journal<ConnectionStatus>()
    let observation = harness.hub.observeConnections { journal.append($0) }
    try await harness.start()
    try await harness.onNewest { $0.way = .copied }
    try await harness.deliver(.readerDelay(2600))
    #expect(journal.entries.last?.delayMilliseconds == 2600)
    await harness.advance(5000)
    #expect(journal.entries.last?.delayMilliseconds == 2600)
    try await harness.deliver(.readerDelay(nil))
    #expect(journal.entries.last?.delayMilliseconds == nil)
    try await harness.deliver(.readerDelay(2600))
    try await harness.deliver(.ended(.closed(code: 1006, reason: "")))
    #expect(journal.entries.last?.delayMilliseconds == nil, "the next connection is another")
    withExtendedLifetime(observation) {}
  }

  private func clockNumber(_ text: String) -> Int64? {
    text.hasPrefix("time ") ? Int64(text.dropFirst(5)) : nil
  }

  @Test func `raw messages are tapped before the session sees them`() async throws {
    let harness = try await HubHarness.started()
    try await harness.say("nonsense")
    #expect(harness.raw.entries == ["isin: hello", "isin: nonsense"])
  }

  @Test func `a handler may observe, cancel and command from within a delivery`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let inner = Journal<FeedObservation>()
    let key = try #require(harness.key("A"))
    let hub = harness.hub
    let outer = hub.observe([key]) { _, value in
      journal.append(brief(value))
      if inner.entries.isEmpty {
        inner.append(hub.observe([key]) { _, value in journal.append("inner " + brief(value)) })
        hub.retry(.isin)
      } else {
        inner.entries.first?.cancel()
      }
    }
    await harness.advance(16)
    try await harness.say("q A 1")
    await harness.advance(20)
    #expect(journal.entries.prefix(3) == ["A - waiting", "inner A - waiting", "A 1 live"])
    withExtendedLifetime(outer) {}
  }
}

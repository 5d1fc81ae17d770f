// Subscriptions: reference counts, lingering, one request for many rows, the same set after a
// reconnect.

import MarketModel
import NIOCore
import Testing

@testable import FeedConnections

@Suite struct FeedHubSubscriptionTests {
  @Test func `two observers of one stream are one connection and one subscription`() async throws {
    let harness = HubHarness()
    let (first, second) = (Journal<String>(), Journal<String>())
    let one = harness.observe("A", into: first)
    let two = harness.observe("A", into: second)
    try await harness.start()
    try await harness.say("q A 12.5")
    await harness.advance(20)
    #expect(try await harness.sent() == ["subscribe A"])
    #expect(try await harness.transports() == 1)
    #expect(first.entries == ["A - waiting", "A 12.5 live"])
    #expect(second.entries == ["A - waiting", "A 12.5 live"])
    one.cancel()
    await harness.advance(1000)
    #expect(try await harness.sent() == ["subscribe A"])
    two.cancel()
    await harness.advance(1000)
    #expect(try await harness.sent() == ["subscribe A", "unsubscribe A"])
  }

  @Test func `rows that appear together are one request`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let observations = ["A", "B", "C"].map { harness.observe($0, into: journal) }
    await harness.advance(16)
    let sent = try await harness.sent()
    #expect(sent == ["subscribe A,B,C"])
    withExtendedLifetime(observations) {}
  }

  @Test func `a row that comes back within a moment is never unsubscribed`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    var row: FeedObservation? = harness.observe("A", into: journal)
    for _ in 0..<10 {
      await harness.advance(100)
      row?.cancel()
      await harness.advance(200)
      row = harness.observe("A", into: journal)
    }
    await harness.advance(1000)
    #expect(try await harness.sent() == ["subscribe A"])
    row = nil
    await harness.advance(300)
    #expect(try await harness.sent() == ["subscribe A", "unsubscribe A"])
  }

  @Test func `rows that go one after the other are all unsubscribed`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let rows = ["A", "B", "C"].map { harness.observe($0, into: journal) }
    await harness.advance(16)
    for row in rows {
      row.cancel()
      await harness.advance(100)
    }
    await harness.advance(1000)
    let ends = ["unsubscribe A", "unsubscribe B", "unsubscribe C"]
    #expect(try await harness.sent() == ["subscribe A,B,C"] + ends)
  }

  @Test func `a stream that goes while the venue is stale is unsubscribed when it is back`()
    async throws
  {
    let harness = HubHarness()
    let phases = Journal<String>()
    let watching = harness.phases(into: phases)
    try await harness.start()
    let row = harness.observe("A", into: Journal())
    await harness.advance(16)
    for _ in 0..<28 { await harness.advance(250) }
    #expect(phases.entries.last == "stale")
    row.cancel()
    await harness.advance(1000)
    try await harness.deliver(.pong(roundTripMicroseconds: 1))
    await harness.advance(20)
    #expect(phases.entries.last == "live")
    #expect(try await harness.sent() == ["subscribe A", "unsubscribe A"])
    withExtendedLifetime(watching) {}
  }

  @Test func `a stream that goes before the greeting is not kept after it`() async throws {
    let harness = HubHarness()
    let row = harness.observe("A", into: Journal())
    harness.hub.start()
    try await harness.deliver(.connected)
    try await harness.deliver(.opened)
    row.cancel()
    await harness.advance(1000)
    try await harness.say("hello")
    await harness.advance(20)
    #expect(try await harness.sent().last == "unsubscribe A")
  }

  @Test func `a connection asks for nothing that went during the outage`() async throws {
    let harness = try await HubHarness.started()
    let row = harness.observe("A", into: Journal())
    await harness.advance(16)
    try await harness.deliver(.ended(.closed(code: 1006, reason: "")))
    row.cancel()
    await harness.advance(1000)
    #expect(try await harness.transports() == 2)
    try await harness.open()
    await harness.advance(1000)
    #expect(try await harness.sent().isEmpty)
  }

  @Test func `in a long outage the oldest of too many last values go, and no others`() async throws
  {
    let harness = try await HubHarness.started()
    let names = (0..<HubCore.maximumLingering + 2).map { "S\($0)" }
    let rows = names.map { harness.observe($0, into: Journal()) }
    await harness.advance(16)
    for name in names { try await harness.say("q \(name) 1") }
    try await harness.deliver(.ended(.closed(code: 1006, reason: "")))
    for row in rows {
      row.cancel()
      await harness.advance(1)
    }
    harness.hub.stop(.isin)
    await harness.advance(1000)
    let journal = Journal<String>()
    let again = ["S1", "S2", names[names.count - 1]].map { harness.observe($0, into: journal) }
    await harness.advance(16)
    #expect(
      journal.entries
        == ["S1 - waiting", "S2 1 disconnected", "\(names[names.count - 1]) 1 disconnected"])
    withExtendedLifetime(again) {}
  }

  @Test func `letting go of an observation cancels it`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    do { _ = harness.observe("A", into: journal) }
    await harness.advance(1000)
    let sent = try await harness.sent()
    #expect(sent == ["subscribe A", "unsubscribe A"] || sent.isEmpty)
  }

  @Test func `a late observer gets the present value at once`() async throws {
    let harness = try await HubHarness.started()
    let (early, late) = (Journal<String>(), Journal<String>())
    let one = harness.observe("A", into: early)
    try await harness.say("q A 1")
    await harness.advance(20)
    let two = harness.observe("A", into: late)
    await harness.advance(16)
    #expect(late.entries == ["A 1 live"])
    #expect(early.entries == ["A - waiting", "A 1 live"])
    withExtendedLifetime((one, two)) {}
  }

  @Test func `after a reconnect the subscribed set is requested, each once`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let kept = harness.observe("B", "C", into: journal)
    let dropped = harness.observe("A", into: journal)
    await harness.advance(16)
    try await harness.deliver(.ended(.closed(code: 1006, reason: "")))
    dropped.cancel()
    let added = harness.observe("D", into: journal)
    await harness.advance(1000)
    #expect(try await harness.transports() == 2)
    try await harness.open()
    #expect(try await harness.sent() == ["subscribe B,C,D"])
    withExtendedLifetime((kept, added)) {}
  }

  @Test func `a stream of an unknown venue or an unknown kind brings nothing`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let symbol = try #require(Symbol("A"))
    let observation = harness.hub.observe(
      [MarketKey(.bux, .quote, symbol), MarketKey(.isin, .book, symbol)]
    ) { _, value in journal.append(brief(value)) }
    await harness.advance(1000)
    #expect(journal.entries.isEmpty)
    observation.cancel()
    observation.cancel()
    await harness.advance(1000)
  }

  @Test func `no handler runs after cancel returns`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let observation = harness.observe("A", into: journal)
    await harness.advance(16)
    try await harness.say("q A 1")
    observation.cancel()
    await harness.advance(1000)
    #expect(journal.entries == ["A - waiting"])
  }

  @Test func `venues are apart: each has its connection and its streams`() async throws {
    let harness = HubHarness(venues: [.isin, .echo], greets: false)
    let journal = Journal<String>()
    let symbol = try #require(Symbol("A"))
    let observation = harness.hub.observe(
      [MarketKey(.isin, .quote, symbol), MarketKey(.echo, .quote, symbol)]
    ) { key, value in journal.append("\(key.venue): \(brief(value))") }
    await harness.advance(16)
    harness.hub.start(.echo)
    try await harness.deliver(.opened)
    #expect(try await harness.sent() == ["subscribe A"])
    try await harness.say("q A 2")
    await harness.advance(20)
    #expect(journal.entries.last == "echo: A 2 live")
    #expect(try await harness.transports() == 1)
    withExtendedLifetime(observation) {}
  }

  @Test func `during an outage the last values stay for new observers`() async throws {
    let harness = try await HubHarness.started()
    let (before, after) = (Journal<String>(), Journal<String>())
    let first = harness.observe("A", into: before)
    await harness.advance(16)
    try await harness.say("q A 1")
    await harness.advance(20)
    try await harness.deliver(.ended(.closed(code: 1006, reason: "")))
    first.cancel()
    await harness.advance(2000)
    let second = harness.observe("A", into: after)
    await harness.advance(16)
    #expect(after.entries == ["A 1 disconnected"])
    withExtendedLifetime(second) {}
  }
}

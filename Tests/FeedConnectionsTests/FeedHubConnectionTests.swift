// The hub's connections without sockets: silence, rejection, retries, new tokens, shutdown.

import MarketModel
import NIOCore
import NIOEmbedded
import SocketTransport
import Testing

@testable import FeedConnections

@Suite struct FeedHubConnectionTests {
  @Test func `an open but silent connection is probed, closed and replaced`() async throws {
    let harness = try await HubHarness.started()
    await harness.advance(5000)
    #expect(try await harness.onNewest { $0.pings } == 1)
    await harness.advance(2000)
    await harness.advance(2000)
    #expect(try await harness.onNewest { $0.closeCode } == 1000)
    await harness.advance(1000)
    #expect(try await harness.transports() == 2)
  }

  @Test func `events of a transport that was given up are dropped`() async throws {
    let harness = try await HubHarness.started()
    harness.hub.stop(.isin)
    try await harness.say("q A 1")
    try await harness.deliver(.ended(.closed(code: 1006, reason: "")))
    await harness.advance(100_000)
    #expect(try await harness.transports() == 1)
    #expect(harness.raw.entries == ["isin: hello"])
  }

  @Test func `a refused token waits for another one, which is then used`() async throws {
    let harness = HubHarness()
    harness.hub.start()
    let refusal = UpgradeRefusal(status: 401, body: [], retryAfterSeconds: nil)
    try await harness.deliver(.ended(.transport(.upgradeRefused(refusal))))
    await harness.advance(1_000_000)
    #expect(try await harness.transports() == 1)
    harness.hub.restart(.isin, headers: [("Authorization", "Bearer second")])
    #expect(try await harness.transports() == 2)
    #expect(try await harness.onNewest { $0.request.headers[0].value } == "Bearer second")
  }

  @Test func `a session that refuses is not tried again`() async throws {
    let harness = HubHarness()
    let journal = Journal<ConnectionStatus>()
    let observation = harness.hub.observeConnections { journal.append($0) }
    try await harness.start()
    try await harness.say("refuse")
    await harness.advance(1_000_000)
    #expect(try await harness.transports() == 1)
    #expect(journal.entries.last?.phase == .refused)
    #expect(journal.entries.last?.reason == "Scripted problem.")
    harness.hub.retry(.isin)
    #expect(try await harness.transports() == 2)
    withExtendedLifetime(observation) {}
  }

  @Test func `another session takes over the wanted streams`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let observation = harness.observe("A", into: journal)
    await harness.advance(16)
    try await harness.say("q A 1")
    await harness.advance(1000)
    harness.hub.restart(.isin, session: ScriptedSession(.isin))
    await harness.advance(20)
    #expect(journal.entries.last == "A - waiting")
    try await harness.open()
    #expect(try await harness.sent() == ["subscribe A"])
    withExtendedLifetime(observation) {}
  }

  @Test func `stop and start keep one connection at a time`() async throws {
    let harness = try await HubHarness.started()
    for _ in 0..<5 {
      harness.hub.stop(.isin)
      harness.hub.stop(.isin)
      await harness.advance(40_000)
      harness.hub.start(.isin)
      harness.hub.start(.isin)
      try await harness.open()
    }
    #expect(try await harness.transports() == 6)
    let network = harness.network
    let closed = try await harness.loop.executeInContext {
      network.transports.filter { $0.closeCode != nil }.count
    }
    #expect(closed == 5)
  }

  @Test func `a storm of retries is bounded`() async throws {
    let harness = HubHarness()
    harness.hub.start()
    for _ in 0..<500 {
      try await harness.deliver(.ended(.transport(.refused("venue.test"))))
      harness.hub.retry(.isin)
      await harness.advance(10)
    }
    let attempts = try await harness.transports()
    #expect(attempts >= 4 && attempts <= 8, "\(attempts) attempts in 5 s")
  }

  @Test func `a shut down hub is silent and its sequences end`() async throws {
    let harness = try await HubHarness.started()
    let key = try #require(harness.key("A"))
    var values = harness.hub.updates(for: key).makeAsyncIterator()
    await harness.advance(16)
    #expect(await values.next().map(brief) == "A - waiting")
    async let done: Void = harness.hub.shutdown()
    try await soon("the close") { try await harness.onNewest { $0.closeCode } != nil }
    await harness.advance(16)
    await done
    #expect(await values.next() == nil)
    var late = harness.hub.updates(for: key).makeAsyncIterator()
    #expect(await late.next() == nil)
    harness.hub.start()
    await harness.advance(1000)
    #expect(try await harness.transports() == 1)
  }

  @Test func `a hub that is let go closes its sockets and ends its sequences`() async throws {
    var harness: HubHarness? = HubHarness()
    try await harness?.start()
    let (loop, network) = try #require(harness.map { ($0.loop, $0.network) })
    let key = try #require(harness?.key("A"))
    var values = try #require(harness?.hub.updates(for: key)).makeAsyncIterator()
    await loop.run()
    #expect(await values.next() != nil)
    harness = nil
    await loop.run()
    #expect(try await loop.executeInContext { network.transports.map(\.closeCode) } == [1000])
    #expect(await values.next() == nil)
  }
}

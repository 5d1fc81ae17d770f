// One bus, two ledgers: the second one never replaces the first by itself.

import Foundation
import MarketModel
import MessageBus
import NIOCore
import OrderLedger
import OrderService
import PaperTrading
import Testing

@testable import SharedLedger

@Suite(.timeLimit(.minutes(2))) struct LedgerIdentityTests {
  private func place(_ name: String, at server: LedgerServer) async -> OrderResponse {
    await server.submit(.place(LedgerSamples.ticket(name)))
  }

  @Test func `a process with another ledger is neither standby nor successor`() async throws {
    let stage = try LedgerStage()
    let (first, _) = stage.owner("one")
    let server = try await stage.server()
    await server.ready()
    let placed = OrderResponse.placed(OrderIdentifier(number: 1), isRepeated: false)
    #expect(await place("a", at: server) == placed)
    // While the first one leads, and after its death.
    for isLed in [true, false] {
      if !isLed { await first.shutDown() }
      _ = stage.owner("two")
      let refusal = try await stage.refused()
      #expect(refusal.registered == (try stage.identity("one")), "led: \(isLed)")
      #expect(refusal.own == nil && refusal.path == stage.path("two"))
      #expect(refusal.description.contains("--replace-ledger \(refusal.registered)"))
      #expect(!FileManager.default.fileExists(atPath: stage.path("two")), "nothing was made")
    }
    // A server that starts meanwhile shows no other history, and no restart was needed.
    let late = try await stage.server()
    await late.wait { $0.overview?.failure != nil }
    #expect(late.overview?.total == 0)
    _ = stage.owner("one")
    for server in [server, late] { await server.ready() }
    let repeated = OrderResponse.placed(OrderIdentifier(number: 1), isRepeated: true)
    #expect(await place("a", at: late) == repeated)
    #expect(await place("a", at: server) == repeated)
    try await stage.end(server, late)
  }

  @Test func `a ledger of its own with orders in it is refused, too`() async throws {
    let stage = try LedgerStage()
    let opened = try OrderLedger.open(
      at: stage.path("two"), rules: LedgerSamples.rules, now: Timestamp(milliseconds: 1))
    try opened.ledger.append(LedgerSamples.events(5))
    try opened.ledger.close()
    _ = stage.owner("one")
    let server = try await stage.server()
    await server.ready()
    _ = stage.owner("two")
    #expect(try await stage.refused().own == (try stage.identity("two")))
    try await stage.end(server)
  }

  @Test func `an older copy of the ledger is rejected, the latest one continues`() async throws {
    let stage = try LedgerStage()
    let (first, _) = stage.owner("one")
    let server = try await stage.server()
    await server.ready()
    _ = await place("a", at: server)
    await first.shutDown()
    try FileManager.default.copyItem(atPath: stage.path("one"), toPath: stage.path("copy"))
    let (again, _) = stage.owner("one")
    // Until it follows that process, the server rejects orders.
    while await place("b", at: server) != .placed(OrderIdentifier(number: 2), isRepeated: false) {
      try await stage.loop.scheduleTask(in: .milliseconds(20)) {}.futureResult.get()
    }
    // The latest event is registered within a second or so.
    let bus = stage.hub.makeBus()
    func registered() async throws -> String {
      let value = try await stage.loop.flatSubmit { bus.load(LedgerSubjects.registry) }.get()
      return value.map { String(buffer: $0.bytes) } ?? ""
    }
    let identity = try stage.identity("one")
    while !(try await registered()).hasPrefix("\(identity) 2 ") {
      try await stage.loop.scheduleTask(in: .milliseconds(20)) {}.futureResult.get()
    }
    await again.shutDown()
    _ = stage.owner("copy")
    let refusal = try await stage.refused()
    #expect(refusal.missing == 2 && refusal.own == identity)
    #expect(refusal.description.contains("older or changed copy"))
    _ = stage.owner("one")
    await server.ready()
    #expect(await place("b", at: server) == .placed(OrderIdentifier(number: 2), isRepeated: true))
    try await stage.end(server)
  }

  @Test func `an operator continues with an older copy`() async throws {
    let stage = try LedgerStage()
    let (first, _) = stage.owner("one")
    let server = try await stage.server()
    await server.ready()
    await first.shutDown()
    try FileManager.default.copyItem(atPath: stage.path("one"), toPath: stage.path("copy"))
    let identity = try stage.identity("one")
    let ahead = LedgerPosition(
      sequence: 7, head: LedgerSamples.pieces(LedgerSamples.events(9), of: 7)[0].end)
    let bus = stage.hub.makeBus()
    try await stage.loop.flatSubmit {
      let registry = LedgerRegistry(bus: bus)
      return registry.load().flatMap { registry.store(identity, ahead, after: $0) }.map { _ in }
    }.get()
    _ = stage.owner("copy")
    #expect(try await stage.refused().missing == 7)
    _ = stage.owner("copy", replacing: identity)
    await server.ready()
    try await stage.end(server)
  }

  @Test func `an operator replaces the ledger, and the former one is refused from then on`()
    async throws
  {
    let stage = try LedgerStage()
    let (first, _) = stage.owner("one")
    let server = try await stage.server()
    await server.ready()
    _ = await place("a", at: server)
    await server.wait { $0.overview?.total == 1 }
    let former = try stage.identity("one")
    await first.shutDown()
    // Only the named ledger may be replaced.
    _ = stage.owner("two", replacing: LedgerSamples.otherIdentity)
    #expect(try await stage.refused().registered == former)
    _ = stage.owner("two", replacing: former)
    // The server has shown orders of the former one.
    await server.wait { $0.overview?.failure?.description.contains("another ledger") ?? false }
    #expect(server.overview?.total == 1, "what was known is still shown")
    guard case .refused = await place("b", at: server) else {
      return #expect(Bool(false), "it was sent to another ledger")
    }
    let restarted = try await stage.server()
    await restarted.ready()
    #expect(restarted.overview?.total == 0)
    _ = stage.owner("one")
    #expect(try await stage.refused().registered == (try stage.identity("two")))
    try await stage.end(server, restarted)
  }

  @Test func `the ledger is registered again at a broker that has lost its store`() async throws {
    let stage = try LedgerStage()
    _ = stage.owner("one")
    let server = try await stage.server()
    await server.ready()
    _ = await place("a", at: server)
    try await stage.loop.submit { stage.hub.loseStore() }.get()
    let bus = stage.hub.makeBus()
    while try await stage.loop.flatSubmit({ bus.load(LedgerSubjects.registry) }).get() == nil {
      try await stage.loop.scheduleTask(in: .milliseconds(20)) {}.futureResult.get()
    }
    _ = stage.owner("two")
    #expect(try await stage.refused().registered == (try stage.identity("one")))
    try await stage.end(server)
  }

  @Test func `a forged pulse ends neither a standby nor the orders of a server`() async throws {
    let stage = try LedgerStage()
    let (first, _) = stage.owner()
    let server = try await stage.server()
    await server.ready()
    _ = await place("a", at: server)
    await server.wait { $0.overview?.total == 1 }
    let (_, standby) = stage.owner()
    let forger = stage.hub.makeBus()
    let pulse = LedgerPulse(
      epoch: .max, number: 1, identity: LedgerSamples.otherIdentity, sequence: 9,
      head: LedgerChain(LedgerSamples.rules).head, skippedTicks: 0, failure: nil)
    try await stage.loop.submit { forger.publish(LedgerSubjects.pulse, pulse.bytes) }.get()
    #expect(
      await place("b", at: server)
        == .placed(OrderIdentifier(number: 2), isRepeated: false))
    try await stage.replace(first, by: standby, at: server) {
      try await stage.loop.submit { forger.publish(LedgerSubjects.pulse, pulse.bytes) }.get()
    }
    #expect(
      await place("c", at: server)
        == .placed(OrderIdentifier(number: 3), isRepeated: false))
    try await stage.end(server)
  }
}

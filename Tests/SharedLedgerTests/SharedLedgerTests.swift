// Several servers and one ledger: orders are accepted once, and every server shows them.

import Foundation
import MarketModel
import MessageBus
import NIOCore
import OrderLedger
import OrderService
import PaperTrading
import Testing

@testable import SharedLedger

@Suite(.timeLimit(.minutes(2))) struct SharedLedgerTests {
  @Test func `an order that one server accepts is shown and notified by all`() async throws {
    let stage = try LedgerStage()
    _ = stage.owner()
    let (first, second) = (try await stage.server(), try await stage.server())
    await first.ready()
    await second.ready()
    stage.tick(1)
    let response = await first.submit(.place(LedgerSamples.ticket("a", at: nil)))
    #expect(response == .placed(OrderIdentifier(number: 1), isRepeated: false))
    for server in [first, second] {
      await server.wait { $0.overview?.total == 1 }
      #expect(server.overview?.reports.first?.receipt.filled == Quantity(units: 10))
      await server.wait { $0.told.count == 1 }
      #expect(server.told == ["Bought 10 AAPL at 45.02."])
    }
    // Cut and restored: the same chain on both, and the same as in the file.
    let reader = try LedgerReader(path: stage.path())
    #expect(first.overview?.storage?.head == reader.verification.headHash?.description)
    #expect(second.overview?.storage == first.overview?.storage)
    #expect(
      await second.submit(.place(LedgerSamples.ticket("a", at: nil)))
        == .placed(OrderIdentifier(number: 1), isRepeated: true))
    let preview = await second.submit(.preview(LedgerSamples.ticket("p", at: nil, "1000")))
    guard case .preview(let figures) = preview else { return #expect(Bool(false), "\(preview)") }
    #expect(figures.fill?.quantity == Quantity(units: 40), "what the order before has left")
    #expect(try await second.ledger.reports(before: OrderIdentifier(number: 2)).get().count == 1)
    try await stage.end(first, second)
  }

  @Test func `an order in a venue's market is taken, shown and valued in its own units`()
    async throws
  {
    let stage = try LedgerStage()
    _ = stage.owner()
    let (first, second) = (try await stage.server(), try await stage.server())
    await first.ready()
    await second.ready()
    let market = LedgerSamples.market
    let early = await first.submit(.place(LedgerSamples.ticket("a", at: nil, "2.5", in: market)))
    #expect(early == .refused(.init("No prices of {kraken:BTC/USD} have arrived yet.")))
    try await stage.receive(LedgerSamples.book(1), of: market, at: first, second)
    let response = await first.submit(
      .preview(LedgerSamples.ticket("p", at: nil, "2.5", in: market)))
    guard case .preview(let figures) = response else { return #expect(Bool(false), "\(response)") }
    #expect(figures.rules.currency == "USD")
    #expect(figures.fill.map { figures.rules.text($0.average) } == "100.2")
    // 250.5 at 0.4 %.
    #expect(figures.fee.map { figures.rules.text(amount: $0) } == "1.002")
    let placed = await first.submit(.place(LedgerSamples.ticket("a", at: nil, "2.5", in: market)))
    #expect(placed == .placed(OrderIdentifier(number: 1), isRepeated: false))
    let rest = await second.submit(.place(LedgerSamples.ticket("b", at: "99", "1", in: market)))
    #expect(rest == .placed(OrderIdentifier(number: 2), isRepeated: false))
    for server in [first, second] {
      await server.wait { $0.overview?.total == 2 && $0.told.count == 2 }
      #expect(server.overview?.openMarkets == [market])
      #expect(server.told.first == "Bought 2.5 kraken:BTC/USD at an average of 100.2.")
    }
    try await stage.receive(LedgerSamples.book(2, ask: 1100), of: market, at: second)
    await second.wait { server in
      server.positions[market]?.equity.map {
        server.positions[market]?.rules.text(amount: $0) == "23.248"
      } ?? false
    }
    try await stage.end(first, second)
  }

  @Test func `a server that comes late has all orders, however many`() async throws {
    let stage = try LedgerStage()
    let events = LedgerSamples.events(2000)
    let opened = try OrderLedger.open(
      at: stage.path(), rules: LedgerSamples.rules, now: Timestamp(milliseconds: 1))
    try opened.ledger.append(events)
    let parts = try opened.ledger.excerpt(after: 0)
    #expect(parts.texts.count < events.count, "more than one question is needed")
    #expect(try opened.ledger.excerpt(after: UInt64(events.count) + 1).hash == nil)
    try opened.ledger.close()
    _ = stage.owner()
    let server = try await stage.server()
    await server.ready()
    let history = try await server.ledger.history().get()
    #expect(history == (try OrderHistory(replaying: events)))
    // A server that was without the service for a moment reads it again.
    await server.wait { $0.overview?.storage?.eventCount == UInt64(events.count) }
    try await stage.end(server)
  }

  @Test func `without an order service orders are rejected, with the reason`() async throws {
    let stage = try LedgerStage()
    let server = try await stage.server()
    await server.wait { $0.overview?.failure != nil }
    let silence: Sentence = "The order service does not respond, so no orders are taken."
    #expect(server.overview?.failure == silence)
    let response = await server.submit(.place(LedgerSamples.ticket("a")))
    guard case .refused(let refusal) = response else {
      return #expect(Bool(false), "\(response)")
    }
    #expect(refusal.message == silence)
    // Another server may have sent it: this one can't claim that nothing was ordered.
    let again = await server.submit(.place(LedgerSamples.ticket("a")), isRepeat: true)
    guard case .unconfirmed = again else { return #expect(Bool(false), "\(again)") }
    try await stage.end(server)
  }

  @Test func `what is under way when the link breaks is not called refused`() async throws {
    let stage = try LedgerStage()
    let (_, bus) = stage.owner()
    let server = try await stage.server()
    await server.ready()
    stage.tick(1)
    // The command arrives, its response does not.
    let response = try await stage.loop.submit { () -> EventLoopFuture<OrderResponse> in
      let promise = stage.loop.makePromise(of: OrderResponse.self)
      server.ledger.submit(.place(LedgerSamples.ticket("a")), isRepeat: false) {
        promise.succeed($0)
      }
      return promise.futureResult
    }.get()
    try await server.cutLink()
    let said = try await response.get()
    if case .refused = said { Issue.record("nobody knows that: \(said)") }
    try await server.healLink()
    await server.ready()
    // Resending it reports which of the two it was, and nothing is ordered twice.
    let again = await server.submit(.place(LedgerSamples.ticket("a")))
    guard case .placed(let order, _) = again else { return #expect(Bool(false), "\(again)") }
    #expect(order == OrderIdentifier(number: 1))
    await server.wait { $0.overview?.total == 1 }
    _ = bus
    try await stage.end(server)
  }

  @Test func `another process takes over the ledger`() async throws {
    let stage = try LedgerStage()
    let (first, _) = stage.owner()
    let server = try await stage.server()
    await server.ready()
    _ = await server.submit(.place(LedgerSamples.ticket("a")))
    await server.wait { $0.overview?.total == 1 }
    let (_, standby) = stage.owner()
    try await stage.replace(first, by: standby, at: server) {
      #expect(server.overview?.knownUntil != nil, "what is shown is how it was")
      // The list may be incomplete; an acknowledged order is there all the same.
      let known = OrderIdentifier(number: 1)
      #expect(await server.ledger.report(of: known)?.order.identifier == known)
      if case .success = await server.ledger.reports(before: known) { Issue.record("not known") }
    }
    #expect(
      await server.submit(.place(LedgerSamples.ticket("a")))
        == .placed(OrderIdentifier(number: 1), isRepeated: true))
    #expect(
      await server.submit(.place(LedgerSamples.ticket("b")))
        == .placed(OrderIdentifier(number: 2), isRepeated: false))
    try await stage.end(server)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `links that break again and again lose no order and double none`(seed: UInt64) async throws {
    let stage = try LedgerStage()
    let (_, ownersBus) = stage.owner()
    let servers = [try await stage.server(), try await stage.server()]
    for server in servers { await server.ready() }
    stage.tick(1)
    var random = SplitMix64(seed: seed)
    var acknowledged: [String: OrderIdentifier] = [:]
    for number in 1...60 {
      let server = servers[Int(random.below(2))]
      let name = "seed\(seed)-\(number)"
      var tries = 0
      while acknowledged[name] == nil {
        tries += 1
        let isCut = tries == 1 && random.below(3) == 0
        let buses = [server.bus, ownersBus]
        let victim = buses[Int(random.below(2))]
        async let response = server.submit(.place(LedgerSamples.ticket(name)), isRepeat: tries > 1)
        if isCut { try await stage.loop.submit { victim.cutLink() }.get() }
        let said = await response
        if isCut {
          try await stage.loop.submit { victim.healLink() }.get()
          await server.ready()
        }
        switch said {
        case .placed(let order, _): acknowledged[name] = order
        case .unconfirmed: await server.ready()
        case .refused(let refusal):
          // It was not accepted: the ledger must not contain it.
          let known = try await history(of: server)
          #expect(
            known.order(named: LedgerSamples.name(name)) == nil || tries > 1,
            "seed \(seed), \(name): \(refusal.message)")
          await server.ready()
        default: Issue.record("seed \(seed): \(said)")
        }
      }
    }
    for server in servers { await server.wait { $0.overview?.total == 60 } }
    try await stage.end(servers[0], servers[1])
    let history = try LedgerReader(path: stage.path()).history
    #expect(history.orders.count == 60, "seed \(seed)")
    for (name, order) in acknowledged {
      #expect(history.order(named: LedgerSamples.name(name))?.identifier == order, "seed \(seed)")
    }
  }

  /// The orders, once they can be read: on a busy machine a pulse may be late.
  private func history(of server: LedgerServer) async throws -> OrderHistory {
    while true {
      if case .success(let history) = await server.ledger.history() { return history }
      try await server.bus.eventLoop.scheduleTask(in: .milliseconds(20)) {}.futureResult.get()
    }
  }
}

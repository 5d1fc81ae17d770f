import Foundation
import Logging
import MarketModel
import MessageBus
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import OrderLedger
import OrderService
import PaperTrading
import Testing

@testable import SharedLedger

/// A server's end.
///
/// Unchecked because the bus is used on its loop, and `heard` behind a lock.
final class LedgerServer: @unchecked Sendable {
  let bus: MemoryBus
  let ledger: FollowedLedger
  private let lock = NSRecursiveLock()
  private var overviews: [TradingOverview] = []
  private var notices: [OrderNotice] = []
  private var reports: [Symbol: PositionReport] = [:]
  private var waiting: [((LedgerServer) -> Bool, CheckedContinuation<Void, Never>)] = []

  init(_ bus: MemoryBus, clock: @escaping @Sendable () -> ClockReading) {
    self.bus = bus
    ledger = FollowedLedger(LedgerSamples.rules, bus: bus, clock: clock)
  }

  func start() async throws {
    try await bus.eventLoop.submit { self.ledger.start { self.hear($0) } }.get()
  }

  private func hear(_ news: TradingNews) {
    lock.withLock {
      switch news {
      case .overview(let overview): overviews.append(overview)
      case .notices(let more): notices += more
      case .position(let report): reports[report.rules.symbol] = report
      case .storage, .stored, .skippedTick, .opened, .closed: break
      }
      waiting.removeAll { isDone, continuation in
        guard isDone(self) else { return false }
        continuation.resume()
        return true
      }
    }
  }

  var overview: TradingOverview? { lock.withLock { overviews.last } }
  var positions: [Symbol: PositionReport] { lock.withLock { reports } }
  var told: [String] { lock.withLock { notices.map(\.text.description) } }

  func wait(until isDone: @escaping (LedgerServer) -> Bool) async {
    await withCheckedContinuation { continuation in
      lock.withLock {
        if isDone(self) { continuation.resume() } else { waiting.append((isDone, continuation)) }
      }
    }
  }

  func ready() async {
    await wait { $0.overview.map { $0.failure == nil && $0.storage != nil } ?? false }
  }

  func submit(_ command: ClientCommand, isRepeat: Bool = false) async -> OrderResponse {
    await withCheckedContinuation { done in
      ledger.submit(command, isRepeat: isRepeat) { done.resume(returning: $0) }
    }
  }

  func cutLink() async throws { try await bus.eventLoop.submit { self.bus.cutLink() }.get() }
  func healLink() async throws { try await bus.eventLoop.submit { self.bus.healLink() }.get() }
}

/// A clock that advances while the loop does: a busy machine is not mistaken for a silent process.
final class LoopClock: Sendable {
  private static let step: Int64 = 20
  private let milliseconds = NIOLockedValueBox<Int64>(0)
  private let task: RepeatedTask

  init(on loop: any EventLoop) {
    let pause = TimeAmount.milliseconds(LoopClock.step)
    task = loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { [milliseconds] _ in
      milliseconds.withLockedValue { $0 += LoopClock.step }
    }
  }

  deinit { task.cancel() }

  @Sendable func now() -> ClockReading {
    let passed = milliseconds.withLockedValue { $0 }
    return ClockReading(
      monotonic: MonotonicTime(nanoseconds: passed * 1_000_000),
      wall: Timestamp(milliseconds: 1_790_000_000_000 + passed))
  }

}

/// Servers and the process that keeps their orders, with a bus in memory and a ledger on disk.
///
/// Unchecked because only one test uses it.
final class LedgerStage: @unchecked Sendable {
  let loop = MultiThreadedEventLoopGroup.singleton.next()
  private let clock: LoopClock
  let hub: MemoryBusHub
  let folder: String
  private var owners: [LedgerOwner] = []
  /// The order services of all terms, in order.
  private let services = NIOLockedValueBox<[OrderService]>([])

  init() throws {
    hub = MemoryBusHub(on: loop)
    clock = LoopClock(on: loop)
    (refusals, refusal) = AsyncStream.makeStream()
    folder = FileManager.default.temporaryDirectory.path + "/livetape-shared-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String = "orders") -> String { "\(folder)/\(name).sqlite" }

  /// The rejections of all processes, in order.
  let refusals: AsyncStream<LedgerRefusal>
  private let refusal: AsyncStream<LedgerRefusal>.Continuation

  /// Starts a process that keeps the ledger of a name.
  func owner(
    _ name: String = "orders", replacing replaced: LedgerIdentity? = nil
  ) -> (owner: LedgerOwner, bus: MemoryBus) {
    let (bus, path, clock, services) = (hub.makeBus(), path(name), clock, services)
    let owner = LedgerOwner(
      bus: bus, name: name, path: path, replacing: replaced, clock: clock.now,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      refused: { [refusal] in refusal.yield($0) }
    ) { tell in
      let service = OrderService(
        path: path, rules: LedgerSamples.rules, clock: clock.now, tellsEvents: true, tell: tell)
      service.start()
      services.withLockedValue { $0.append(service) }
      return service
    }
    owner.start()
    owners.append(owner)
    return (owner, bus)
  }

  func refused() async throws -> LedgerRefusal {
    var refusals = refusals.makeAsyncIterator()
    return try #require(await refusals.next())
  }

  func identity(_ name: String = "orders") throws -> LedgerIdentity {
    try #require(try LedgerIdentity.stored(at: path(name)))
  }

  func server() async throws -> LedgerServer {
    let server = LedgerServer(hub.makeBus(), clock: clock.now)
    try await server.start()
    return server
  }

  /// Shuts down the process that keeps the ledger.
  ///
  /// A standby must not take over before the server has noticed and `meanwhile` has run, so the
  /// standby's link is down until then.
  func replace(
    _ first: LedgerOwner, by standby: MemoryBus, at server: LedgerServer,
    meanwhile: () async throws -> Void
  ) async throws {
    try await loop.submit { standby.cutLink() }.get()
    await first.shutDown()
    await server.wait { $0.overview?.failure != nil }
    try await meanwhile()
    try await loop.submit { standby.healLink() }.get()
    await server.ready()
  }

  /// Sends market data of an instrument to the latest order service and to servers.
  func receive(
    _ input: MarketInput, of symbol: Symbol, at servers: LedgerServer...
  ) async throws {
    services.withLockedValue { $0.last }?.receive(input, of: symbol)
    try await loop.submit {
      for server in servers { server.ledger.receive(input, of: symbol) }
    }.get()
  }

  /// Sends a tick of the exchange to the latest order service.
  func tick(_ number: UInt64) {
    guard let bid = FixedDecimal("45.01"), let ask = FixedDecimal("45.02") else { return }
    let tick = MarketTick(
      time: number, last: ask, bid: bid, bidQuantity: Quantity(units: 20), ask: ask,
      askQuantity: Quantity(units: 50))
    services.withLockedValue { $0.last }?.receive(.tick(tick, number: number, lateAt: nil))
  }

  func end(_ servers: LedgerServer...) async throws {
    try await loop.submit { for server in servers { server.ledger.shutDown() } }.get()
    for owner in owners { await owner.shutDown() }
  }
}

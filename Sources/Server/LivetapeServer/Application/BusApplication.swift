import FeedConnections
public import Logging
import MarketModel
import MessageBus
public import NIOCore
import OrderService
import PaperTrading
public import ServiceLifecycle
import SharedLedger
import SimulatorServer
import SocketServer
import VenueCatalogue
import VenueTape

/// A reader or order service: a process that serves the servers behind a bus, without pages.
public struct BusApplication: Service {
  /// The task of a process.
  public enum Role: String, Sendable {
    case reader
    /// Keeps the ledger while no other process does.
    case orders = "order service"
  }

  /// The health port, once the process is active or on standby; nil if none is configured.
  ///
  /// Fails with a ``SocketServer/ListenError``, or with an earlier error of ``run()``.
  public let started: EventLoopFuture<Int?>

  let configuration: LivetapeConfiguration
  let group: any EventLoopGroup
  let logger: Logger
  private let role: Role
  private let promise: EventLoopPromise<Int?>
  private let healthPort: Int?

  /// Prepares a process for the bus of a configuration; ``run()`` starts it.
  ///
  /// - Parameters:
  ///   - role: its task.
  ///   - configuration: the bus; a reader's venues or the folder of an order service's ledger.
  ///   - healthPort: the loopback port of `/healthz` and `/readyz`; 0 for a free one, nil for none.
  ///   - group: its event loops.
  ///   - logger: receives its actions and problems.
  public init(
    _ role: Role, _ configuration: LivetapeConfiguration, healthPort: Int? = nil,
    group: any EventLoopGroup, logger: Logger
  ) {
    promise = group.next().makePromise(of: Int?.self)
    started = promise.futureResult
    (self.role, self.configuration, self.healthPort) = (role, configuration, healthPort)
    (self.group, self.logger) = (group, logger)
  }

  /// Works until graceful shutdown.
  ///
  /// Throws a ``ConfigurationError`` without a bus, and a ``SocketServer/ListenError`` if the
  /// simulated venues or the health port can't listen.
  public func run() async throws {
    do {
      guard let address = configuration.bus else {
        let description = "the \(role.rawValue) needs a bus: give one with --bus"
        throw ConfigurationError(description: description)
      }
      switch role {
      case .reader: try await read(behind: address)
      case .orders: try await keepLedger(behind: address)
      }
      promise.fail(CancellationError())
    } catch {
      promise.fail(error)
      throw error
    }
  }

  /// Starts work over a bus, serves its health until graceful shutdown, and stops it.
  ///
  /// - Parameters:
  ///   - bus: is started first and shut down last.
  ///   - readiness: called on the bus's loop.
  ///   - refusals: the first one ends the work; nil where nothing can be refused.
  ///   - start: called on the bus's loop.
  ///   - stop: called even if an error is thrown.
  /// - Throws: a ``SocketServer/ListenError`` if the health port can't listen, and the refusal.
  func work(
    over bus: NatsBus, readiness: @escaping @Sendable (BusLink) -> any ProcessReadiness,
    until refusals: AsyncStream<ConfigurationError>? = nil,
    start: @escaping @Sendable () -> Void, stop: () async -> Void
  ) async throws {
    let health = ProcessHealth(over: bus, readiness: readiness)
    bus.eventLoop.execute {
      bus.start()
      start()
    }
    let beat = configuration.beat?.start(on: bus.eventLoop)
    var failure: (any Error)?
    do {
      try await withThrowingTaskGroup(of: Void.self) { [healthPort, promise, logger] tasks in
        tasks.addTask {
          try await health.answer(on: healthPort, started: promise, logger: logger)
        }
        if let refusals {
          tasks.addTask { for await refusal in refusals { throw refusal } }
        }
        try await tasks.next()
        tasks.cancelAll()
      }
    } catch {
      failure = error
    }
    beat?.cancel()
    await stop()
    try? await bus.eventLoop.flatSubmit { bus.shutdown() }.get()
    if let failure { throw failure }
  }
}

// MARK: - Order service

extension BusApplication {
  /// Keeps the ledger until graceful shutdown, while no other process does.
  ///
  /// Throws a ``ConfigurationError`` if the servers of the bus follow a different ledger.
  private func keepLedger(behind address: NatsAddress) async throws {
    let (loop, clock, logger) = (group.next(), configuration.clock, logger)
    let bus = NatsBus(address: address, logger: logger, on: loop)
    let name = ServerName(random: .random(in: 0 ... .max))
    let following = TapeFollowing(bus: bus, server: name, clock: clock)
    let venues = Venue.allCases.filter { !$0.descriptor.isOfOneClient }
    let feeds = FeedHub(
      venues: venues.map { FollowedVenue.connection(to: $0, seed: configuration.seed) },
      loop: loop, logger: logger, clock: clock,
      connector: following.connector(following: Set(venues)))
    let (refusals, refusal) = AsyncStream.makeStream(of: ConfigurationError.self)
    let owner = LedgerOwner(
      bus: bus, name: name.text, path: OwnOrders.path(in: configuration.dataFolder),
      replacing: configuration.replacedLedger,
      clock: { clock.now() }, logger: logger,
      refused: { refusal.yield(ConfigurationError(description: $0.description)) }
    ) { [configuration] tell in
      let orders = OwnOrders(
        symbol: ExchangeCatalogue.symbol, folder: configuration.dataFolder,
        fees: configuration.fees, latency: configuration.orderLatency, loop: loop, clock: clock,
        logger: logger, tellsEvents: true)
      orders.listen(tell)
      orders.start(feeds: feeds)
      return orders
    }
    try await work(
      over: bus, readiness: { LedgerReadiness(link: $0, standing: owner.standing) },
      until: refusals
    ) {
      owner.start()
      feeds.start()
    } stop: {
      await owner.shutDown()
      await feeds.shutdown()
    }
  }
}

// MARK: - Reader

extension BusApplication {
  func read(behind address: NatsAddress) async throws {
    // Simulated venues run in this process, whatever is behind the bus.
    var own = configuration
    own.bus = nil
    try await own.withSimulatedVenues(on: group.next(), logger: logger) { [own] simulated, _ in
      try await read(ServedVenues(own, simulated: simulated), for: address)
    }
  }

  private func read(_ venues: ServedVenues, for address: NatsAddress) async throws {
    let loop = group.next()
    let bus = NatsBus(address: address, logger: logger, on: loop)
    let reader = TapeReader(
      venues: venues.connections.filter { !$0.venue.descriptor.isOfOneClient }, bus: bus,
      name: ServerName(random: .random(in: 0 ... .max)), logger: logger,
      asking: venues.http(on: loop, logger: logger), clock: configuration.clock)
    try await work(over: bus, readiness: { ReaderReadiness(link: $0, venues: reader.readings) }) {
      reader.start()
    } stop: {
      await reader.shutdown()
    }
  }
}

// A process that reads venues for other processes: no pages, no orders.

import FeedConnections
public import Logging
import MarketModel
import MessageBus
public import NIOCore
public import ServiceLifecycle
import SimulatorServer
import SocketServer
import VenueProtocols
import VenueTape

/// A running reader.
public struct ReaderApplication: Service {
  /// The port that says how the reader is, once it reads or stands by; nil where none is wanted.
  ///
  /// Fails with a ``SocketServer/ListenError``, and with what ``run()`` throws before.
  public let started: EventLoopFuture<Int?>

  private let promise: EventLoopPromise<Int?>
  private let healthPort: Int?
  private let configuration: LivetapeConfiguration
  private let group: any EventLoopGroup
  private let logger: Logger

  /// Prepares a reader for the bus of a configuration; ``run()`` starts it.
  ///
  /// - Parameters:
  ///   - configuration: the venues, and the bus.
  ///   - healthPort: of loopback, where `/healthz` and `/readyz` are answered; 0 for a free one,
  ///     nil for none.
  ///   - group: its loops.
  ///   - logger: gets what is read, and what is wrong.
  public init(
    _ configuration: LivetapeConfiguration, healthPort: Int? = nil, group: any EventLoopGroup,
    logger: Logger
  ) {
    promise = group.next().makePromise(of: Int?.self)
    started = promise.futureResult
    self.healthPort = healthPort
    self.configuration = configuration
    self.group = group
    self.logger = logger
  }

  /// Reads until the graceful shutdown.
  ///
  /// Throws a ``ConfigurationError`` without a bus, and a ``SocketServer/ListenError`` when the
  /// simulated venues or the port of its health can't be had.
  public func run() async throws {
    do {
      try await start()
      promise.fail(CancellationError())
    } catch {
      promise.fail(error)
      throw error
    }
  }

  private func start() async throws {
    guard let bus = configuration.bus else {
      throw ConfigurationError(description: "a reader needs a bus: give one with --bus")
    }
    // What is simulated is so in this process, whatever is behind the bus.
    var own = configuration
    own.bus = nil
    let isSimulating = Venue.allCases.contains { own.simulates($0) }
    guard isSimulating else { return try await read(own, bus, simulated: nil) }
    var options = SimulatedVenueOptions()
    options.seed = own.seed
    options.sockets = SocketLimits.small.sharing(DescriptorLimit.raise(), by: 8)
    let venues = SimulatedVenueServer(options, on: group.next(), logger: logger)
    let reader = ClosureService { [own] in
      try await read(own, bus, simulated: try await venues.addresses.get())
    }
    try await ServiceGroup.together([venues, reader], logger: logger).run()
  }

  private func read(
    _ configuration: LivetapeConfiguration, _ address: NatsAddress,
    simulated: SimulatedVenueAddresses?
  ) async throws {
    let bus = NatsBus(address: address, logger: logger, on: group.next())
    let venues = ServedVenues(configuration, simulated: simulated)
    let reader = TapeReader(
      venues: venues.connections.filter { !$0.session.venue.descriptor.isOfOneClient }, bus: bus,
      name: ServerName(random: .random(in: 0 ... .max)), logger: logger,
      clock: configuration.clock)
    let health = ProcessHealth(over: bus) {
      ReaderReadiness(link: $0, venues: reader.readings)
    }
    bus.eventLoop.execute { bus.start() }
    reader.start()
    let beat = configuration.beat?.start(on: bus.eventLoop)
    var failure: (any Error)?
    do {
      try await health.answer(on: healthPort, started: promise, logger: logger)
    } catch {
      failure = error
    }
    beat?.cancel()
    await reader.shutdown()
    try? await bus.eventLoop.flatSubmit { bus.shutdown() }.get()
    if let failure { throw failure }
  }
}

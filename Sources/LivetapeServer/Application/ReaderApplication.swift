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
  private let configuration: LivetapeConfiguration
  private let group: any EventLoopGroup
  private let logger: Logger

  /// Prepares a reader for the bus of a configuration; ``run()`` starts it.
  public init(_ configuration: LivetapeConfiguration, group: any EventLoopGroup, logger: Logger) {
    self.configuration = configuration
    self.group = group
    self.logger = logger
  }

  /// Reads until the graceful shutdown.
  ///
  /// Throws a ``ConfigurationError`` without a bus, and a ``SocketServer/ListenError`` when the
  /// simulated venues can't be had.
  public func run() async throws {
    guard let bus = configuration.bus else {
      throw ConfigurationError(description: "a reader needs a bus: give one with --bus")
    }
    // What is simulated is so in this process, whatever is behind the bus.
    var own = configuration
    own.bus = nil
    let isSimulating = Venue.allCases.contains { own.simulates($0) }
    guard isSimulating else { return await read(own, bus, simulated: nil) }
    var options = SimulatedVenueOptions()
    options.seed = own.seed
    options.sockets = SocketLimits.small.sharing(DescriptorLimit.raise(), by: 8)
    let venues = SimulatedVenueServer(options, on: group.next(), logger: logger)
    let reader = ClosureService { [own] in
      await read(own, bus, simulated: try await venues.addresses.get())
    }
    try await ServiceGroup.together([venues, reader], logger: logger).run()
  }

  private func read(
    _ configuration: LivetapeConfiguration, _ address: NatsAddress,
    simulated: SimulatedVenueAddresses?
  ) async {
    let bus = NatsBus(address: address, logger: logger, on: group.next())
    let venues = ServedVenues(configuration, simulated: simulated)
    let reader = TapeReader(
      venues: venues.connections.filter { !$0.session.venue.descriptor.isOfOneClient }, bus: bus,
      name: ServerName(random: .random(in: 0 ... .max)), logger: logger,
      clock: configuration.clock)
    bus.eventLoop.execute { bus.start() }
    reader.start()
    try? await gracefulShutdown()
    await reader.shutdown()
    try? await bus.eventLoop.flatSubmit { bus.shutdown() }.get()
  }
}

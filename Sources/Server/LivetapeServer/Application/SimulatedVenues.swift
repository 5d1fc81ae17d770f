import Logging
import MarketModel
import NIOCore
import ServiceLifecycle
import SimulatorServer
import SocketServer

extension LivetapeConfiguration {
  /// Runs `work` beside the simulated venues, if any, until graceful shutdown.
  ///
  /// Throws the errors of `work`, and a ``SocketServer/ListenError`` if the simulated venues can't
  /// listen.
  func withSimulatedVenues(
    on loop: any EventLoop, logger: Logger,
    _ work: @escaping @Sendable (SimulatedVenueAddresses?, SimulatedFaults?) async throws -> Void
  ) async throws {
    guard Venue.allCases.contains(where: simulates) else { return try await work(nil, nil) }
    var options = SimulatedVenueOptions()
    options.seed = seed
    options.faults = faults
    options.sockets = SocketLimits.small.sharing(DescriptorLimit.raise(), by: 8)
    let venues = SimulatedVenueServer(options, on: loop, logger: logger, clock: clock)
    let reader = ClosureService { try await work(venues.addresses.get(), venues.faults) }
    try await ServiceGroup.together([venues, reader], logger: logger).run()
  }
}

private struct ClosureService: Service {
  let body: @Sendable () async throws -> Void

  func run() async throws { try await body() }
}

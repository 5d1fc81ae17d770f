// A whole Livetape server in this process, on free ports, for the time of a test.

import Logging
import MarketModel
import NIOCore
import NIOPosix
import ServiceLifecycle
import SocketTransport
import Testing

@testable import LivetapeServer

/// A running server with its page's port.
struct RunningServer {
  let port: Int
  let group: any EventLoopGroup

  /// Runs a server with simulated venues while `body` runs; without a folder in the configuration
  /// its orders are in one of its own.
  static func with(
    _ configuration: LivetapeConfiguration = .onFreePort(), logger: Logger = .quiet,
    _ body: (RunningServer) async throws -> Void
  ) async throws {
    let own = try TemporaryFolder()
    var configuration = configuration
    if configuration.dataFolder.isEmpty { configuration.dataFolder = own.path }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let application = LivetapeApplication(configuration, group: group, logger: logger)
    try await withService(application, logger: logger) {
      let port = try await application.port.get()
      try await body(RunningServer(port: port, group: group))
    }
    try await group.shutdownGracefully()
  }

  /// A page that has connected.
  func page(origin: String? = nil) async throws -> PageClient {
    try await PageClient.connect(port: port, origin: origin, on: group.next())
  }
}

/// The simulated venues alone, for the time of a test.
struct RunningVenues {
  let addresses: SimulatedVenueAddresses
  let group: any EventLoopGroup

  /// Runs the venues while `body` runs.
  static func with(
    _ options: SimulatedVenueOptions = SimulatedVenueOptions(),
    _ body: (RunningVenues) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let venues = SimulatedVenueServer(options, on: group.next(), logger: .quiet)
    try await withService(venues) {
      try await body(RunningVenues(addresses: try await venues.addresses.get(), group: group))
    }
    try await group.shutdownGracefully()
  }
}

/// Runs a service while `body` runs, and stops it gracefully.
func withService(
  _ service: any Service, logger: Logger = .quiet, _ body: () async throws -> Void
) async throws {
  let services = ServiceGroup(
    configuration: .init(services: [.init(service: service)], logger: logger))
  try await withThrowingTaskGroup(of: Void.self) { tasks in
    tasks.addTask { try await services.run() }
    do {
      try await body()
    } catch {
      await services.triggerGracefulShutdown()
      throw error
    }
    await services.triggerGracefulShutdown()
    try await tasks.waitForAll()
  }
}

extension LivetapeConfiguration {
  /// Simulated venues on a free port.
  static func onFreePort(seed: UInt64 = 7) -> LivetapeConfiguration {
    var configuration = LivetapeConfiguration()
    configuration.port = 0
    configuration.seed = seed
    configuration.dataFolder = ""
    return configuration
  }
}

extension Logger {
  /// Says nothing.
  static let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}

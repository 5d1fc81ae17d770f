import FeedConnections
import Logging
import MarketModel
import NIOCore
import NIOPosix
import ServiceLifecycle
import SimulatorServer
import SocketTransport
import TestSupport
import Testing

@testable import LivetapeServer

/// A whole Livetape server in this process, on free ports, with its page's port.
struct RunningServer {
  let port: Int
  let group: any EventLoopGroup

  /// Runs a server with simulated venues while `body` runs; without a configured folder its orders
  /// are in a temporary one.
  ///
  /// Its clock is patient, except beside ``RunningVenues``: two clocks may drift apart.
  static func with(
    _ configuration: LivetapeConfiguration = .onFreePort(), logger: Logger = .quiet,
    beside venues: RunningVenues? = nil, _ body: (RunningServer) async throws -> Void
  ) async throws {
    let own = try TemporaryFolder()
    var configuration = configuration
    if configuration.dataFolder.isEmpty { configuration.dataFolder = own.path }
    try await withThreads(2) { group in
      try await PatientClock.with(group) { clock in
        configuration.clock = venues == nil ? clock : .live
        let application = LivetapeApplication(configuration, group: group, logger: logger)
        try await withService(application, logger: logger) {
          let port = try await application.port.get()
          try await body(RunningServer(port: port, group: group))
        }
      }
    }
  }

  func get(_ path: String, headers: HeaderFields = []) async throws -> HTTPClientResponse {
    let endpoint = try Endpoint("http://127.0.0.1:\(port)\(path)")
    return try await HTTPClient.get(
      endpoint, headers: headers, options: .patient(), on: group.next()
    ).get()
  }

  func raw() async throws -> RawClient { try await RawClient.connect(port: port, on: group.next()) }

  func page(origin: String? = nil) async throws -> PageClient {
    try await PageClient.connect(port: port, origin: origin, on: group.next())
  }
}

struct RunningVenues {
  let addresses: SimulatedVenueAddresses
  let group: any EventLoopGroup

  static func with(
    _ options: SimulatedVenueOptions = SimulatedVenueOptions(),
    _ body: (RunningVenues) async throws -> Void
  ) async throws {
    try await withThreads(2) { group in
      let venues = SimulatedVenueServer(options, on: group.next(), logger: .quiet)
      try await withService(venues) {
        try await body(RunningVenues(addresses: try await venues.addresses.get(), group: group))
      }
    }
  }
}

/// Threads for the time of `body`, also released when it throws.
func withThreads(
  _ count: Int, _ body: (MultiThreadedEventLoopGroup) async throws -> Void
) async throws {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: count)
  let result: Result<Void, any Error>
  do {
    result = .success(try await body(group))
  } catch {
    result = .failure(error)
  }
  try await group.shutdownGracefully()
  try result.get()
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
  static func onFreePort(seed: UInt64 = 7) -> LivetapeConfiguration {
    var configuration = LivetapeConfiguration()
    configuration.port = 0
    configuration.seed = seed
    configuration.dataFolder = ""
    return configuration
  }
}

extension Logger {
  /// Logs nothing.
  static let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}

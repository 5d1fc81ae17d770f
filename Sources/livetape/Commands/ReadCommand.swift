// `livetape read`: reads venues for servers on other machines.

import ArgumentParser
import LivetapeServer
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Reads venues onto the bus; of several readers one reads each venue.
struct ReadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Read venues for servers behind a bus; another reader stands by.")

  @OptionGroup var bus: BusOption
  @Option(help: "Which venues to read: simulated or live.") var venues = VenueMode.simulated
  @Option(help: "Seed of the simulated venues.") var seed: UInt64 = 1
  @OptionGroup var urls: VenueURLOptions
  @Option(
    help: "A port of loopback that answers /healthz and /readyz; 0 for a free one.")
  var healthPort: PortNumber?
  @OptionGroup var logging: LoggingOptions

  func run() async throws {
    guard let address = try bus.address() else {
      throw ValidationError("a reader needs a bus: give one with --bus or in LIVETAPE_BUS")
    }
    var configuration = LivetapeConfiguration()
    configuration.bus = address
    configuration.mode = venues
    configuration.addresses = try urls.addresses()
    configuration.seed = seed
    configuration.buxToken = try Secrets.buxToken()
    let logger = logging.logger("livetape.read")
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let process = ManagedProcess()
    configuration.beat = process.beat
    let application = ReaderApplication(
      configuration, healthPort: healthPort?.number, group: group, logger: logger)
    application.started.whenSuccess { port in
      process.ready("reads for the servers behind \(address)", health: port)
    }
    try await process.run(application, logger: logger)
    try? await group.shutdownGracefully()
  }
}

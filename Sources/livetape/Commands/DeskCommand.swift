// `livetape desk`: keeps the orders of all servers behind a bus.

import ArgumentParser
import LivetapeServer
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Takes, matches and stores orders for servers on other machines.
struct DeskCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "desk",
    abstract: "Keep the ledger for servers behind a bus; one process a ledger.")

  @OptionGroup var bus: BusOption
  @OptionGroup var folder: DataFolderOption
  @Option(
    help: "A port of loopback that answers /healthz and /readyz; 0 for a free one.")
  var healthPort: PortNumber?
  @OptionGroup var logging: LoggingOptions

  func run() async throws {
    guard let address = try bus.address() else {
      throw ValidationError("an order service needs a bus: give one with --bus or in LIVETAPE_BUS")
    }
    var configuration = LivetapeConfiguration()
    configuration.bus = address
    configuration.dataFolder = folder.path
    let logger = logging.logger("livetape.desk")
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let process = ManagedProcess()
    configuration.beat = process.beat
    let application = DeskApplication(
      configuration, healthPort: healthPort?.number, group: group, logger: logger)
    application.started.whenSuccess { port in
      process.ready("keeps the orders of the servers behind \(address)", health: port)
    }
    try await process.run(application, logger: logger)
    try? await group.shutdownGracefully()
  }
}

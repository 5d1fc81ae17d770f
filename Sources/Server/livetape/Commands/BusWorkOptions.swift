import ArgumentParser
import LivetapeServer
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The options of commands that work for servers on other machines: bus, health port, logging.
struct BusWorkOptions: ParsableArguments {
  @OptionGroup var bus: BusOption
  @Option(help: "A port of loopback that answers /healthz and /readyz; 0 for a free one.")
  var healthPort: PortNumber?
  @OptionGroup var logging: LoggingOptions

  /// Works for the servers behind the bus until SIGINT or SIGTERM.
  ///
  /// - Parameters:
  ///   - role: the task.
  ///   - label: of the log.
  ///   - words: the task as text, followed by the bus's address.
  ///   - configuration: its configuration; the bus is set here.
  /// - Throws: a usage error without a bus.
  func work(
    as role: BusApplication.Role, label: String, _ words: String,
    _ configuration: LivetapeConfiguration
  ) async throws {
    guard let address = try bus.address() else {
      throw ValidationError(
        "the \(role.rawValue) needs a bus: give one with --bus or in LIVETAPE_BUS")
    }
    let logger = logging.logger(label)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let process = ManagedProcess()
    var configuration = configuration
    configuration.bus = address
    configuration.beat = process.beat
    let application = BusApplication(
      role, configuration, healthPort: healthPort?.number, group: group, logger: logger)
    application.started.whenSuccess { process.ready("\(words) \(address)", health: $0) }
    try await process.run(application, logger: logger)
    try? await group.shutdownGracefully()
  }
}

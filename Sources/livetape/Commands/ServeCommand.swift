// `livetape serve`: the server with its page.

public import ArgumentParser
import Foundation
public import LivetapeServer
import Logging
import MarketModel
import NIOCore
import NIOPosix
import ServiceLifecycle

extension VenueMode: ExpressibleByArgument {}

/// Starts everything and prints the address.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the page, on simulated venues unless told otherwise.")

  @Option(help: "The port to listen on; 0 for a free one.") var port: PortNumber = 8080
  @Option(help: "The address to listen on.") var host = "127.0.0.1"
  @OptionGroup var folder: DataFolderOption
  @Option(help: "Which venues to read: simulated or live.") var venues = VenueMode.simulated
  @Option(help: "Seed of the simulated venues.") var seed: UInt64 = 1
  @OptionGroup var urls: VenueURLOptions
  @OptionGroup var logging: LoggingOptions

  func run() async throws {
    var configuration = LivetapeConfiguration()
    configuration.host = host
    configuration.port = port.number
    configuration.dataFolder = folder.path
    configuration.mode = venues
    configuration.endpoints = urls.endpoints
    configuration.seed = seed
    configuration.buxToken = ProcessInfo.processInfo.environment["LIVETAPE_BUX_TOKEN"]
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let application = LivetapeApplication(
      configuration, group: group, logger: logging.logger("livetape"))
    let host = host
    application.port.whenSuccess { port in
      try? StandardOutput.write("Livetape is running at http://\(displayed(host)):\(port)/")
    }
    try await runUntilSignal(application, logger: logging.logger("livetape"))
    try? await group.shutdownGracefully()
  }

  private func displayed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}

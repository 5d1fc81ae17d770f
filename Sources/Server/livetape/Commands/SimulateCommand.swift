import ArgumentParser
import Logging
import MarketModel
import NIOCore
import NIOPosix
import ServiceLifecycle
import SimulatorServer

/// `livetape simulate`: starts the simulated venues alone, for other clients, and prints their
/// addresses.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Run the simulated venues alone.")

  @Option(help: "The port for HTTP and WebSocket venues; 0 for a free one.")
  var port: PortNumber = 8090
  @Option(help: "The port of the exchange's TCP tick feed; 0 for a free one.")
  var exchangePort: PortNumber = 8091
  @Option(help: "The address to listen on.") var host = "127.0.0.1"
  @Option(help: "Equal seeds give equal markets.") var seed: UInt64 = 1
  @Option(help: "Time between the exchange's ticks, in milliseconds (10 to 60000).")
  var tickMilliseconds: Int64 = 1000
  @Flag(help: "Send BitMEX rows as before 2023: no price on updates and deletes.")
  var legacyRows = false
  @OptionGroup var faults: FaultOptions
  @OptionGroup var logging: LoggingOptions

  func validate() throws {
    guard (10...60_000).contains(tickMilliseconds) else {
      throw ValidationError("--tick-milliseconds must be between 10 and 60000")
    }
  }

  func run() async throws {
    var options = SimulatedVenueOptions()
    options.host = host
    options.port = port.number
    options.exchangePort = exchangePort.number
    options.seed = seed
    options.tickMilliseconds = tickMilliseconds
    options.usesLegacyRows = legacyRows
    options.faults = try faults.specs()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let venues = SimulatedVenueServer(
      options, on: group.next(), logger: logging.logger("livetape.simulate"))
    venues.addresses.whenSuccess { addresses in
      for venue in Venue.allCases {
        try? StandardOutput.write("\(venue) \(addresses.url(of: venue))")
      }
      try? StandardOutput.write("Simulated venues are running on port \(addresses.port)")
    }
    try await runUntilSignal(venues, logger: logging.logger("livetape.simulate"))
    try? await group.shutdownGracefully()
  }
}

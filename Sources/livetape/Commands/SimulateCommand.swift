// `livetape simulate`: the simulated venues alone, for other clients.

import ArgumentParser
import Foundation
import Logging
import MarketModel
import NIOCore
import NIOPosix
import ServiceLifecycle
import SimulatorServer

/// Starts the simulated venues and prints their addresses.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Run the simulated venues alone.")

  @Option(help: "The port for HTTP and WebSocket venues; 0 for a free one.")
  var port: PortNumber = 8090
  @Option(help: "The port of the exchange's TCP tick feed; 0 for a free one.")
  var exchangePort: PortNumber = 8091
  @Option(
    help: ArgumentHelp(
      """
      Let the WebSocket venues speak TLS (wss and https), and write the authority of this run to a \
      PEM file, for clients that take --venue-authority.
      """, valueName: "authority-file"))
  var tls: String?
  @Option(help: "The first of the ports of venues with TLS, one for each; 0 for free ones.")
  var tlsPort: PortNumber = 8443
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
    guard tlsPort.number <= 65_500 else { throw ValidationError("--tls-port is at most 65500") }
  }

  func run() async throws {
    var options = SimulatedVenueOptions()
    options.host = host
    options.port = port.number
    options.exchangePort = exchangePort.number
    options.seed = seed
    options.tickMilliseconds = tickMilliseconds
    options.usesLegacyRows = legacyRows
    options.faults = try wantedFaults()
    options.securePort = tlsPort.number
    options.certificates = try certificates()
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

  /// What goes wrong from the start on; throws a usage error for what needs TLS where there is
  /// none.
  private func wantedFaults() throws -> [Venue: VenueFaults] {
    let wanted = try faults.specs()
    for (venue, faults) in wanted where tls == nil {
      if let problem = faults.problemWithoutTLS(at: venue) {
        throw ValidationError("--faults: \(problem)")
      }
    }
    return wanted
  }

  /// The certificates of this run, once its authority is where clients find it; nil without TLS.
  private func certificates() throws -> VenueCertificates? {
    guard let tls else { return nil }
    let certificates = try VenueCertificates(host: host)
    // That of a run before is of no use any more; anything else is somebody's.
    if let former = FileManager.default.contents(atPath: tls), !former.isEmpty,
      !former.starts(with: Data("-----BEGIN CERTIFICATE-----".utf8))
    {
      throw CommandFailure("\(tls) holds something else than an authority; name another file")
    }
    do {
      try Data(certificates.authority.utf8).write(to: URL(fileURLWithPath: tls), options: .atomic)
    } catch {
      throw CommandFailure("\(tls) can't be written")
    }
    return certificates
  }
}

// Options that several commands share, each read into a checked type.

public import ArgumentParser
import Foundation
import LivetapeServer
public import Logging
import MarketModel
import ServiceLifecycle
import UnixSignals
import SocketTransport

/// A TCP port, 0 to 65535.
struct PortNumber: ExpressibleByArgument, ExpressibleByIntegerLiteral {
  let number: Int

  init(integerLiteral value: Int) { number = value }

  init?(argument: String) {
    guard let number = UInt16(argument) else { return nil }
    self.number = Int(number)
  }

  var defaultValueDescription: String { String(number) }
}

/// A URL of a venue.
struct VenueURL: ExpressibleByArgument {
  let endpoint: Endpoint

  init?(argument: String) {
    guard let endpoint = try? Endpoint(argument) else { return nil }
    self.endpoint = endpoint
  }
}

/// One URL for each venue.
struct VenueURLOptions: ParsableArguments {
  @Option(help: "BitMEX: ws or wss URL of its realtime API.") var bitmexUrl: VenueURL?
  @Option(help: "Kraken: ws or wss URL of its WebSocket v2.") var krakenUrl: VenueURL?
  @Option(help: "The ISIN price stream: ws or wss URL.") var isinUrl: VenueURL?
  @Option(help: "BUX: http or https URL; /core/23/… and /subscriptions/me lie below it.")
  var buxUrl: VenueURL?
  @Option(help: "The WebSocket echo: ws or wss URL.") var echoUrl: VenueURL?
  @Option(help: "The exchange's tick feed: tcp://HOST:PORT.") var exchangeUrl: VenueURL?

  /// The given ones.
  var endpoints: [VenueName: Endpoint] {
    var endpoints: [VenueName: Endpoint] = [:]
    endpoints[.bitmex] = bitmexUrl?.endpoint
    endpoints[.kraken] = krakenUrl?.endpoint
    endpoints[.isin] = isinUrl?.endpoint
    endpoints[.bux] = buxUrl?.endpoint
    endpoints[.echo] = echoUrl?.endpoint
    endpoints[.exchange] = exchangeUrl?.endpoint
    return endpoints
  }

  func validate() throws {
    try check(bitmexUrl, "--bitmex-url", ["ws", "wss"])
    try check(krakenUrl, "--kraken-url", ["ws", "wss"])
    try check(isinUrl, "--isin-url", ["ws", "wss"])
    try check(buxUrl, "--bux-url", ["http", "https"])
    try check(echoUrl, "--echo-url", ["ws", "wss"])
    try check(exchangeUrl, "--exchange-url", ["tcp"])
  }

  private func check(_ url: VenueURL?, _ flag: String, _ schemes: [String]) throws {
    guard let url, !schemes.contains(url.endpoint.scheme.rawValue) else { return }
    throw ValidationError(
      "\(flag) must start with \(schemes.map { "\($0)://" }.joined(separator: " or "))")
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// How much is logged, to stderr.
struct LoggingOptions: ParsableArguments {
  @Option(help: "Least important messages to log to stderr.") var logLevel = Logger.Level.warning

  /// A logger at the chosen level.
  func logger(_ label: String) -> Logger {
    var logger = Logger(label: label, factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = logLevel
    return logger
  }
}

/// Runs a service until SIGINT or SIGTERM; a listening failure ends the command with one line.
func runUntilSignal(_ service: any Service, logger: Logger) async throws {
  let group = ServiceGroup(
    configuration: .init(
      services: [
        .init(
          service: service, successTerminationBehavior: .gracefullyShutdownGroup,
          failureTerminationBehavior: .gracefullyShutdownGroup)
      ],
      gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
  do {
    try await group.run()
  } catch let error as ListenError {
    throw CommandFailure(error.description)
  } catch let error as ConfigurationError {
    throw CommandFailure(error.description)
  }
}

public import ArgumentParser
import Foundation
import LivetapeServer
public import Logging
import ServiceLifecycle
import SocketServer
import UnixSignals

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

extension Logger.Level: @retroactive ExpressibleByArgument {}

enum LogFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

struct LoggingOptions: ParsableArguments {
  @Option(help: "Least important messages to log to stderr.") var logLevel = Logger.Level.warning
  @Option(help: "How log messages are written: text, or json for a JSON object a line.")
  var logFormat = LogFormat.text

  func logger(_ label: String) -> Logger {
    var logger =
      switch logFormat {
      case .text: Logger(label: label, factory: { StreamLogHandler.standardError(label: $0) })
      case .json: Logger(label: label, factory: { JSONLogHandler(label: $0) })
      }
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

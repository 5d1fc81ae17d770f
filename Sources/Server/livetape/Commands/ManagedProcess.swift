import Foundation
import LivetapeServer
import Logging
import ServiceLifecycle
import SocketServer

/// A long-running command: ends at a signal and reports to a service manager, if there is one, that
/// it is up, alive and stopping.
struct ManagedProcess: Sendable {
  private let notifier: ServiceNotifier?

  init() {
    let process = ProcessInfo.processInfo
    notifier = ServiceNotifier(environment: process.environment, process: process.processIdentifier)
  }

  /// The sign of life that the manager requires; nil for none.
  var beat: ServerBeat? {
    notifier?.beatMilliseconds.map { milliseconds in
      ServerBeat(milliseconds: milliseconds) { [notifier] in notifier?.beat() }
    }
  }

  func ready(_ status: String) { notifier?.ready(status: status) }

  /// Also prints it, with the health port.
  func ready(_ status: String, health port: Int?) {
    let health = port.map { "; how it is: http://127.0.0.1:\($0)/readyz" } ?? ""
    try? StandardOutput.write("Livetape \(status)\(health)")
    ready(status)
  }

  /// Runs a service until SIGINT or SIGTERM, and reports the beginning of its end.
  func run(_ service: any Service, logger: Logger) async throws {
    try await runUntilSignal(EndingService(service: service, notifier: notifier), logger: logger)
  }
}

/// Reports when a service starts to stop.
private struct EndingService: Service {
  let service: any Service
  let notifier: ServiceNotifier?

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await service.run()
    } onGracefulShutdown: {
      notifier?.stopping()
    }
  }
}

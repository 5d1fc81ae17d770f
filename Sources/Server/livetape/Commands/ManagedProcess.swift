// What commands that run for long share: they end at a signal, and tell a service manager that they
// are up, that they still turn, and that they end.

import Foundation
import LivetapeServer
import Logging
import ServiceLifecycle
import SocketServer

/// A command as its service manager sees it; does nothing where there is none.
struct ManagedProcess: Sendable {
  private let notifier: ServiceNotifier?

  /// Looks for a manager in the environment.
  init() {
    let process = ProcessInfo.processInfo
    notifier = ServiceNotifier(
      environment: process.environment, process: process.processIdentifier)
  }

  /// The sign of life that the manager wants; nil where it wants none.
  var beat: ServerBeat? {
    notifier?.beatMilliseconds.map { milliseconds in
      ServerBeat(milliseconds: milliseconds) { [notifier] in notifier?.beat() }
    }
  }

  /// It does its work from now on; `status` is a line for people.
  func ready(_ status: String) { notifier?.ready(status: status) }

  /// The same, said to the person who started it, too, with the port that says how it is.
  func ready(_ status: String, health port: Int?) {
    let health = port.map { "; how it is: http://127.0.0.1:\($0)/readyz" } ?? ""
    try? StandardOutput.write("Livetape \(status)\(health)")
    ready(status)
  }

  /// Runs a service until SIGINT or SIGTERM; the manager hears that it ends before it has.
  func run(_ service: any Service, logger: Logger) async throws {
    try await runUntilSignal(EndingService(service: service, notifier: notifier), logger: logger)
  }
}

/// A service that says when it is asked to end.
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

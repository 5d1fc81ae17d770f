import Foundation
import SocketTransport
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

private func signal(_ number: Int32, to process: Process) {
  // The class has its own `kill`.
  _ = kill(process.processIdentifier, number)
}

/// A `nats-server` on a free loopback port, with its own store, that a test may kill and restart.
final class NatsServer: @unchecked Sendable {
  // Used by one test at a time.

  /// The program's path; nil where it is not installed.
  static let program: URL? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // Debian installs it in a folder of root's path only.
    return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
      .map { URL(fileURLWithPath: $0).appending(path: "nats-server") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  static let absence = "nats-server is not installed (apt-get install nats-server)"

  let port: Int
  private let folder: URL
  private let clusterPort: Int
  private var process: Process?

  init() throws {
    let silent = [try SilentPort.hold(), try SilentPort.hold()]
    (port, clusterPort) = (silent[0].endpoint(.tcp).port, silent[1].endpoint(.tcp).port)
    for port in silent { port.release() }
    folder = FileManager.default.temporaryDirectory.appending(path: "nats-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    process?.kill()
    process?.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts it as a member of a cluster; all members get the same list.
  func start(asOneOf members: [NatsServer]) throws {
    let routes = members.map { "nats://127.0.0.1:\($0.clusterPort)" }
    try start(
      """
      server_name: "n\(port)"
      cluster { name: "test", listen: "127.0.0.1:\(clusterPort)", routes: \(routes) }
      """)
  }

  /// Starts it; it listens a little later.
  func start(_ more: String = "", hasJetStream: Bool = true) throws {
    let settings = folder.appending(path: "settings")
    let text = """
      listen: "127.0.0.1:\(port)"
      \(hasJetStream ? "jetstream { store_dir: \"\(folder.path)/store\" }" : "")
      \(more)
      """
    try Data(text.utf8).write(to: settings)
    let process = Process()
    process.executableURL = NatsServer.program
    process.arguments = ["-c", settings.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.runWithinPatience()
    self.process = process
  }

  func kill() {
    process?.kill()
    process?.waitUntilExit()
    process = nil
  }

  /// SIGUSR2: it is about to close, and notifies its clients.
  func enterLameDuckMode() {
    guard let process else { return }
    signal(SIGUSR2, to: process)
  }

  /// SIGSTOP: it stays connected but sends nothing.
  func freeze() { _ = process?.suspend() }
}

import Foundation
import MarketModel
import NIOConcurrencyHelpers
import NIOCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program that runs for each firing, with the firing on its standard input; no shell.
public struct AlertProgram: Sendable {
  /// The longest run; then the program is killed.
  static let patience = TimeAmount.seconds(10)
  /// The variables that the program inherits; the server's secrets are in others.
  private static let inherited: Set<String> = [
    "HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "TZ", "USER",
  ]

  private let path: String
  private let queue = DispatchQueue(label: "alert program")

  /// Creates a command; nil unless the file can be executed.
  public init?(path: String) {
    var isFolder: ObjCBool = false
    guard FileManager.default.isExecutableFile(atPath: path),
      FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
    else { return nil }
    self.path = path
  }
}

extension AlertProgram: AlertReceiver {
  func deliver(_ body: [UInt8], on loop: any EventLoop) -> EventLoopFuture<AlertAttempt> {
    let promise = loop.makePromise(of: AlertAttempt.self)
    let run = NIOLockedValueBox(Run())
    let deadline = loop.scheduleTask(in: AlertProgram.patience) {
      run.withLockedValue { $0.end() }
    }
    promise.futureResult.whenComplete { _ in deadline.cancel() }
    queue.async {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.environment = ProcessInfo.processInfo.environment.filter {
        AlertProgram.inherited.contains($0.key)
      }
      let input = Pipe()
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.terminationHandler = { process in
        promise.succeed(
          AlertProgram.attempt(process, isLate: run.withLockedValue { $0.isLate }))
      }
      do {
        // Before it runs: a firing fits the pipe, and a program that ends early closes it.
        try input.fileHandleForWriting.write(contentsOf: body)
        try input.fileHandleForWriting.close()
        try process.run()
        run.withLockedValue { $0.begin(process) }
      } catch {
        promise.succeed(.failed("the alert command can't be run", mayRecover: false))
      }
    }
    return promise.futureResult
  }

  private struct Run {
    var process: Process?
    var isLate = false

    mutating func begin(_ process: Process) {
      self.process = process
      if isLate { end() }
    }

    mutating func end() {
      isLate = true
      guard let process, process.isRunning else { return }
      // Its group too, if it leads one.
      kill(-process.processIdentifier, SIGKILL)
      kill(process.processIdentifier, SIGKILL)
    }
  }

  private static func attempt(_ process: Process, isLate: Bool) -> AlertAttempt {
    if isLate { return .failed("the alert command took too long", mayRecover: false) }
    let status = process.terminationStatus
    if process.terminationReason == .exit, status == 0 { return .delivered }
    return .failed("the alert command ended with status \(status)", mayRecover: false)
  }
}

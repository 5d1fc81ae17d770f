import Foundation
import NIOCore
import TestSupport
import Testing

/// `livetape serve` as a separate process, which can be killed.
final class ServerProcess: Sendable {
  struct NoAddress: Error {
    let said: String
    let errors: String
  }

  let port: Int
  var identifier: Int32 { process.processIdentifier }
  func errors() throws -> String { try errorFile.text() }
  private let process: Process
  private let errorFile: TemporaryFile

  private init(_ process: Process, port: Int, errors: TemporaryFile) {
    self.process = process
    self.port = port
    errorFile = errors
  }

  /// Starts a server on a free port, with additional environment, and waits for its address.
  static func start(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> ServerProcess {
    let process = try Process.product(
      "livetape", ["serve", "--port", "0", "--seed", "7"] + arguments)
    process.environment?.merge(environment) { $1 }
    let output = Pipe()
    let errors = try TemporaryFile()
    process.standardOutput = output
    process.standardError = errors.handle
    let end = try process.runWithinPatience()
    let text = await firstLine(of: output.fileHandleForReading)
    end.cancel()
    let digits = text.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    guard let port = Int(digits) else {
      process.kill()
      throw NoAddress(said: text, errors: try errors.text())
    }
    return ServerProcess(process, port: port, errors: errors)
  }

  func kill() async {
    process.kill()
    await exit()
  }

  /// SIGTERM; returns the exit status.
  @discardableResult
  func stop() async -> Int32 {
    process.terminate()
    let end = process.killAfterPatience()
    await exit()
    end.cancel()
    return process.terminationStatus
  }

  func waitUntilItSays(_ words: String, on loop: any EventLoop) async throws {
    let end = ContinuousClock.now + .seconds(patienceSeconds)
    while try !errors().contains(words) {
      guard ContinuousClock.now < end else { throw WaitTimeout(what: words) }
      try await loop.scheduleTask(in: .milliseconds(20)) {}.futureResult.get()
    }
  }

  func hangUp() { _ = Foundation.kill(process.processIdentifier, SIGHUP) }

  private func exit() async {
    let process = process
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async {
        process.waitUntilExit()
        done.resume()
      }
    }
  }

  private static func firstLine(of file: FileHandle) async -> String {
    await withCheckedContinuation { (done: CheckedContinuation<String, Never>) in
      DispatchQueue.global().async {
        var bytes = Data()
        while !bytes.contains(UInt8(ascii: "\n")) {
          let more = file.availableData
          if more.isEmpty { break }
          bytes += more
        }
        done.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  deinit { process.kill() }
}

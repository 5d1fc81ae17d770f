// `livetape serve` as a process of its own: something that can be killed.

import Foundation
import Testing

/// A running `livetape serve`.
final class ServerProcess: Sendable {
  let port: Int
  private let process: Process

  private init(_ process: Process, port: Int) {
    self.process = process
    self.port = port
  }

  /// Starts a server on a free port and waits for its address.
  static func start(_ arguments: [String]) async throws -> ServerProcess {
    let process = Process()
    let output = Pipe()
    process.executableURL = try CommandRun.executable()
    process.arguments = ["serve", "--port", "0", "--seed", "7"] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = await firstLine(of: output.fileHandleForReading)
    let digits = text.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    return ServerProcess(process, port: try #require(Int(digits), "no address in “\(text)”"))
  }

  /// SIGKILL: no goodbye to anyone.
  func kill() async {
    Foundation.kill(process.processIdentifier, SIGKILL)
    await exit()
  }

  /// SIGTERM; gives the exit status.
  @discardableResult
  func stop() async -> Int32 {
    process.terminate()
    await exit()
    return process.terminationStatus
  }

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

  deinit {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }
}

import Foundation
import TestSupport
import Testing

/// A finished run of the built `livetape` command.
struct CommandRun {
  let status: Int32
  let output: String
  let errors: String

  var objects: [NSDictionary] {
    output.split(separator: "\n").compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? NSDictionary
    }
  }

  static func livetape(_ arguments: String...) async throws -> CommandRun {
    try await run(arguments)
  }

  /// Runs the command with arguments and additional environment.
  ///
  /// `device` is its stdout instead of a file that can be read afterwards, `errorDevice` its
  /// stderr.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], writingTo device: String? = nil,
    errorsTo errorDevice: String? = nil
  ) async throws -> CommandRun {
    let process = try Process.product("livetape", arguments)
    process.environment?.merge(environment) { $1 }
    let output = try TemporaryFile()
    let errors = try TemporaryFile()
    let taken = try device.map { try #require(FileHandle(forWritingAtPath: $0)) }
    let takenErrors = try errorDevice.map { try #require(FileHandle(forWritingAtPath: $0)) }
    process.standardOutput = taken ?? output.handle
    process.standardError = takenErrors ?? errors.handle
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in done.resume() }
      do { try process.runWithinPatience() } catch { done.resume(throwing: error) }
    }
    return CommandRun(
      status: process.terminationStatus, output: try output.text(), errors: try errors.text())
  }

  /// Runs a command that follows something for a while, and again for longer when that was too
  /// short: an idle machine needs the first time only.
  static func patiently(
    _ arguments: () throws -> [String], until hasSeenAll: (CommandRun) async throws -> Bool
  ) async throws -> CommandRun {
    for seconds in ["3", "12"] {
      let run = try await run(try arguments() + ["--seconds", seconds])
      if try await hasSeenAll(run) { return run }
    }
    return try await run(try arguments() + ["--seconds", "60"])
  }
}

final class TemporaryFile: Sendable {
  let url: URL
  let handle: FileHandle

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "livetape-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    handle = try FileHandle(forWritingTo: url)
  }

  func text() throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }

  deinit { try? FileManager.default.removeItem(at: url) }
}

func repositoryFolder() -> URL {
  URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}

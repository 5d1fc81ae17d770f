// Runs the built `livetape` command as a person's shell would.

import Foundation
import Testing

/// A finished command.
struct CommandRun {
  let status: Int32
  let output: String
  let errors: String

  /// Lines of stdout that are JSON objects.
  var objects: [NSDictionary] {
    output.split(separator: "\n").compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? NSDictionary
    }
  }

  /// Runs the command to its end.
  static func livetape(_ arguments: String...) async throws -> CommandRun {
    try await run(arguments)
  }

  /// Runs the command with a list of arguments.
  static func run(_ arguments: [String]) async throws -> CommandRun {
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    let output = try TemporaryFile()
    let errors = try TemporaryFile()
    process.standardOutput = output.handle
    process.standardError = errors.handle
    process.standardInput = FileHandle.nullDevice
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      process.terminationHandler = { _ in done.resume() }
      do { try process.run() } catch { done.resume() }
    }
    return CommandRun(
      status: process.terminationStatus, output: try output.text(), errors: try errors.text())
  }

  /// The command beside the test bundle in the build folder.
  static func executable() throws -> URL {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    var folder = bundle.deletingLastPathComponent()
    for _ in 0..<4 {
      let candidate = folder.appending(path: "livetape")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}

/// A file that is gone after the test.
final class TemporaryFile {
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

/// The repository's own folder.
func repositoryFolder() -> URL {
  URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}

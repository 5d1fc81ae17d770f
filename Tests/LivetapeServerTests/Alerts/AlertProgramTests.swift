// The program that runs for an alert: its input, its environment and its bounds.

import Foundation
import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Testing

@testable import LivetapeServer

@Suite(.timeLimit(.minutes(2))) struct AlertProgramTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let loop = NIOAsyncTestingEventLoop()

  /// Runs a shell script as the program and returns the result; `step` follows each turn.
  private func run(_ script: String, step: () async -> Void = {}) async throws -> AlertAttempt {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "program").path
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    let program = try #require(AlertProgram(path: path))
    let result = NIOLockedValueBox<AlertAttempt?>(nil)
    program.deliver(Array(#"{"number":1}"#.utf8), on: loop).whenSuccess { attempt in
      result.withLockedValue { $0 = attempt }
    }
    while true {
      await loop.run()
      if let attempt = result.withLockedValue({ $0 }) { return attempt }
      await step()
      await Task.yield()
    }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  @Test func `it has the alert on its input, and no secret in its environment`() async throws {
    setenv("LIVETAPE_ALERT_SECRET", "hidden-hidden-hidden", 1)
    defer { unsetenv("LIVETAPE_ALERT_SECRET") }
    let attempt = try await run(#"cd "$(dirname "$0")"; cat > input; env > variables"#)
    #expect(attempt == .delivered)
    #expect(try text("input") == #"{"number":1}"#)
    #expect(try !text("variables").contains("hidden") && text("variables").contains("PATH="))
  }

  @Test func `another status is a failure, also of a program that reads nothing`() async throws {
    let attempt = try await run("exit 3")
    #expect(attempt == .failed("the alert command ended with status 3", mayRecover: false))
  }

  @Test func `it is killed after ten seconds`() async throws {
    let attempt = try await run("exec sleep 600") { await loop.advanceTime(by: .seconds(10)) }
    #expect(attempt == .failed("the alert command took too long", mayRecover: false))
  }

  @Test func `a file that can't be executed is no program`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "text").path
    try Data().write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    for path in [file, folder.path, "/nowhere"] { #expect(AlertProgram(path: path) == nil) }
  }
}

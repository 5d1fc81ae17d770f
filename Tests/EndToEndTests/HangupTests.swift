// SIGHUP reloads a certificate and never ends a process that was not started from a terminal.

import Foundation
import MarketModel
import SimulatorServer
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct HangupTests {
  /// Starts a command, sends SIGHUP and then SIGTERM once it has written anything, and returns
  /// whether SIGHUP ended it.
  private func isEndedByHangup(_ arguments: [String]) async throws -> Bool {
    let process = try Process.product("livetape", arguments + ["--log-level", "trace"])
    let said = Pipe()
    process.standardOutput = said
    process.standardError = said
    try process.runWithinPatience()
    #expect(!said.fileHandleForReading.availableData.isEmpty, "\(arguments) wrote nothing")
    // Of two pending signals the system delivers the one with the lower number first.
    kill(process.processIdentifier, SIGHUP)
    kill(process.processIdentifier, SIGTERM)
    _ = try said.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGHUP
  }

  @Test func `SIGHUP ends no server, reader, order service or simulator`() async throws {
    let folder = try TemporaryFolder()
    let (certificate, key) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
    try Data(TestCertificates.localhost.utf8).write(to: URL(fileURLWithPath: certificate))
    try Data(TestCertificates.localhostKey.utf8).write(to: URL(fileURLWithPath: key))
    let serve = ["serve", "--port", "0", "--data", folder.path + "/data"]
    let simulate = ["simulate", "--port", "0", "--exchange-port", "0"]
    let bus = ["--bus", "nats://127.0.0.1:9", "--health-port", "0"]
    for arguments in [
      serve, serve + ["--tls-certificate", certificate, "--tls-key", key], simulate,
      ["read"] + bus,
      // The former name of `orders`.
      ["desk", "--data", folder.path + "/desk"] + bus,
    ] {
      let isEnded = try await isEndedByHangup(arguments)
      #expect(!isEnded, "\(arguments)")
    }
  }

  @Test func `SIGHUP ends neither watch nor record`() async throws {
    let folder = try TemporaryFolder()
    try await RunningVenues.with { venues in
      let instrument = ["kraken:BTC/USD", "--url", venues.addresses.url(of: .kraken)]
      for arguments in [["watch"], ["record", "--to", folder.path + "/recording"]] {
        let isEnded = try await isEndedByHangup(arguments + instrument)
        #expect(!isEnded, "\(arguments)")
      }
    }
  }
}

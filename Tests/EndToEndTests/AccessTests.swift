// A server that others can reach: its start conditions, TLS, and where its secrets are not.

import Foundation
import MarketModel
import NIOCore
import NIOPosix
import SimulatorServer
import SocketTransport
import TestSupport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct AccessTests {
  private static let pageToken = "page-4f1d0c2b9a8e7766"
  private static let buxToken = "bux-93ab77c1d05e4412"
  private static let secrets = [
    "LIVETAPE_ACCESS_TOKEN": pageToken, "LIVETAPE_BUX_TOKEN": buxToken,
  ]

  @Test(arguments: [
    ([:], [], "access token"), (secrets, [], "--tls-certificate FILE"),
    (secrets, ["--host-name", "tape.example"], "--behind-proxy NAME"),
    ([:], ["--behind-proxy", "tape.example"], "access token"),
    (secrets.merging(["LIVETAPE_VIEWER_TOKEN": pageToken]) { $1 }, [], "another access token"),
    (["LIVETAPE_VIEWER_TOKEN": pageToken], ["--host", "127.0.0.1"], "another access token"),
    (secrets, ["--tls-certificate", "/no/file", "--tls-key", "/no/file"], "holds no certificate"),
  ])
  func `beyond loopback nothing starts without a token and either TLS or a proxy`(
    environment: [String: String], arguments: [String], words: String
  ) async throws {
    let data = try TemporaryFolder()
    let run = try await CommandRun.run(
      ["serve", "--host", "0.0.0.0", "--port", "0", "--data", data.path] + arguments,
      environment: environment)
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: [
    ["--tls-certificate", "c"], ["--tls-key", "k"], ["--behind-proxy", "tape.example:443"],
  ])
  func `half a certificate and a proxy with a port are mistakes of usage`(
    arguments: [String]
  ) async throws {
    let run = try await CommandRun.run(["serve"] + arguments)
    #expect(run.status == 2 && run.output.isEmpty, "\(run.errors)")
  }

  @Test func `page and socket come over TLS, and nothing comes without it`() async throws {
    let trust = try TLSSettings(additionalRootsPEM: TestCertificates.root)
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.tls = try ServerTLS.ofTests()
    configuration.pageToken = try PageToken(Self.pageToken)
    try await RunningServer.with(configuration) { server in
      let answer = try await HTTPClient.get(
        try Endpoint("https://127.0.0.1:\(server.port)/session"),
        headers: [(name: "Authorization", value: "Bearer \(Self.pageToken)")],
        options: .patient(tls: trust), on: server.group.next()
      ).get()
      #expect(answer.status == 200)
      let cookie = answer.headers.first { $0.name.lowercased() == "set-cookie" }
      #expect(cookie?.value.hasSuffix("; Secure") == true)
      let page = try await PageClient.connect(
        port: server.port, origin: "https://127.0.0.1:\(server.port)", token: Self.pageToken,
        tls: trust, on: server.group.next())
      page.open("status")
      try await page.wait(for: "status", "is there") { $0["order"] != nil }
      await page.close()
      let plain = try await server.raw()
      plain.get("/healthz", [("Host", "127.0.0.1:\(server.port)")])
      try await plain.waitForEnd()
      #expect(!plain.text.contains("HTTP/1.1 200"))
    }
  }

  @Test func `a hangup has the certificate read again, and one that can't be used changes nothing`()
    async throws
  {
    let (certificate, key) = (try TemporaryFile(), try TemporaryFile())
    func write(_ certificateText: String, _ keyText: String) throws {
      try Data(certificateText.utf8).write(to: certificate.url)
      try Data(keyText.utf8).write(to: key.url)
    }
    try write(TestCertificates.elsewhere, TestCertificates.elsewhereKey)
    let data = try TemporaryFolder()
    let trust = try TLSSettings(additionalRootsPEM: TestCertificates.root)
    try await withThreads(1) { group in
      let server = try await ServerProcess.start(
        [
          "--data", data.path, "--log-level", "notice", "--tls-certificate",
          certificate.url.path, "--tls-key", key.url.path,
        ])
      let address = try Endpoint("https://localhost:\(server.port)/healthz")
      func fault() async -> TransportError? {
        do {
          _ = try await HTTPClient.get(
            address, options: .patient(tls: trust), on: group.next()
          ).get()
          return nil
        } catch {
          return error as? TransportError
        }
      }
      #expect(await fault() == .tls("localhost", .wrongName))
      try write("none", "none")
      server.hangUp()
      try await server.waitUntilItSays("The certificate stays as it was", on: group.next())
      #expect(await fault() == .tls("localhost", .wrongName))
      try write(TestCertificates.localhost, TestCertificates.localhostKey)
      server.hangUp()
      try await server.waitUntilItSays("The certificate was read again", on: group.next())
      #expect(await fault() == nil)
      #expect(await server.stop() == 0)
    }
  }

  @Test func `a key of another certificate is distinguished from an unreadable one`() throws {
    let (certificate, key) = (try TemporaryFile(), try TemporaryFile())
    try certificate.handle.write(contentsOf: Data(TestCertificates.localhost.utf8))
    func reason() -> String {
      do throws(ServerTLSError) {
        _ = try ServerTLS(certificateFile: certificate.url.path, keyFile: key.url.path)
        return ""
      } catch {
        return error.description
      }
    }
    #expect(reason().contains("holds no key"))
    try key.handle.write(contentsOf: Data(TestCertificates.elsewhereKey.utf8))
    #expect(reason().contains("is not that of the certificate"))
  }

  @Test func `tokens are in no log, recording, export, ledger or kept file`() async throws {
    let data = try TemporaryFolder()
    try await withThreads(1) { group in
      let server = try await ServerProcess.start(
        ["--data", data.path, "--log-level", "trace"], environment: Self.secrets)
      #if os(Linux)
        let limits = try String(
          contentsOfFile: "/proc/\(server.identifier)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").suffix(3) == ["1", "1", "bytes"], "\(limits)")
      #endif
      let page = try await PageClient.connect(
        port: server.port, origin: nil, token: Self.pageToken, on: group.next())
      try await trade(page)
      for path in ["/orders.csv", "/orders.json", "/healthz"] {
        let answer = try await HTTPClient.get(
          try Endpoint("http://127.0.0.1:\(server.port)\(path)"),
          headers: [(name: "Authorization", value: "Bearer \(Self.pageToken)")],
          options: .patient(), on: group.next()
        ).get()
        #expect(answer.status == 200)
        expectNoToken(in: String(buffer: answer.body), path)
      }
      await page.close()
      await server.stop()
      let logged = try server.errors()
      #expect(logged.contains("orders are kept in"), "the log was written")
      expectNoToken(in: logged, "log")
    }
    try await record(into: data.path)
    for arguments in [
      ["ledger", "export"], ["ledger", "export", "--csv"], ["ledger", "list", "--csv"],
      ["ledger", "list", "--json"], ["history", "exchange:TROAD", "--csv"],
    ] {
      let run = try await CommandRun.run(
        arguments + ["--data", data.path], environment: Self.secrets)
      #expect(run.status == 0, "\(arguments) \(run.errors)")
      expectNoToken(in: run.output + run.errors, "\(arguments)")
    }
    #expect(try filesWithTokens(in: data.path) == [])
    try Data("token=\(Self.buxToken)".utf8).write(to: URL(fileURLWithPath: data.path + "/planted"))
    #expect(try filesWithTokens(in: data.path) == ["planted"], "the search finds what is there")
  }

  /// A list, a product and an order: all that writes to disk and sends the token.
  private func trade(_ page: PageClient) async throws {
    page.open("exchange", "orders", "product/sb26493", "book/XBTUSD")
    page.say(#"{"do":"list.add","list":"stars","member":"kraken/BTC/USD"}"#)
    try await page.wait(for: "product/sb26493", "has come") { "\($0)".contains("GERMANY30") }
    try await page.wait(for: "exchange", "is live") {
      ($0["freshness"] as? NSDictionary)?["state"] as? String == "live"
    }
    page.say(
      #"{"do":"order.place","order":{"clientId":"a","type":"market","side":"buy","quantity":"1"}}"#)
    try await page.wait("a reply") { !$0.replies.isEmpty }
    #expect(page.seen.replies.first?["ok"] as? Bool == true, "\(page.seen.replies)")
  }

  private func record(into folder: String) async throws {
    try await RunningVenues.with { venues in
      for (name, instrument) in [("bux", "bux:sb26493"), ("kraken", "kraken:BTC/USD")] {
        let venue = try #require(Venue(rawValue: name))
        let run = try await CommandRun.run(
          [
            "record", instrument, "--to", "\(folder)/\(name).tsv", "--seconds", "5", "--url",
            venues.addresses.url(of: venue), "--log-level", "trace",
          ], environment: Self.secrets)
        #expect(run.status == 0, "\(run.errors)")
        expectNoToken(in: run.output + run.errors, "record \(name)")
      }
    }
  }

  private static var wanted: [Data] {
    secrets.values.flatMap { [Data($0.utf8), Data(Data($0.utf8).base64EncodedString().utf8)] }
  }

  private func expectNoToken(in text: String, _ place: String) {
    let bytes = Data(text.utf8)
    #expect(!Self.wanted.contains { bytes.range(of: $0) != nil }, "\(place)")
  }

  /// Names of files below a folder that contain a token.
  private func filesWithTokens(in folder: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    #expect(names.count >= 3, "\(names)")
    return try names.sorted().filter { name in
      let path = folder + "/" + name
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      guard exists, !isFolder.boolValue else { return false }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      return Self.wanted.contains { bytes.range(of: $0) != nil }
    }
  }
}

// Faults on demand over real sockets, requested by HTTP, by a page and on the command line; they
// show on the affected values, and end by themselves.

import FeedConnections
import Foundation
import MarketModel
import NIOCore
import SimulatorServer
import TestSupport
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct FaultTests {
  private func ask(
    _ venues: RunningVenues, _ request: String, _ headers: String = ""
  ) async throws -> String {
    let client = try await RawClient.connect(port: venues.addresses.port, on: venues.group.next())
    let lines = "Host: 127.0.0.1\r\nConnection: close\r\n\(headers)"
    client.send("\(request) HTTP/1.1\r\n\(lines)\r\n")
    try await client.waitForEnd()
    return client.text
  }

  @Test func `the simulator takes, shows and ends faults over HTTP`() async throws {
    var options = SimulatedVenueOptions()
    options.faults[.bitmex] = try VenueFaults("delay=300ms", at: .bitmex)
    try await RunningVenues.with(options) { venues in
      let first = try await ask(venues, "GET /faults")
      #expect(first.contains(#""bitmex":[{"fault":"delay=300ms"}],"kraken":[]"#))
      let put = try await ask(venues, "PUT /faults/kraken?spec=drop%3D2%25%20for%2060s,gap@9")
      #expect(put.hasPrefix("HTTP/1.1 200"))
      #expect(put.contains(#"{"kraken":[{"fault":"drop=2% for 60s","until":"#))
      #expect(put.contains(#"{"fault":"gap=5@9"}]}"#))
      let other = try await ask(venues, "PUT /faults/kraken?spec=stall")
      #expect(other.contains(#"{"kraken":[{"fault":"stall"}]}"#), "instead of those before")
      #expect(try await ask(venues, "DELETE /faults/kraken").contains(#"{"kraken":[]}"#))
      #expect(try await ask(venues, "GET /faults/bitmex").contains("delay=300ms"))
    }
  }

  @Test func `watch shows no book as live when every message is three seconds old`() async throws {
    var options = SimulatedVenueOptions()
    options.faults[.kraken] = try VenueFaults("delay=3s", at: .kraken)
    try await RunningVenues.with(options) { venues in
      let run = try await CommandRun.patiently {
        [
          "watch", "kraken:BTC/USD", "--url", venues.addresses.url(of: .kraken), "--every", "100",
          "--json",
        ]
      } until: { run in
        run.objects.last?["status"] as? String == "synced"
      }
      let synced = run.objects.filter { $0["status"] as? String == "synced" }
      #expect(!synced.isEmpty, "\(run.errors)")
      #expect(synced.allSatisfy { $0["freshness"] as? String == "late" })
    }
  }

  @Test(arguments: [
    ("PUT /faults/kraken?spec=dorp", "400", "expected one of drop, gap"),
    ("PUT /faults/bitmex?spec=checksum", "400", "only kraken does"),
    ("PUT /faults/kraken", "400", "in the query"), ("PUT /faults/nobody?spec=cut", "404", "venue"),
    ("PUT /faults/kraken?spec=cut&spec=cut", "400", "in the query"),
    ("PUT /kraken?spec=cut", "404", "HTTP"),
    ("POST /faults/kraken?spec=cut", "405", "PUT and DELETE"),
  ])
  func `the simulator rejects invalid faults`(
    request: String, status: String, words: String
  ) async throws {
    try await RunningVenues.with { venues in
      let answer = try await ask(venues, request)
      #expect(answer.hasPrefix("HTTP/1.1 \(status)") && answer.contains(words), "\(answer)")
      #expect(try await ask(venues, "GET /faults/kraken").contains(#"{"kraken":[]}"#))
    }
  }

  @Test func `a page of another site can't break anything`() async throws {
    try await RunningVenues.with { venues in
      let answer = try await ask(
        venues, "PUT /faults/kraken?spec=stall", "Origin: https://evil.example\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 403"), "\(answer)")
      #expect(try await ask(venues, "GET /faults/kraken").contains(#"{"kraken":[]}"#))
    }
  }

  @Test func `a page breaks a simulated venue, sees it, and it recovers by itself`() async throws {
    try await RunningServer.with { server in
      let page = try await server.page()
      page.open("faults", "status", "book/BTC/USD")
      try await page.wait(for: "book/BTC/USD", "is live") { state(of: $0) == "live" }
      page.say(#"{"do":"fault.inject","venue":"kraken","faults":"stall for 8s"}"#)
      try await page.wait(for: "faults", "shows it") { running($0).contains("stall for 8s") }
      try await page.wait(for: "book/BTC/USD", "is late") {
        state(of: $0) == "late" || state(of: $0) == "stale"
      }
      try await page.wait(for: "faults", "is over") { running($0).isEmpty }
      try await page.wait(for: "book/BTC/USD", "is live again") { state(of: $0) == "live" }
      page.say(#"{"do":"fault.inject","venue":"kraken","faults":"delay=100ms"}"#)
      try await page.wait(for: "faults", "shows it") { running($0) == ["delay=100ms"] }
      page.say(#"{"do":"fault.clear","venue":"kraken"}"#)
      try await page.wait(for: "faults", "is cleared") { running($0).isEmpty }
    }
  }

  @Test func `what is not simulated here is no business of the page`() async throws {
    try await RunningVenues.with { venues in
      var configuration = LivetapeConfiguration.onFreePort()
      let url = venues.addresses.url(of: .kraken)
      configuration.addresses[.kraken] = try VenueAddress.given(url, for: .kraken)
      try await RunningServer.with(configuration, beside: venues) { server in
        let raw = try await server.raw()
        raw.get(
          "/live",
          [
            ("Host", "127.0.0.1:\(server.port)"), ("Upgrade", "websocket"),
            ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
          ])
        try await raw.wait(for: "101")
        raw.say(#"{"open":["faults"]}"#)
        try await raw.wait(for: #""order":["bitmex","#)
        raw.say(#"{"do":"fault.inject","venue":"kraken","faults":"cut"}"#)
        try await raw.wait(for: "Faults can be injected at simulated venues only.")
        raw.say(#"{"do":"fault.inject","venue":"bitmex","faults":"checksum"}"#)
        try await raw.wait(for: "checksum: bitmex sends none, only kraken does")
        raw.say(#"{"do":"fault.inject","venue":"exchange","faults":"close"}"#)
        try await raw.wait(for: "close: exchange is plain TCP, which has no close codes")
        raw.say(#"{"do":"fault.inject","venue":"bitmex"}"#)
        try await raw.wait(for: "bad_message")
        await raw.close()
      }
    }
  }

  @Test(arguments: [
    ["simulate", "--faults", "kraken:dorp"], ["simulate", "--faults", "bitmex:checksum"],
    ["simulate", "--faults", "kraken"], ["serve", "--faults", "nobody:cut"],
  ])
  func `invalid faults are a wrong argument`(arguments: [String]) async throws {
    let run = try await CommandRun.run(arguments)
    #expect(run.status == 2 && run.errors.contains("--faults: "), "\(run.errors)")
  }

  @Test func `faults come from a file, and what is not simulated is not broken`() async throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path).appending(path: "faults.txt")
    try Data("# what goes wrong\n\nkraken:drop=2%\nkraken:dorp\n".utf8).write(to: file)
    let wrong = try await CommandRun.livetape("simulate", "--faults", "@\(file.path)")
    #expect(wrong.status == 2 && wrong.errors.contains("expected one of"), "\(wrong.errors)")
    let missing = try await CommandRun.livetape("simulate", "--faults", "@/no/such/file")
    #expect(missing.status == 1 && missing.errors.contains("can't be read"), "\(missing.errors)")
    let live = try await CommandRun.livetape(
      "serve", "--venues", "live", "--port", "0", "--data", folder.path, "--faults", "kraken:cut")
    #expect(live.status == 1 && live.errors.contains("not simulated here"), "\(live.errors)")
  }
}

private func state(of topic: NSDictionary) -> String? {
  (topic["freshness"] as? NSDictionary)?["state"] as? String
}

/// Kraken's running faults, as the page receives them.
private func running(_ topic: NSDictionary) -> [String] {
  let kraken = (topic["venues"] as? NSDictionary)?["kraken"] as? NSDictionary
  return (kraken?["running"] as? [NSDictionary] ?? []).compactMap { $0["fault"] as? String }
}

// Header fields and targets in all spellings that HTTP allows, and bodies that wait for 100
// Continue.

import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct HTTPFieldTests {
  private static let secret = "0123456789abcdef-secret"

  @Test func `an absolute target names the host that counts`() async throws {
    try await RunningServer.with { server in
      let own = "127.0.0.1:\(server.port)"
      for (target, host, status) in [
        ("http://evil.example/healthz", own, "403 Forbidden"),
        ("http://\(own)/healthz", "evil.example", "200 OK"),
      ] {
        let client = try await server.raw()
        client.get(target, [("Host", host)])
        try await client.wait(for: "HTTP/1.1 \(status)")
        await client.close()
      }
    }
  }

  @Test func `blanks around the fields of an upgrade change nothing`() async throws {
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.pageToken = try PageToken(Self.secret)
    try await RunningServer.with(configuration) { server in
      for blanks in ["\t", " ", " \t "] {
        let client = try await server.raw()
        let own = "127.0.0.1:\(server.port)"
        let fields = [
          ("Host", own), ("Origin", "http://\(own)"), ("Authorization", "bearer   \(Self.secret)"),
        ]
        client.get("/live", (fields + upgradeHeaders).map { ($0, blanks + $1 + blanks) })
        try await client.wait(for: "101 Switching Protocols")
        client.say(#"{"ping":3}"#)
        try await client.wait(for: #"{"pong":3,"at":"#)
        await client.close()
      }
    }
  }

  @Test func `an order that waits for 100 is read and answered`() async throws {
    try await RunningServer.with { server in
      let client = try await server.raw()
      let body = #"{"clientId":"a","type":"limit","side":"buy","quantity":"1","price":"1.00"}"#
      client.send(
        "POST /api/v1/orders HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
          + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
          + "Expect: 100-continue\r\n\r\n")
      try await client.wait(for: "HTTP/1.1 100 Continue\r\n\r\n")
      client.send(body)
      try await client.wait(times: 2, for: "HTTP/1.1 ")
      // Without prices there is no market yet.
      #expect(client.text.contains("201 Created") || client.text.contains("503 "), "\(client.text)")
    }
  }
}

// A server's access rules, byte by byte: names, origins, tokens, and hostile sockets.

import FeedConnections
import Foundation
import Hummingbird
import Logging
import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SimulatorServer
import SocketTransport
import Testing
import VenueCatalogue

@testable import LivetapeServer
@testable import SocketServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct DoorTests {
  private static let secret = "0123456789abcdef-secret"
  private static let guess = "0123456789abcdef-wrong-guess"

  @Test func `a page's socket opens on a connection that has asked over HTTP before`() async throws
  {
    try await RunningServer.with { server in
      let client = try await server.raw()
      let host = [("Host", "127.0.0.1:\(server.port)")]
      client.get("/healthz", host)
      try await client.wait(for: #""status":"ok""#)
      client.get("/assets/no-such-file", host)
      try await client.wait(for: "404 Not Found")
      client.get("/live", host + upgradeHeaders)
      try await client.wait(for: "101 Switching Protocols")
      client.say(#"{"ping":17}"#)
      try await client.wait(for: #"{"pong":17,"at":"#)
    }
  }

  @Test func `a venue's socket opens on a connection that has asked over HTTP before`()
    async throws
  {
    try await RunningVenues.with { venues in
      let port = venues.addresses.port
      let client = try await RawClient.connect(port: port, on: venues.group.next())
      let host = [("Host", "127.0.0.1:\(port)")]
      client.get("/api/v1/instrument?symbol=XBTUSD", host)
      try await client.wait(for: #""symbol":"XBTUSD""#)
      client.get("/echo", host + upgradeHeaders)
      try await client.wait(for: "101 Switching Protocols")
      client.say("and back")
      try await client.wait(for: "and back")
    }
  }

  @Test func `every route refuses names that are not the server's, and foreign pages`() async throws
  {
    try await RunningServer.with { server in
      let own = ("Host", "127.0.0.1:\(server.port)")
      let routes = [
        "/", "/feed", "/live", "/healthz", "/readyz", "/metrics", "/history/bitmex/XBTUSD",
        "/spark/kraken/BTC%2FUSD", "/history/orders?before=2", "/orders.csv", "/orders.json",
        "/fills.csv", "/api/v1/fills.csv",
        "/session", "/session/socket", "/api/v1/connections", "/api/v1/stream",
        "/assets/ui/ui.css", "/no/such/page",
      ]
      let sockets = ["/live", "/api/v1/stream"]
      for route in routes {
        for headers in [
          [("Host", "127.evil.com:\(server.port)")], [("Host", "evil.com")],
          [own, ("Origin", "http://evil.com")], [own, ("Sec-Fetch-Site", "cross-site")],
          [own, ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Mode", "no-cors")],
        ] {
          let client = try await server.raw()
          client.get(route, headers + (sockets.contains(route) ? upgradeHeaders : []))
          try await client.wait(for: "HTTP/1.1 403 Forbidden")
          await client.close()
        }
      }
    }
  }

  @Test func `simulated venues refuse foreign pages`() async throws {
    try await RunningVenues.with { venues in
      let port = venues.addresses.port
      let client = try await RawClient.connect(port: port, on: venues.group.next())
      client.get(
        "/echo",
        [("Host", "127.0.0.1:\(port)"), ("Origin", "http://evil.com")] + upgradeHeaders)
      try await client.wait(for: "HTTP/1.1 403 Forbidden")
      try await client.waitForEnd()
    }
  }

  @Test func `wrong requests get the reason`() async throws {
    try await RunningServer.with { server in
      let host = "Host: 127.0.0.1:\(server.port)\r\n"
      let offer = "Upgrade: websocket\r\nConnection: Upgrade\r\n"
      for (request, answer) in [
        ("DELETE / HTTP/1.1\r\n\(host)\r\n", "405 Method Not Allowed\r\nAllow: GET, HEAD\r\n"),
        ("BREW / HTTP/1.1\r\n\(host)\r\n", "HTTP/1.1 4"),
        ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request"),
        ("GET /live HTTP/1.1\r\n\(host)\r\n", "426 Upgrade Required"),
        (
          "GET /live HTTP/1.1\r\n\(host)\(offer)Sec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: x\r\n\r\n", "400 Bad Request"
        ),
        (
          "GET /live HTTP/1.1\r\n\(host)\(offer)Sec-WebSocket-Version: 8\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", "426 Upgrade Required"
        ),
        ("\u{1}\u{2}\r\n\r\n", "400 Bad Request"),
      ] {
        let client = try await server.raw()
        client.send(request)
        try await client.wait(for: answer)
        await client.close()
      }
    }
  }

  @Test func `a body is not read, whatever its announced length`() async throws {
    try await RunningServer.with { server in
      for announcement in ["Content-Length: 1000000000", "Transfer-Encoding: chunked"] {
        let client = try await server.raw()
        client.send(
          "POST /orders HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(announcement)\r\n\r\n")
        client.send(Array(repeating: 0x61, count: ConnectionGuard.maximumDiscardedBytes * 4))
        try await client.waitForEnd()
      }
    }
  }

  @Test func `silent sockets make room for new ones`() async throws {
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.sockets = SocketLimits(sockets: 3, silentSockets: 1, requestMilliseconds: 600_000)
    try await RunningServer.with(configuration) { server in
      var pages: [PageClient] = []
      for _ in 0..<2 {
        let silent = try await server.raw()
        pages.append(try await server.page())
        try await silent.waitForEnd()
      }
      pages.append(try await server.page())
      let refused = try await server.raw()
      try await refused.waitForEnd()
      for page in pages {
        page.say(#"{"ping":2}"#)
        try await page.wait("an answer") { $0.pongs.last == 2 }
      }
    }
  }

  #if os(Linux)
    // Elsewhere loopback has one address.
    @Test func `empty sockets from one address close no waiting socket of another`() async throws {
      var configuration = LivetapeConfiguration.onFreePort()
      configuration.sockets = SocketLimits(
        sockets: 8, silentSockets: 4, requestMilliseconds: 600_000)
      try await RunningServer.with(configuration) { server in
        let slow = try await server.raw()
        var flood: [RawClient] = []
        for _ in 0..<12 {
          flood.append(
            try await RawClient.connect(
              port: server.port, from: "127.0.0.2", on: server.group.next()))
        }
        for socket in flood.prefix(9) { try await socket.waitForEnd() }
        slow.get("/healthz", [("Host", "127.0.0.1:\(server.port)")])
        try await slow.wait(for: #""status":"ok""#)
      }
    }
  #endif

  @Test func `rejected or idle sockets block no others`() async throws {
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.sockets = SocketLimits(
      sockets: 2, silentSockets: 2, requestMilliseconds: 600_000, idleMilliseconds: 600_000)
    try await RunningServer.with(configuration) { server in
      let host = ("Host", "127.0.0.1:\(server.port)")
      for _ in 0..<3 {
        let refused = try await server.raw()
        refused.get("/", [("Host", "evil.com")])
        try await refused.wait(for: "403 Forbidden")
        try await refused.waitForEnd()
      }
      var idle: [RawClient] = []
      for _ in 0..<4 {
        let client = try await server.raw()
        client.get("/healthz", [host])
        try await client.wait(for: #""status":"ok""#)
        idle.append(client)
      }
      try await idle[0].waitForEnd()
      try await idle[1].waitForEnd()
      idle[2].get("/healthz?again", [host])
      try await idle[2].wait(times: 2, for: #""status":"ok""#)
      _ = try await server.page()
      try await idle[3].waitForEnd()
    }
  }

  @Test func `a listener closes connections that are silent for too long`() async throws {
    // A start's own check has as little time.
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.sockets = SocketLimits(requestMilliseconds: 1000)
    try await RunningServer.with(configuration) { server in
      let silent = try await server.raw()
      try await silent.waitForEnd()
    }
    var options = SimulatedVenueOptions()
    options.sockets = SocketLimits(requestMilliseconds: 1000)
    try await RunningVenues.with(options) { venues in
      for port in [venues.addresses.port, venues.addresses.exchangePort] {
        let silent = try await RawClient.connect(port: port, on: venues.group.next())
        silent.send("hel")
        try await silent.waitForEnd()
      }
    }
  }

  @Test func `work for a socket that is gone is given up`() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let router = Router()
    router.get("/for-ever") { _, _ in
      begin.yield()
      // Never yields: ends when its task is cancelled.
      for await _ in AsyncStream(Void.self, { _ in }) {}
      end.yield()
      return "done"
    }
    try await withThreads(1) { group in
      let listener = SocketListener.http(
        host: "127.0.0.1", port: 0,
        HTTPDoor(
          refusal: { _, _ in nil }, router: router,
          acceptor: WebSocketAcceptor(
            limits: WebSocketLimits(), accepts: { _ in false }, install: { _, _ in }),
          limits: SocketLimits(idleMilliseconds: 50)),
        on: group.next(), logger: .quiet)
      try await withService(listener) {
        let client = try await RawClient.connect(
          port: try await listener.port.get(), on: group.next())
        client.get("/for-ever", [("Host", "127.0.0.1")])
        for await _ in begun { break }
        await client.close()
        for await _ in ended { break }
      }
    }
  }

  @Test func `a closing listener accepts no connections`() async throws {
    try await withThreads(1) { group in
      let loop = group.next()
      let door = SocketDoor(SocketLimits(), loop: loop)
      await door.quiesce()
      let late = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
      let number = try await loop.submit { door.admit(late) }.get()
      #expect(number == nil)
      try await late.closeFuture.get()
    }
  }

  @Test func `one page too many is rejected before it is opened`() async throws {
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.maximumPages = 1
    try await RunningServer.with(configuration) { server in
      let page = try await server.page()
      let refused = try await server.raw()
      refused.get("/live", [("Host", "127.0.0.1:\(server.port)")] + upgradeHeaders)
      try await refused.wait(for: "503 Service Unavailable")
      try await refused.wait(for: "Too many pages are open.")
      try await refused.waitForEnd()
      page.say(#"{"ping":1}"#)
      try await page.wait("an answer") { $0.pongs == [1] }
    }
  }

  @Test func `a page may send no form and can't be framed`() async throws {
    try await RunningServer.with { server in
      let client = try await server.raw()
      client.get("/", [("Host", "127.0.0.1:\(server.port)")])
      try await client.wait(for: "frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r\n")
    }
  }

  @Test func `with a token every route needs it, as a cookie or with each request`()
    async throws
  {
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.pageToken = try PageToken(Self.secret)
    try await RunningServer.with(configuration) { server in
      let host = ("Host", "127.0.0.1:\(server.port)")
      for route in ["/", "/live", "/metrics", "/orders.csv", "/history/bitmex/XBTUSD", "/assets/x"]
      {
        let client = try await server.raw()
        client.get(route, [host] + (route == "/live" ? upgradeHeaders : []))
        try await client.wait(for: "HTTP/1.1 401 Unauthorized")
        await client.close()
      }
      let person = try await server.raw()
      person.get("/exchange", [host, ("Accept", "text/html")])
      try await person.wait(for: "HTTP/1.1 401 Unauthorized")
      try await person.wait(for: "Content-Type: text/html; charset=utf-8")
      await person.close()
      let client = try await server.raw()
      client.get("/session", [host, ("Authorization", "Bearer \(Self.secret)")])
      try await client.wait(for: "HTTP/1.1 200 OK")
      try await client.wait(for: "HttpOnly; SameSite=Strict")
      #expect(!client.text.contains(Self.secret), "a session is not the token")
      client.get("/healthz", [host, ("Authorization", "Bearer \(Self.secret)")])
      try await client.wait(for: #""status":"ok""#)
      let cookie = [host, ("Cookie", try client.cookie())]
      let ticket = try await client.ticket(cookie)
      let named = ("Sec-WebSocket-Protocol", "livetape, livetape.ticket.\(ticket)")
      client.get("/live", cookie + [named] + upgradeHeaders)
      try await client.wait(for: "101 Switching Protocols")
      // Once: reusing it fails, and so does the cookie alone.
      for headers in [cookie + [named], cookie] {
        let again = try await server.raw()
        again.get("/live", headers + upgradeHeaders)
        try await again.wait(for: "403 Forbidden")
        try await again.waitForEnd()
      }
      let script = try await server.raw()
      script.get("/live", [host, ("Authorization", "Bearer \(Self.secret)")] + upgradeHeaders)
      try await script.wait(for: "101 Switching Protocols")
      try await client.wait(for: "Sec-WebSocket-Protocol: livetape\r\n")
      client.say(#"{"ping":3}"#)
      try await client.wait(for: #"{"pong":3,"at":"#)
    }
  }

  @Test func `no log holds a token, however much is logged`() async throws {
    let lines = NIOLockedValueBox<[String]>([])
    var logger = Logger(label: "test", factory: { _ in ListHandler(lines: lines) })
    logger.logLevel = .trace
    let bux = "SECRETTOKEN-9f8e"
    var configuration = LivetapeConfiguration.onFreePort()
    configuration.pageToken = try PageToken(Self.secret)
    configuration.buxToken = AccessToken(bux)
    let issued = NIOLockedValueBox("")
    let session = NIOLockedValueBox("")
    try await RunningServer.with(configuration, logger: logger) { server in
      let host = ("Host", "127.0.0.1:\(server.port)")
      let client = try await server.raw()
      let door = try await server.raw()
      door.get("/?token=\(Self.secret)", [host])
      try await door.wait(for: "401 Unauthorized")
      await door.close()
      let guess = try await server.raw()
      guess.get("/", [host, ("Authorization", "Bearer \(Self.guess)")])
      try await guess.wait(for: "401 Unauthorized")
      await guess.close()
      client.get("/session", [host, ("Authorization", "Bearer \(Self.secret)")])
      try await client.wait(for: "HttpOnly; SameSite=Strict")
      let cookie = [host, ("Cookie", try client.cookie())]
      let ticket = try await client.ticket(cookie)
      client.get(
        "/live",
        cookie + [("Sec-WebSocket-Protocol", "livetape, livetape.ticket.\(ticket)")]
          + upgradeHeaders)
      try await client.wait(for: "101 Switching Protocols")
      client.say(#"{"open":["product/sb26493"]}"#)
      try await client.wait(for: "GERMANY30")
      issued.withLockedValue { $0 = ticket }
      session.withLockedValue { $0 = String(cookie[1].1.dropFirst("livetape=".count)) }
    }
    let logged = lines.withLockedValue { $0 }
    #expect(logged.contains { $0.contains("LivetapeApplication") }, "the service was logged")
    #expect(
      logged.contains {
        $0.contains(
          "Rejected 1 request with a wrong or expired access token, the last from 127.0.0.1.")
      })
    let secrets = [
      bux, Self.secret, Self.guess, session.withLockedValue { $0 }, issued.withLockedValue { $0 },
    ]
    #expect(!logged.contains { line in secrets.contains { line.contains($0) } })
  }

  @Test(arguments: [
    ("http://venue.example/bux", true), ("https://venue.example/bux", false),
    ("http://127.0.0.1:9/bux", false), ("http://127.venue.example/bux", true),
  ])
  func `a token that would travel in the clear is warned of`(url: String, isWarned: Bool) throws {
    let endpoint = try Endpoint(url)
    let address = try VenueAddress.given(endpoint, for: .bux)
    let warning = address.warning(of: AccessToken("SECRETTOKEN-9f8e"))
    #expect((warning != nil) == isWarned)
    #expect(warning?.contains("SECRET") != true)
    #expect(address.warning(of: nil) == nil)
  }
}

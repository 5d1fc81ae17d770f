// Requests without the token to a server that has one.

import MarketModel
import NIOConcurrencyHelpers
import NIOHTTP1
import SocketServer
import Testing

@testable import LivetapeServer

@Suite struct AccessPolicyTests {
  private func status(
    _ uri: String, _ method: HTTPMethod = .GET, listeningOn host: String = "127.0.0.1",
    headers: HTTPHeaders = [:]
  ) throws -> HTTPResponseStatus? {
    let policy = AccessPolicy(
      origins: OriginPolicy(listeningOn: host), token: try PageToken("0123456789abcdef"),
      isLoopbackOnly: host == "127.0.0.1", now: { Timestamp(milliseconds: 0) })
    var all: HTTPHeaders = ["Host": "127.0.0.1:8080"]
    all.add(contentsOf: headers)
    return policy.response(
      to: HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: all))?.status
  }

  @Test(arguments: ["/healthz", "/readyz", "/readyz?verbose"])
  func `on loopback a supervisor needs no token`(uri: String) throws {
    #expect(try status(uri) == nil)
    #expect(try status(uri, .HEAD) == nil)
    #expect(try status(uri, .POST) == .unauthorized)
  }

  @Test(arguments: ["/", "/metrics", "/readyz/", "/readyz/x", "//readyz", "/READYZ", "/healthz%20"])
  func `everything else needs it there, too`(uri: String) throws {
    #expect(try status(uri) == .unauthorized)
  }

  @Test(arguments: ["/healthz", "/readyz", "/metrics"])
  func `beyond loopback nothing is served without it`(uri: String) throws {
    #expect(try status(uri, listeningOn: "0.0.0.0") == .unauthorized)
  }

  @Test(arguments: ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"])
  func `a proxy's requests are for others and need it`(header: String) throws {
    #expect(try status("/readyz", headers: [header: "203.0.113.7"]) == .unauthorized)
  }

  private func cookie(of token: String) -> String {
    "livetape=\(PageSession.issue(by: Array(token.utf8), at: Timestamp(milliseconds: 0)))"
  }

  private func bearer(_ token: String, _ more: HTTPHeaders = [:]) -> HTTPRequestHead {
    var headers: HTTPHeaders = ["Host": "127.0.0.1:8080", "Authorization": "Bearer \(token)"]
    headers.add(contentsOf: more)
    return HTTPRequestHead(version: .http1_1, method: .GET, uri: "/metrics", headers: headers)
  }

  @Test func `a source that guesses tokens is paced, and no other`() throws {
    let time = NIOLockedValueBox<Int64>(0)
    var policy = AccessPolicy(
      origins: OriginPolicy(listeningOn: "127.0.0.1"), token: try PageToken("0123456789abcdef"),
      isLoopbackOnly: true, now: { Timestamp(milliseconds: 0) })
    policy.viewerToken = try PageToken("viewer-0123456789")
    policy.tokenGuard = TokenGuard(
      now: { MonotonicTime(nanoseconds: time.withLockedValue { $0 }) }, logger: nil)
    let (guesser, trader) = (SocketSource(literal: "192.0.2.1"), SocketSource(literal: "192.0.2.2"))
    func status(_ token: String, from source: SocketSource?) throws -> HTTPResponseStatus? {
      policy.response(to: bearer(token), from: try #require(source))?.status
    }
    for _ in 0..<100 { #expect(try status("an-old-token-0001", from: guesser) == .unauthorized) }
    for number in 10..<29 {
      #expect(try status("not-the-token-\(number)", from: guesser) == .unauthorized)
    }
    for token in ["not-the-token-02", "0123456789abcdef", "viewer-0123456789"] {
      #expect(try status(token, from: guesser) == .tooManyRequests)
    }
    #expect(try status("0123456789abcdef", from: trader) == nil)
    for number in 100..<200 {
      #expect(try status("not-the-token-\(number)", from: trader) == .unauthorized)
    }
    #expect(try status("0123456789abcdef", from: trader) == nil, "its address has sent the token")
    time.withLockedValue { $0 = 1_000_000_000 }
    #expect(try status("not-the-token-03", from: guesser) == .unauthorized)
    #expect(try status("not-the-token-03", from: guesser) == .tooManyRequests)
    time.withLockedValue { $0 = 2_000_000_000 }
    #expect(try status("0123456789abcdef", from: guesser) == nil)
  }

  @Test func `behind a proxy the source is whom it passes on`() throws {
    var policy = AccessPolicy(
      origins: OriginPolicy(listeningOn: "127.0.0.1"), token: try PageToken("0123456789abcdef"),
      isBehindProxy: true, isLoopbackOnly: false, now: { Timestamp(milliseconds: 0) })
    policy.tokenGuard = TokenGuard(now: { MonotonicTime(nanoseconds: 0) }, logger: nil)
    let proxy = try #require(SocketSource(literal: "127.0.0.1"))
    func status(_ forwarded: String, _ number: Int = 1) -> HTTPResponseStatus? {
      let head = bearer("not-the-token-\(number)", ["X-Forwarded-For": forwarded])
      return policy.response(to: head, from: proxy)?.status
    }
    for number in 0..<20 {
      #expect(status("198.51.100.9, 192.0.2.1", number) == .unauthorized)
    }
    #expect(status("198.51.100.8, 192.0.2.1") == .tooManyRequests)
    #expect(status("192.0.2.1, 192.0.2.2") == .unauthorized)
  }

  @Test func `viewers have a token of their own, and the stronger one counts`() throws {
    var policy = AccessPolicy(
      origins: OriginPolicy(listeningOn: "127.0.0.1"), token: try PageToken("0123456789abcdef"),
      isLoopbackOnly: true, now: { Timestamp(milliseconds: 0) })
    policy.viewerToken = try PageToken("viewer-0123456789")
    func head(_ uri: String, _ headers: HTTPHeaders) -> HTTPRequestHead {
      var all: HTTPHeaders = ["Host": "127.0.0.1:8080"]
      all.add(contentsOf: headers)
      return HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: all)
    }
    let viewing = head("/live", ["Cookie": cookie(of: "viewer-0123456789")])
    let trading = head("/live", ["Cookie": cookie(of: "0123456789abcdef")])
    let both = head(
      "/live",
      [
        "Cookie": cookie(of: "viewer-0123456789"), "Authorization": "Bearer 0123456789abcdef",
      ])
    let neither = head("/live", ["Cookie": cookie(of: "viewer-012345678")])
    for admitted in [viewing, trading, both] { #expect(policy.response(to: admitted) == nil) }
    #expect(policy.response(to: neither)?.status == .unauthorized)
    #expect(policy.isViewer(viewing) && !policy.isViewer(trading) && !policy.isViewer(both))
    let door = policy.response(to: head("/session", ["Authorization": "Bearer viewer-0123456789"]))
    let session = try #require(door?.headers["set-cookie"].first?.prefix { $0 != ";" })
    #expect(policy.isViewer(head("/live", ["Cookie": String(session)])))
  }

  private static let link = ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]

  /// The status of a request that a browser sends for a page of `site`.
  private func status(
    _ uri: String, _ method: HTTPMethod = .GET, from site: String, _ more: [String: String]
  ) -> HTTPResponseStatus? {
    var headers: HTTPHeaders = ["Host": "127.0.0.1:8080", "Sec-Fetch-Site": site]
    for (name, value) in more { headers.add(name: name, value: value) }
    return LivetapeConfiguration().access().response(
      to: HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers))?.status
  }

  @Test(arguments: ["cross-site", "same-site", "Cross-Site"])
  func `another site opens documents by a link and gets nothing else`(site: String) {
    let data = [
      "/history/kraken/BTC%2FUSD", "//history/x", "/spark/kraken/BTC%2FUSD", "/session/socket",
      "/session", "/api/v1/orders", "/live",
    ]
    for uri in ["/", "/book/BTC%2FUSD", "/orders.csv", "/healthz"] {
      #expect(status(uri, from: site, Self.link) == nil, "\(uri)")
    }
    for uri in data { #expect(status(uri, from: site, Self.link) == .forbidden, "\(uri)") }
    for uri in ["/", "/orders.csv", "/healthz", "/assets/ui/ui.css"] + data {
      for mode in ["no-cors", "cors", "websocket"] {
        let more = ["Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": "image"]
        #expect(status(uri, from: site, more) == .forbidden, "\(uri) \(mode)")
      }
      #expect(status(uri, from: site, [:]) == .forbidden, "\(uri)")
      let frame = ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"]
      #expect(status(uri, from: site, frame) == .forbidden, "\(uri)")
      #expect(status(uri, .POST, from: site, Self.link) == .forbidden, "\(uri)")
    }
  }

  @Test(arguments: ["same-origin", "none"])
  func `the server's own pages and typed addresses get everything`(site: String) {
    for uri in ["/", "/history/kraken/BTC%2FUSD", "/spark/kraken/BTC%2FUSD", "/session/socket"] {
      #expect(status(uri, from: site, ["Sec-Fetch-Mode": "cors"]) == nil, "\(uri)")
    }
  }

  @Test func `foreign pages and names are refused before that`() throws {
    #expect(try status("/readyz", headers: ["Origin": "http://evil.example"]) == .forbidden)
    #expect(try status("/readyz", headers: ["Origin": "http://127.0.0.1:8080"]) == nil)
  }
}

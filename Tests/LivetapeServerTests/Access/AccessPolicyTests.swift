// What a server with a token answers without it.

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
      isLoopbackOnly: host == "127.0.0.1")
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
  func `beyond loopback nothing is said without it`(uri: String) throws {
    #expect(try status(uri, listeningOn: "0.0.0.0") == .unauthorized)
  }

  @Test(arguments: ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"])
  func `a proxy asks for others, who need it`(header: String) throws {
    #expect(try status("/readyz", headers: [header: "203.0.113.7"]) == .unauthorized)
  }

  @Test func `viewers have a token of their own, and the stronger one counts`() throws {
    var policy = AccessPolicy(
      origins: OriginPolicy(listeningOn: "127.0.0.1"), token: try PageToken("0123456789abcdef"),
      isLoopbackOnly: true)
    policy.viewerToken = try PageToken("viewer-0123456789")
    func head(_ uri: String, _ headers: HTTPHeaders) -> HTTPRequestHead {
      var all: HTTPHeaders = ["Host": "127.0.0.1:8080"]
      all.add(contentsOf: headers)
      return HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: all)
    }
    let viewing = head("/live", ["Cookie": "livetape=viewer-0123456789"])
    let trading = head("/live", ["Cookie": "livetape=0123456789abcdef"])
    let both = head(
      "/live",
      ["Cookie": "livetape=viewer-0123456789", "Authorization": "Bearer 0123456789abcdef"])
    let neither = head("/live", ["Cookie": "livetape=viewer-012345678"])
    for admitted in [viewing, trading, both] { #expect(policy.response(to: admitted) == nil) }
    #expect(policy.response(to: neither)?.status == .unauthorized)
    #expect(policy.isViewer(viewing) && !policy.isViewer(trading) && !policy.isViewer(both))
    let door = policy.response(
      to: head("/session", ["Authorization": "Bearer viewer-0123456789"]))
    #expect(door?.headers["set-cookie"].first?.hasPrefix("livetape=viewer-0123456789;") == true)
  }

  private static let link = ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]

  /// The status of a request that a browser sends for a page of `site`.
  private func status(
    _ uri: String, _ method: HTTPMethod = .GET, from site: String, _ more: [String: String]
  ) -> HTTPResponseStatus? {
    var headers: HTTPHeaders = ["Host": "127.0.0.1:8080", "Sec-Fetch-Site": site]
    for (name, value) in more { headers.add(name: name, value: value) }
    return LivetapeConfiguration().access.response(
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
    for uri in ["/", "/orders.csv", "/healthz", "/assets/style.css"] + data {
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

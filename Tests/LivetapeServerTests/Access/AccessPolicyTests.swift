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

  @Test func `foreign pages and names are refused before that`() throws {
    #expect(try status("/readyz", headers: ["Origin": "http://evil.example"]) == .forbidden)
    #expect(try status("/readyz", headers: ["Origin": "http://127.0.0.1:8080"]) == nil)
  }
}

import MarketModel
import NIOHTTP1
import SocketServer
import SocketTransport
import TestSupport
import Testing

@testable import LivetapeServer

@Suite struct PageTokenTests {
  private static let secret = "0123456789abcdef-._~ABC"

  private func answer(_ uri: String, _ headers: HTTPHeaders = [:]) throws -> PlainResponse? {
    try PageToken(Self.secret).response(
      to: HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: headers),
      at: Self.now)
  }

  private static let now = Timestamp(milliseconds: 1_700_000_000_000)
  private static let session = PageSession.issue(by: Array(secret.utf8), at: now)

  @Test(arguments: [
    "", "short", "0123456789abcde", "0123456789abcdef;x", "0123456789abcdef\"x",
    "0123456789 abcdefgh", "0123456789abcdefä", String(repeating: "x", count: 257),
  ])
  func `a token that could not be kept safe is refused`(text: String) {
    #expect(throws: PageTokenError.self) { try PageToken(text) }
  }

  @Test func `the last line end of a file is no part of the token`() throws {
    let token = try PageToken(" \(Self.secret)\r\n")
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/",
      headers: ["Authorization": "Bearer \(Self.secret)"])
    #expect(token.response(to: head, at: Self.now) == nil)
  }

  @Test func `the right token, sent to the door, becomes a cookie`() throws {
    let answer = try #require(try answer("/session", ["Authorization": "Bearer \(Self.secret)"]))
    #expect(answer.status == .ok)
    let cookie = try #require(answer.headers["set-cookie"].first)
    #expect(cookie.hasPrefix("livetape="))
    #expect(cookie.contains("; HttpOnly; SameSite=Strict; Max-Age=2592000"))
    #expect(!answer.text.contains(Self.secret) && !cookie.contains(Self.secret))
    let session = String(cookie.prefix { $0 != ";" })
    #expect(try self.answer("/live", ["Cookie": session]) == nil)
  }

  @Test func `each session has a value of its own, good for a month and with its token only`()
    throws
  {
    let (token, other) = (try PageToken(Self.secret), try PageToken(Self.secret + "-rotated"))
    func admits(_ value: String, by token: PageToken, seconds: Int64) -> Bool {
      let head = HTTPRequestHead(
        version: .http1_1, method: .GET, uri: "/", headers: ["Cookie": "livetape=\(value)"])
      let now = Timestamp(milliseconds: Self.now.milliseconds + seconds * 1000)
      return token.admits(head, at: now)
    }
    let month = PageSession.lifetimeSeconds
    #expect(PageSession.issue(by: Array(Self.secret.utf8), at: Self.now) != Self.session)
    #expect(admits(Self.session, by: token, seconds: 0))
    #expect(admits(Self.session, by: try PageToken(Self.secret), seconds: month - 1), "restarted")
    #expect(!admits(Self.session, by: token, seconds: month))
    #expect(!admits(Self.session, by: other, seconds: 0))
    let parts = Self.session.split(separator: ".")
    let end = try #require(Int64(parts[0], radix: 16))
    for forged in [
      "\(String(end + 1, radix: 16)).\(parts[1]).\(parts[2])", "\(parts[0]).0.\(parts[2])",
      "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", "..", "", ".",
      String(Self.session.dropLast()), Self.session + "0", "-1.\(parts[1]).\(parts[2])",
    ] { #expect(!admits(forged, by: token, seconds: 0), "\(forged)") }
  }

  @Test func `of many cookies few are read`() throws {
    let wrong = String(repeating: "livetape=0.0.0; ", count: 4)
    #expect(try answer("/live", ["Cookie": "\(wrong)livetape=\(Self.session)"]) != nil)
    #expect(try answer("/live", ["Cookie": "livetape=0; livetape=\(Self.session)"]) == nil)
  }

  @Test(arguments: ["Bearer wrong", "Bearer ", "", "\(secret)"])
  func `a wrong token, sent to the door, sets none`(_ bearer: String) throws {
    let answer = try answer("/session", ["Authorization": bearer])
    #expect(answer?.status == .unauthorized)
    #expect(answer?.headers.contains(name: "set-cookie") == false)
  }

  @Test func `the token is requested on a page that runs nothing else`() throws {
    let headers: HTTPHeaders = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]
    let one = try #require(try answer("/book/XBTUSD", headers))
    let other = try #require(try answer("/book/XBTUSD", headers))
    #expect(one.status == .unauthorized)
    #expect(one.headers["content-type"] == ["text/html; charset=utf-8"])
    let policy = try #require(one.headers["content-security-policy"].first)
    #expect(policy.hasPrefix("default-src 'none'; script-src 'nonce-"))
    #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'none'"))
    #expect(one.headers["cache-control"] == ["no-store"])
    #expect(one.text != other.text, "each has a nonce of its own")
    #expect(try answer("/orders.csv", ["Accept": "*/*"])?.text.contains("<form>") == false)
  }

  @Test(
    arguments: [
      ["Cookie": "livetape=\(session)"], ["Cookie": "a=b; livetape=\(session); c=d"],
      ["Authorization": "Bearer \(secret)"], ["Authorization": "bearer \(secret)"],
      ["Authorization": "BEARER   \(secret)"],
    ] as [HTTPHeaders])
  func `cookie and bearer let a request through`(headers: HTTPHeaders) throws {
    #expect(try answer("/live", headers) == nil)
  }

  @Test(
    arguments: [
      [:], ["Cookie": "livetape="], ["Cookie": "livetape=\(session)x"],
      ["Cookie": "livetape=\(secret)"], ["Cookie": "other=\(session)"],
      ["Cookie": "xlivetape=\(session)"], ["Authorization": "Bearer\(secret)"],
      ["Authorization": "Bearer \(session)"], ["Authorization": " Bearer \(secret)"],
      ["Authorization": "Bearer \(secret.dropLast())"],
      ["Authorization": "Bearer x\(secret)"], ["Authorization": secret],
      ["Authorization": "Bearer \(secret)\(secret)"], ["Authorization": "Basic \(secret)"],
    ] as [HTTPHeaders])
  func `every other request needs the token`(headers: HTTPHeaders) throws {
    let answer = try answer("/orders.csv", headers)
    #expect(answer?.status == .unauthorized)
    #expect(answer?.headers["www-authenticate"] == ["Bearer"])
  }

  @Test(arguments: ["/?token=\(secret)", "/exchange?token=\(secret)", "/session?token=\(secret)"])
  func `a token in an address opens nothing`(uri: String) throws {
    let answer = try answer(uri)
    #expect(answer?.status == .unauthorized)
    #expect(answer?.headers.contains(name: "set-cookie") == false)
  }

  @Test func `no description shows the token`() throws {
    let token = try PageToken(Self.secret)
    var configuration = LivetapeConfiguration()
    configuration.pageToken = token
    var dumped = ""
    dump(configuration, to: &dumped)
    for text in ["\(token)", String(reflecting: token), "\(configuration)", dumped] {
      #expect(!text.contains(Self.secret), "\(text)")
    }
  }

  @Test func `after a sign-in over TLS the cookie is sent over TLS only`() throws {
    let token = try PageToken(Self.secret)
    func cookie(_ headers: HTTPHeaders, isSecure: Bool) -> String? {
      var headers = headers
      headers.add(name: "Authorization", value: "Bearer \(Self.secret)")
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/session", headers: headers)
      return token.response(to: head, isSecure: isSecure, at: Self.now)?
        .headers["set-cookie"].first
    }
    #expect(cookie([:], isSecure: true)?.hasSuffix("; Secure") == true)
    for proto in ["https", "HTTPS", "https, http"] {
      let cookie = cookie(["X-Forwarded-Proto": proto], isSecure: false)
      #expect(cookie?.hasSuffix("; Secure") == true, "\(proto)")
    }
    #expect(cookie([:], isSecure: false)?.contains("Secure") == false)
    #expect(cookie(["X-Forwarded-Proto": "http"], isSecure: false)?.contains("Secure") == false)
  }

  @Test(arguments: [("127.0.0.1", true), ("::1", true), ("0.0.0.0", false), ("127.x.org", false)])
  func `beyond loopback nothing is served without a token and either TLS or a named proxy`(
    host: String, isLoopback: Bool
  ) throws {
    var configuration = LivetapeConfiguration()
    configuration.host = host
    if isLoopback { return try configuration.check() }
    expect(configuration, lacks: "access token")
    configuration.proxyName = "tape.example"
    expect(configuration, lacks: "access token")
    configuration.pageToken = try PageToken(Self.secret)
    try configuration.check()
    configuration.proxyName = nil
    expect(configuration, lacks: "--tls-certificate")
    configuration.hostNames = ["tape.example"]
    expect(configuration, lacks: "--behind-proxy")
    configuration.tls = try ServerTLS.ofTests()
    try configuration.check()
  }

  @Test func `a proxy lets others in, also before a server on loopback`() throws {
    var configuration = LivetapeConfiguration()
    configuration.proxyName = "tape.example"
    expect(configuration, lacks: "access token")
    configuration.pageToken = try PageToken(Self.secret)
    try configuration.check()
  }

  @Test func `behind a named proxy the cookie is secure, whatever headers it sends`() throws {
    var configuration = LivetapeConfiguration()
    configuration.pageToken = try PageToken(Self.secret)
    configuration.proxyName = "tape.example"
    for more in [[:], ["X-Forwarded-Proto": "http"], ["Forwarded": "proto=https"]] as [HTTPHeaders]
    {
      var headers: HTTPHeaders = [
        "Host": "tape.example", "Authorization": "Bearer \(Self.secret)",
      ]
      headers.add(contentsOf: more)
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/session", headers: headers)
      let cookie = configuration.access().response(to: head)?.headers["set-cookie"].first
      #expect(cookie?.hasSuffix("; Secure") == true, "\(more)")
    }
  }

  @Test func `browsers that came over TLS get a header to stay with it`() throws {
    var configuration = LivetapeConfiguration()
    let name = "strict-transport-security"
    #expect(!configuration.responseHeaders.contains(name: name))
    configuration.proxyName = "tape.example"
    #expect(configuration.responseHeaders[name] == ["max-age=31536000"])
    configuration.proxyName = nil
    configuration.tls = try ServerTLS.ofTests()
    #expect(configuration.responseHeaders[name] == ["max-age=31536000"])
  }

  private func expect(_ configuration: LivetapeConfiguration, lacks words: String) {
    #expect {
      try configuration.check()
    } throws: {
      ($0 as? ConfigurationError)?.description.contains(words) == true
    }
  }

  @Test func `a server that relies on a proxy answers to no address but loopback`() throws {
    var configuration = LivetapeConfiguration()
    configuration.host = "0.0.0.0"
    configuration.proxyName = "tape.example"
    func status(_ host: String) -> HTTPResponseStatus? {
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": host])
      return configuration.access().response(to: head)?.status
    }
    #expect(status("tape.example") == nil && status("127.0.0.1:8080") == nil)
    #expect(status("192.168.1.5:8080") == .forbidden && status("0.0.0.0") == .forbidden)
    configuration.tls = try ServerTLS.ofTests()
    #expect(status("192.168.1.5:8080") == nil)
  }
}

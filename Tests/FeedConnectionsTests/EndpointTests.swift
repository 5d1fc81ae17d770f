import SocketTransport
import Testing

@Suite struct EndpointTests {
  @Test(arguments: [
    ("wss://ws.bitmex.com/realtime", "ws.bitmex.com", 443, "/realtime"),
    ("ws://127.0.0.1:8080/isin?x=1&y=%20", "127.0.0.1", 8080, "/isin?x=1&y=%20"),
    ("HTTP://Example.ORG", "example.org", 80, "/"),
    ("https://example.org?q=1", "example.org", 443, "/?q=1"),
    ("tcp://[::1]:48129", "::1", 48129, ""),
    ("ws://[2001:db8::1]/x", "2001:db8::1", 80, "/x"),
  ])
  func `a URL is read`(text: String, host: String, port: Int, target: String) throws {
    let endpoint = try Endpoint(text)
    #expect(endpoint.host == host)
    #expect(endpoint.port == port)
    #expect(endpoint.target == target)
  }

  @Test(arguments: [
    ("", "must start with"), ("example.org", "must start with"), ("ftp://x", "must start with"),
    ("ws:/x", "must start with"), ("ws://", "no host"), ("ws://:80", "no host"),
    ("ws://a:0", "port"), ("ws://a:65536", "port"), ("ws://a:", "port"), ("ws://a:+80", "port"),
    ("ws://a:99999999999999999999", "port"), ("tcp://a", "needs a port"),
    ("tcp://a:1/x", "after the port"), ("ws://user:pw@a/", "user name"), ("ws://a/#b", "fragment"),
    ("ws://a b/", "space"), ("ws://a/\r\nX: y", "space"), ("ws://ä/", "ASCII"),
    ("ws://::1/", "brackets"), ("ws://[::1", "without ]"), ("ws://[::1]x", "after ]"),
    ("ws://[zz]:1", "IPv6"), ("ws://a%20b/", "strange"),
  ])
  func `an error is one line`(text: String, problem: String) {
    do throws(EndpointError) {
      let endpoint = try Endpoint(text)
      Issue.record("\(text) became \(endpoint)")
    } catch {
      #expect(error.description.contains(problem), "\(error)")
      #expect(error.description.hasPrefix("not a URL: "))
    }
  }

  @Test func `a URL has a bound`() {
    #expect(throws: EndpointError.self) {
      try Endpoint("ws://a/" + String(repeating: "x", count: 2048))
    }
  }

  @Test func `the description hides the query and the default port`() throws {
    let endpoint = try Endpoint("wss://a.b:443/path?token=secret")
    #expect("\(endpoint)" == "wss://a.b/path")
    #expect(try Endpoint("ws://[::1]:81/").authority == "[::1]:81")
  }

  @Test func `the same place over HTTP and over WebSocket`() throws {
    #expect(try Endpoint("https://a/x").asWebSocket == Endpoint("wss://a/x"))
    #expect(try Endpoint("ws://a:8080/x").asHTTP == Endpoint("http://a:8080/x"))
    #expect(try Endpoint("http://a/x").withTarget("/y") == Endpoint("http://a/y"))
    #expect(try Endpoint("http://a/x/?q").appending("/y") == Endpoint("http://a/x/y"))
    #expect(try Endpoint("http://a").appending("/y") == Endpoint("http://a/y"))
  }
}

// Which host names a server accepts and which pages may send requests.

import NIOHTTP1
import Testing

@testable import SocketServer

@Suite struct OriginPolicyTests {
  /// The status of the rejection, or nil.
  private func status(
    _ policy: OriginPolicy, host: String..., origin: String...
  ) -> HTTPResponseStatus? {
    let fields = host.map { ("Host", $0) } + origin.map { ("Origin", $0) }
    return policy.refusal(of: HTTPHeaders(fields))?.status
  }

  private let loopback = OriginPolicy(listeningOn: "127.0.0.1", names: ["Tape.Example"])

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "127.1.2.3:80", "localhost", "LOCALHOST:8080", "[::1]",
    "[::1]:8080", "tape.example", "TAPE.example:443",
  ])
  func `a server on loopback answers to loopback and to its own names`(host: String) {
    #expect(status(loopback, host: host) == nil)
  }

  @Test(arguments: [
    "127.evil.com", "127.evil.com:8080", "127.0.0.1.nip.io", "127.0.0.1.", "127.1", "127.0.0.01",
    "127.0.0.256", "0127.0.0.1", "0x7f.0.0.1", "2130706433", "localhost.evil.com", "evil.com",
    "tape.example.evil.com", "192.168.1.5", "[::2]", "[::ffff:127.0.0.1]", "0.0.0.0",
  ])
  func `a name that is made to point here is refused`(host: String) {
    #expect(status(loopback, host: host) == .forbidden)
  }

  @Test(arguments: [
    "", "[::1]evil.com", "[::1]:x", "[::1", "::1", "127.0.0.1:80:80", "127.0.0.1@evil.com",
    "127.0.0.1/evil.com", "127.0.0.1?", "127.0.0.1#", "localhost:", "localhost:+80", "local host",
  ])
  func `an invalid Host is a bad request`(host: String) {
    #expect(status(loopback, host: host) == .badRequest)
  }

  @Test func `no Host and two Hosts are bad requests`() {
    #expect(loopback.refusal(of: [:])?.status == .badRequest)
    #expect(status(loopback, host: "localhost", "localhost") == .badRequest)
  }

  @Test func `a server that others reach answers to addresses but not to strangers' names`() {
    let open = OriginPolicy(listeningOn: "0.0.0.0", names: ["tape.example"])
    for host in ["192.168.1.5:8080", "[fe80::1]:8080", "127.0.0.1", "localhost", "tape.example"] {
      #expect(status(open, host: host) == nil, "\(host)")
    }
    for host in ["evil.com", "192.168.1.5.evil.com"] {
      #expect(status(open, host: host) == .forbidden, "\(host)")
    }
    #expect(status(OriginPolicy(listeningOn: "box.home"), host: "box.home:8080") == nil)
  }

  @Test func `behind a proxy only its name, a name of its own and loopback count`() {
    let policy = OriginPolicy(
      listeningOn: "192.168.1.5", names: ["box.home", "tape.example"], proxyOnly: true)
    for host in ["tape.example", "Tape.Example:443", "box.home", "127.0.0.1:8080", "localhost"] {
      #expect(status(policy, host: host) == nil, "\(host)")
    }
    for host in ["192.168.1.5:8080", "[fe80::1]:8080", "evil.com"] {
      #expect(status(policy, host: host) == .forbidden, "\(host)")
    }
  }

  @Test(arguments: [
    (["http://127.0.0.1:8080"], true), (["https://127.0.0.1:8080"], true),
    (["HTTP://127.0.0.1:8080"], true), ([], true), (["null"], false), (["http://evil.com"], false),
    (["http://127.0.0.1"], false), (["http://127.0.0.1:8081"], false),
    (["http://localhost:8080"], false), (["http://127.0.0.1:8080", "http://evil.com"], false),
    (["http://127.0.0.1:8080.evil.com"], false),
  ])
  func `only pages of the server itself may ask`(origins: [String], isWelcome: Bool) {
    let fields = [("Host", "127.0.0.1:8080")] + origins.map { ("Origin", $0) }
    let refusal = loopback.refusal(of: HTTPHeaders(fields))
    #expect(refusal?.status == (isWelcome ? nil : .forbidden))
  }

  @Test func `over TLS a page of the same name without it is foreign`() {
    let own = OriginPolicy(listeningOn: "127.0.0.1", names: ["tape.example"], overTLS: true)
    let behind = OriginPolicy(
      listeningOn: "127.0.0.1", names: ["tape.example"], proxyOnly: true, overTLS: true)
    for policy in [own, behind] {
      #expect(status(policy, host: "tape.example", origin: "https://tape.example") == nil)
      #expect(status(policy, host: "tape.example", origin: "http://tape.example") == .forbidden)
    }
    let plain = "http://127.0.0.1:8080"
    #expect(status(own, host: "127.0.0.1:8080", origin: plain) == .forbidden)
    #expect(status(behind, host: "127.0.0.1:8080", origin: plain) == nil, "past the proxy")
  }

  @Test func `simulated venues are for every page of this machine and for no other`() {
    let venues = OriginPolicy(listeningOn: "127.0.0.1", visitors: .thisMachine)
    for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5173"] {
      #expect(status(venues, host: "127.0.0.1:8090", origin: origin) == nil, "\(origin)")
    }
    for origin in ["http://evil.com", "http://127.evil.com", "null", "ws://localhost"] {
      #expect(status(venues, host: "127.0.0.1:8090", origin: origin) == .forbidden, "\(origin)")
    }
  }
}

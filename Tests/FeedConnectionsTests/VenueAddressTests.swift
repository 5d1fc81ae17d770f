// From an address to a connection: data origin, protocol, and which venues get a token.

import VenueProtocols
import FeedConnections
import MarketModel
import SocketTransport
import TestSupport
import Testing
import VenueCatalogue

@Suite struct VenueAddressTests {
  private static let token = AccessToken("secret")

  private func sent(_ connection: VenueConfiguration) -> [String] {
    connection.headers.filter { $0.name == "Authorization" }.map(\.value)
  }

  // MARK: Data origin

  @Test(arguments: Venue.allCases)
  func `the simulator's address is simulated, on every host`(venue: Venue) throws {
    for host in ["127.0.0.1", "192.168.1.7", "simulator.example", "::1"] {
      let address = VenueAddress.simulated(venue, host: host, port: 8090, tcpPort: 8091)
      #expect(address.origin == .simulated && address.venue == venue)
      #expect(address.connection().session.origin == .simulated)
      #expect(address.connection().session.venue == venue)
      #expect(try Endpoint(address.endpoint.description) == address.endpoint, "it can be typed")
    }
  }

  @Test(arguments: Venue.allCases)
  func `the public address is the venue, and a closed one has none`(venue: Venue) {
    let address = VenueAddress.published(venue)
    #expect((address == nil) == (venue.descriptor.publicAddress == nil))
    #expect(address.map { $0.origin == .venue } ?? true)
    #expect(venue.closure == nil || address == nil)
  }

  @Test(arguments: Venue.allCases)
  func `an address that was given is a custom one, whatever its host looks like`(
    venue: Venue
  ) throws {
    for scheme in venue.descriptor.transport.schemes {
      for host in ["127.0.0.1", "localhost", "[::1]", "127.evil.com", "192.168.1.7"] {
        let address = try VenueAddress.given("\(scheme)://\(host):9", for: venue)
        #expect(address.origin == .custom && address.connection().session.origin == .custom)
      }
    }
  }

  @Test(arguments: Venue.allCases)
  func `the public address is the venue when it was given, too`(venue: Venue) throws {
    guard let text = venue.descriptor.publicAddress else { return }
    #expect(try VenueAddress.given(text, for: venue) == VenueAddress.published(venue))
  }

  @Test(arguments: [
    "wss://ws.kraken.com/v2", "wss://ws.kraken.com:443/v2", "wss://WS.Kraken.com/v2",
    "wss://ws.kraken.com/v2/",
  ])
  func `every spelling of the public address is the venue`(address: String) throws {
    #expect(try VenueAddress.given(address, for: .kraken).origin == .venue)
  }

  @Test(arguments: [
    "ws://ws.kraken.com/v2", "ws://ws.kraken.com:443/v2", "wss://ws.kraken.com:8443/v2",
    "wss://ws.kraken.com/", "wss://ws.kraken.com/v2?x", "wss://ws.kraken.com.example/v2",
  ])
  func `everything else is an address that was given`(address: String) throws {
    #expect(try VenueAddress.given(address, for: .kraken).origin == .custom)
  }

  @Test func `an address without a path has none with a slash either`() throws {
    for address in ["https://api.beta.getbux.com/", "https://api.beta.getbux.com"] {
      #expect(try VenueAddress.given(address, for: .bux).origin == .venue)
    }
    let bitmex = try VenueAddress.given("wss://ws.bitmex.com/realtime", for: .bitmex)
    #expect(bitmex.origin == .custom, "it has no public address any more")
  }

  // MARK: Invalid addresses

  @Test(arguments: Venue.allCases)
  func `a scheme that the venue does not speak is refused in one line`(venue: Venue) throws {
    let allowed = venue.descriptor.transport.schemes
    for scheme in Endpoint.Scheme.allCases where !allowed.contains(scheme.rawValue) {
      let endpoint = Endpoint(scheme: scheme, host: "venue.example", port: 9)
      let error = #expect(throws: VenueAddressError.self) {
        try VenueAddress.given(endpoint, for: venue)
      }
      let words = try #require(error).description
      #expect(words.hasPrefix("\(venue) needs a URL that starts with \(allowed[0])://"))
      #expect(!words.contains("\n"))
    }
  }

  @Test(arguments: ["", "x", "ws://", "ws://:80", "ws://a b", "kraken", "ws://u@h/", "tcp://h"])
  func `a text that is no URL is refused in one line`(text: String) {
    for venue in Venue.allCases {
      let error = #expect(throws: VenueAddressError.self) {
        try VenueAddress.given(text, for: venue)
      }
      #expect(error?.description.hasPrefix("\(venue): not a URL") == true)
    }
  }

  // MARK: Protocols

  @Test func `simulated venues lie below a server's HTTP port, the raw feed does not`() throws {
    let literal: [Venue: String] = [
      .bitmex: "wss://mac.local/base/bitmex/realtime", .kraken: "wss://mac.local/base/kraken/v2",
      .isin: "wss://mac.local/base/isin", .bux: "https://mac.local/base/bux",
      .echo: "wss://mac.local/base/echo",
    ]
    let server = try Endpoint("https://mac.local/base/")
    for venue in Venue.allCases {
      let address = VenueAddress.simulated(venue, at: server)
      let path = "wss://mac.local/base/\(venue)\(venue.descriptor.simulatedPath)"
      #expect(address?.endpoint.description == literal[venue] ?? (venue == .exchange ? nil : path))
      #expect(address.map { $0.origin == .simulated } ?? true)
      #expect(VenueAddress.simulated(venue, at: try Endpoint("tcp://mac.local:1")) == nil)
    }
  }

  @Test func `BUX's feed lies below the address, at the real one on a host of its own`() throws {
    let real = try #require(VenueAddress.published(.bux)).connection()
    #expect(real.endpoint.description == "wss://rtf.beta.getbux.com/subscriptions/me")
    for base in ["http://10.0.0.7:9/bux", "http://10.0.0.7:9/bux/"] {
      let given = try VenueAddress.given(base, for: .bux).connection()
      #expect(given.endpoint.description == "ws://10.0.0.7:9/bux/subscriptions/me")
    }
    let elsewhere = try VenueAddress.given("https://api.beta.getbux.com:8443", for: .bux)
    #expect(elsewhere.connection().endpoint.host == "api.beta.getbux.com")
  }

  @Test func `a feed that names no instrument brings its one stock, and nothing by another name`()
    throws
  {
    let address = try VenueAddress.given("tcp://127.0.0.1:9", for: .exchange)
    let now = ClockReading(milliseconds: 0)
    let other = Subscription(.quote, Symbol(known: "OTHER"))
    #expect(address.connection().session.value(for: other, at: now) == nil)
    let listed = Subscription(.quote, ExchangeCatalogue.symbol)
    #expect(address.connection().session.value(for: listed, at: now) != nil)
  }

  // MARK: Tokens

  @Test(arguments: Venue.allCases)
  func `a token is sent only to BUX`(venue: Venue) throws {
    let address = VenueAddress.simulated(venue, host: "127.0.0.1", port: 1, tcpPort: 2)
    let own = sent(address.connection(token: Self.token))
    #expect(own == (venue == .bux ? ["Bearer secret"] : []))
    #expect((address.headers(token: Self.token) == nil) == (venue != .bux))
  }

  @Test func `the real BUX is never sent the simulator's token`() throws {
    let real = try #require(VenueAddress.published(.bux))
    #expect(sent(real.connection()).isEmpty)
    for url in ["http://10.0.0.7:9/bux", "http://api.beta.getbux.com"] {
      let given = try VenueAddress.given(url, for: .bux)
      #expect(sent(given.connection()) == ["Bearer simulated"])
      #expect(sent(given.connection(token: Self.token)) == ["Bearer secret"])
    }
  }

  @Test(arguments: [
    ("http://venue.example/bux", true), ("https://venue.example/bux", false),
    ("http://127.0.0.1:9/bux", false), ("http://127.venue.example/bux", true),
  ])
  func `a token that would travel in the clear is warned of`(url: String, isWarned: Bool) throws {
    let address = try VenueAddress.given(url, for: .bux)
    #expect((address.warning(of: Self.token) != nil) == isWarned)
    #expect(address.warning(of: Self.token)?.contains("secret") != true)
    #expect(address.warning(of: nil) == nil)
    let other = try VenueAddress.given("ws://venue.example", for: .kraken)
    #expect(other.warning(of: Self.token) == nil)
  }
}

public import MarketModel
public import SocketTransport
public import VenueCatalogue
import VenueProtocols

/// Why an address is invalid for a venue, in one line.
public struct VenueAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// For example "kraken needs a URL that starts with ws:// or wss://".
  public let description: String
  /// The reason for users of the apps.
  public let sentence: Sentence
}

/// A venue's address and the origin of its data, never derived from the host's name.
///
/// Loopback may be anything, and a simulator may run on another machine.
public struct VenueAddress: Sendable, Hashable {
  /// The venue.
  public let venue: Venue
  /// The endpoint, with a scheme of its ``VenueProtocols/VenueTransport``.
  public let endpoint: Endpoint
  /// The origin of the data at this address.
  public let origin: DataOrigin

  private init(_ venue: Venue, _ endpoint: Endpoint, _ origin: DataOrigin) {
    (self.venue, self.endpoint, self.origin) = (venue, endpoint, origin)
  }

  /// The real venue's public address; nil if it has none (any more).
  public static func published(_ venue: Venue) -> VenueAddress? {
    venue.descriptor.publicAddress.flatMap { try? Endpoint($0) }
      .map { VenueAddress(venue, $0, .venue) }
  }

  /// A venue of Livetape's simulator on a host, whether or not one listens there.
  ///
  /// `port` serves HTTP and WebSockets, `tcpPort` the raw feed.
  public static func simulated(
    _ venue: Venue, host: String, port: Int, tcpPort: Int
  ) -> VenueAddress {
    simulated(
      venue, web: Endpoint(scheme: .http, host: host, port: port),
      tcp: Endpoint(scheme: .tcp, host: host, port: tcpPort))
  }

  /// A simulated venue below a server's HTTP port; nil for a raw feed or a raw server address.
  public static func simulated(_ venue: Venue, at server: Endpoint) -> VenueAddress? {
    guard venue.descriptor.transport != .tcp, server.scheme != .tcp else { return nil }
    return simulated(venue, web: server, tcp: server)
  }

  private static func simulated(_ venue: Venue, web: Endpoint, tcp: Endpoint) -> VenueAddress {
    let path = venue.simulatedPrefix + venue.descriptor.simulatedPath
    return switch venue.descriptor.transport {
    case .webSocket: VenueAddress(venue, web.asWebSocket.appending(path), .simulated)
    case .requestsAndFeed: VenueAddress(venue, web.asHTTP.appending(path), .simulated)
    case .tcp: VenueAddress(venue, tcp, .simulated)
    }
  }

  /// An address given by the user: the real venue if it equals the public one, else custom.
  ///
  /// A default port and a trailing slash make no difference; another scheme does.
  public static func given(
    _ endpoint: Endpoint, for venue: Venue
  ) throws(VenueAddressError) -> VenueAddress {
    let schemes = venue.descriptor.transport.schemes
    guard schemes.contains(endpoint.scheme.rawValue) else {
      let allowed = schemes.map { "\($0)://" }.joined(separator: " or ")
      throw VenueAddressError(
        description: "\(venue) needs a URL that starts with \(allowed)",
        sentence: "\(venue.displayName) needs an address such as \(schemes[0])://host:port.")
    }
    if let published = published(venue), published.endpoint.isSame(as: endpoint) {
      return published
    }
    return VenueAddress(venue, endpoint, .custom)
  }

  /// Parses an address given by the user; the error has the reason.
  public static func given(
    _ text: String, for venue: Venue
  ) throws(VenueAddressError) -> VenueAddress {
    let endpoint: Endpoint
    do {
      endpoint = try Endpoint(text)
    } catch {
      throw VenueAddressError(
        description: "\(venue): \(error.description)",
        sentence: "The address of \(venue.displayName) is invalid.")
    }
    return try given(endpoint, for: venue)
  }
}

// MARK: - Connection

extension VenueAddress {
  /// A connection to the venue with a new session; `seed` is for prices generated on this side.
  ///
  /// The user's token is sent only to venues that require one.
  public func connection(token: AccessToken? = nil, seed: UInt64 = 1) -> VenueConfiguration {
    let setup = SessionSetup(origin: origin, seed: seed)
    var configuration = VenueConfiguration(
      endpoint: feed, headers: headers(token: token) ?? [],
      session: venue.adapter.session(setup))
    configuration.requests = history
    return configuration
  }

  /// The headers of requests and of the feed's upgrade; nil if the venue requires no token.
  ///
  /// Without a token, any address but the real venue's receives a public stand-in.
  public func headers(token: AccessToken?) -> HeaderFields? {
    venue.adapter.requests.map { requests in
      requests.headers(token ?? (origin == .venue ? nil : requests.standInToken))
    }
  }

  /// A warning if the token would be sent unencrypted over a network; else nil.
  public func warning(of token: AccessToken?) -> String? {
    guard token != nil, venue.adapter.requests != nil, !endpoint.isSecure, !endpoint.isLoopback
    else { return nil }
    return "the \(venue.displayName) token goes to \(endpoint.authority) unencrypted: "
      + "anyone on the way can read it"
  }

  /// The feed's endpoint: below the address, but on a separate host at the real venue.
  private var feed: Endpoint {
    guard let requests = venue.adapter.requests else { return endpoint }
    let base = endpoint.asWebSocket
    let host = origin == .venue ? requests.publicFeedHost : base.host
    return Endpoint(scheme: base.scheme, host: host, port: base.port, target: base.target)
      .appending(requests.feedPath)
  }
}

extension Endpoint {
  fileprivate func isSame(as other: Endpoint) -> Bool {
    func plain(_ endpoint: Endpoint) -> Endpoint {
      let target = endpoint.target
      return endpoint.withTarget(target.hasSuffix("/") ? String(target.dropLast()) : target)
    }
    return plain(self) == plain(other)
  }
}

// MARK: - History

extension VenueAddress {
  /// The base of the venue's history paths; nil without history.
  ///
  /// A separate host at the real venue, else the stream's address without the stream's own path.
  public var history: Endpoint? {
    guard let history = venue.adapter.history else { return nil }
    if origin == .venue, let address = history.publicAddress { return try? Endpoint(address) }
    let path = endpoint.target.prefix { $0 != "?" }
    let own = venue.descriptor.simulatedPath
    let base = path.hasSuffix(own) ? path.dropLast(own.count) : path
    return endpoint.asHTTP.withTarget(String(base))
  }
}

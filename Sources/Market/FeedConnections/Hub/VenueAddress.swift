// From an address to a connection, in one place: where the data comes from, which endpoints lie
// there and who is sent a token follow from the venue and from where its address came from.

public import MarketModel
public import SocketTransport
public import VenueCatalogue
import VenueProtocols

/// Why an address is not one of a venue, in one line.
public struct VenueAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// "kraken needs a URL that starts with ws:// or wss://".
  public let description: String
}

/// Where a venue is, and so where its data comes from.
///
/// What a host looks like never matters: loopback may be anything, and a simulator may run on
/// another machine.
public struct VenueAddress: Sendable, Hashable {
  /// The venue.
  public let venue: Venue
  /// Where it is, with one of the schemes of its ``VenueProtocols/VenueTransport``.
  public let endpoint: Endpoint
  /// Where the data at this address comes from.
  public let origin: DataOrigin

  private init(_ venue: Venue, _ endpoint: Endpoint, _ origin: DataOrigin) {
    (self.venue, self.endpoint, self.origin) = (venue, endpoint, origin)
  }

  /// The venue's public address: the real venue.
  ///
  /// - Returns: nil when it has none, or none any more.
  public static func published(_ venue: Venue) -> VenueAddress? {
    venue.descriptor.publicAddress.flatMap { try? Endpoint($0) }
      .map { VenueAddress(venue, $0, .venue) }
  }

  /// Livetape's own simulated venue, of a simulator on a host.
  ///
  /// - Parameters:
  ///   - venue: which.
  ///   - host: a name or an address.
  ///   - port: of HTTP and WebSockets.
  ///   - tcpPort: of the raw feed.
  /// - Returns: the address, whatever listens there.
  public static func simulated(
    _ venue: Venue, host: String, port: Int, tcpPort: Int
  ) -> VenueAddress {
    simulated(
      venue, web: Endpoint(scheme: .http, host: host, port: port),
      tcp: Endpoint(scheme: .tcp, host: host, port: tcpPort))
  }

  /// Livetape's own simulated venue, below the HTTP port of a server.
  ///
  /// - Returns: nil for a raw feed, which has a port of its own, and where the server's address is
  ///   that of one.
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

  /// An address that somebody gave: the real venue when it is the public one, however it is
  /// spelled; a custom one otherwise.
  ///
  /// A default port and a slash at the end make no difference; another scheme does.
  public static func given(
    _ endpoint: Endpoint, for venue: Venue
  ) throws(VenueAddressError) -> VenueAddress {
    let schemes = venue.descriptor.transport.schemes
    guard schemes.contains(endpoint.scheme.rawValue) else {
      let allowed = schemes.map { "\($0)://" }.joined(separator: " or ")
      throw VenueAddressError(description: "\(venue) needs a URL that starts with \(allowed)")
    }
    if let published = published(venue), published.endpoint.isSame(as: endpoint) {
      return published
    }
    return VenueAddress(venue, endpoint, .custom)
  }

  /// The same from a text; the error says what is wrong with it.
  public static func given(
    _ text: String, for venue: Venue
  ) throws(VenueAddressError) -> VenueAddress {
    let endpoint: Endpoint
    do {
      endpoint = try Endpoint(text)
    } catch {
      throw VenueAddressError(description: "\(venue): \(error.description)")
    }
    return try given(endpoint, for: venue)
  }
}

// MARK: - What lies there

extension VenueAddress {
  /// The connection to the venue.
  ///
  /// - Parameters:
  ///   - token: the person's own; sent only to venues that ask for one.
  ///   - seed: of prices that are made on this side.
  /// - Returns: the connection, its session fresh.
  public func connection(
    token: AccessToken? = nil, seed: UInt64 = 1
  ) -> VenueConfiguration {
    let setup = SessionSetup(origin: origin, seed: seed)
    return VenueConfiguration(
      endpoint: feed, headers: headers(token: token) ?? [],
      session: venue.adapter.session(setup))
  }

  /// The headers of requests and of the feed's upgrade; nil where the venue asks for no token.
  ///
  /// Without a token another place than the real venue is sent a stand-in, which is no secret.
  public func headers(token: AccessToken?) -> HeaderFields? {
    venue.adapter.requests.map { requests in
      requests.headers(token ?? (origin == .venue ? nil : requests.standInToken))
    }
  }

  /// A warning for whoever would send a secret where others can read it; nil when all is well.
  public func warning(of token: AccessToken?) -> String? {
    guard token != nil, venue.adapter.requests != nil, !endpoint.isSecure, !endpoint.isLoopback
    else { return nil }
    return "the \(venue.displayName) token goes to \(endpoint.authority) unencrypted: "
      + "anyone on the way can read it"
  }

  /// Where the feed is: below the address, at the real venue on a host of its own.
  private var feed: Endpoint {
    guard let requests = venue.adapter.requests else { return endpoint }
    let base = endpoint.asWebSocket
    let host = origin == .venue ? requests.publicFeedHost : base.host
    return Endpoint(scheme: base.scheme, host: host, port: base.port, target: base.target)
      .appending(requests.feedPath)
  }
}

extension Endpoint {
  /// Whether another one is a spelling of the same address.
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
  /// What paths of the venue's history are appended to; nil where the venue has none.
  ///
  /// The real venue has a host of its own for it. Elsewhere it lies beside the stream: below the
  /// stream's address without the stream's own path.
  public var history: Endpoint? {
    guard let history = venue.adapter.history else { return nil }
    if origin == .venue, let address = history.publicAddress { return try? Endpoint(address) }
    let path = endpoint.target.prefix { $0 != "?" }
    let own = venue.descriptor.simulatedPath
    let base = path.hasSuffix(own) ? path.dropLast(own.count) : path
    return endpoint.asHTTP.withTarget(String(base))
  }
}

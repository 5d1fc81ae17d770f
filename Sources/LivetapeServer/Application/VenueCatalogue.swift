// The venues this program knows: where they are, how to connect, and which session speaks to
// them. A new venue is a line here, a folder of its protocol and a folder of its simulator.

import AppState
public import FeedConnections
public import MarketModel
import NIOCore
public import SocketTransport
public import VenueProtocols

/// The connections of one server.
public struct VenueCatalogue: Sendable {
  /// One configuration a venue, in the order of ``MarketModel/VenueName/known``; venues without an
  /// address are left out.
  let connections: [VenueConfiguration]
  private let productEndpoint: Endpoint?
  private let token: AccessToken?

  /// Puts the addresses together: the person's own, the simulated venues', or the real ones.
  init(
    _ configuration: LivetapeConfiguration, simulated: SimulatedVenueAddresses?
  ) throws(EndpointError) {
    let token = configuration.buxToken
    var connections: [VenueConfiguration] = []
    var productEndpoint: Endpoint?
    var buxToken: AccessToken?
    for venue in VenueName.known {
      guard let symbol = ExchangeCatalogue.symbol else { continue }
      let endpoint: Endpoint
      let source: AddressSource
      if let own = configuration.endpoints[venue] {
        (endpoint, source) = (own, .of(own, for: venue))
      } else if let simulated {
        (endpoint, source) = (try Endpoint(simulated.url(of: venue)), .simulator)
      } else if let address = venue.publicAddress {
        (endpoint, source) = (try Endpoint(address), .published)
      } else {
        continue
      }
      let ownToken = token ?? VenueCatalogue.simulatorToken(source)
      if venue == .bux {
        productEndpoint = VenueCatalogue.products(at: endpoint)
        buxToken = ownToken
      }
      connections.append(
        VenueCatalogue.configuration(
          of: venue, at: endpoint, origin: source.origin, token: ownToken, symbol: symbol,
          seed: configuration.seed))
    }
    self.connections = connections
    self.productEndpoint = productEndpoint
    self.token = buxToken
  }

  /// What the simulated BUX asks for, where nobody gave a token; never sent to the real one.
  private static func simulatorToken(_ source: AddressSource) -> AccessToken? {
    source == .published ? nil : AccessToken("simulated")
  }

  /// Where values come from until a session says it: simulated as soon as one venue is.
  var origin: DataOrigin {
    connections.contains { $0.session.origin == .simulated } ? .simulated : .venue
  }

  /// Venues that are left out because they are closed, with the words for people.
  var closed: [VenueName: String] {
    let open = Set(connections.map(\.session.venue))
    return Dictionary(
      uniqueKeysWithValues: VenueName.known.filter { !open.contains($0) }
        .compactMap { venue in venue.closure.map { (venue, $0) } })
  }

  /// The client for products; nil where BUX has no address.
  func products(on loop: any EventLoop) -> ProductClient? {
    productEndpoint.map { ProductClient.bux(base: $0, token: token, group: loop) }
  }

  /// A connection to one venue, for a command that follows one instrument.
  ///
  /// - Returns: nil when the venue has no real address and none was given.
  public static func connection(
    to venue: VenueName, at endpoint: Endpoint?, token: AccessToken?, symbol: Symbol
  ) throws(EndpointError) -> VenueConfiguration? {
    let address: Endpoint
    if let endpoint {
      address = endpoint
    } else {
      guard let published = venue.publicAddress else { return nil }
      address = try Endpoint(published)
    }
    let source = AddressSource.of(address, for: venue)
    return configuration(
      of: venue, at: address, origin: source.origin,
      token: token ?? simulatorToken(source), symbol: symbol, seed: 1)
  }

  /// A warning for whoever would send a secret where others can read it; nil when all is well.
  public static func tokenWarning(
    of venue: VenueName, at endpoint: Endpoint?, token: AccessToken?
  ) -> String? {
    guard venue == .bux, token != nil, let endpoint, !endpoint.isSecure, !endpoint.isLoopback else {
      return nil
    }
    return "the BUX token goes to \(endpoint.authority) unencrypted: anyone on the way can read it"
  }

  private static func echoSession(seed: UInt64, origin: DataOrigin) -> EchoTickerSession {
    let stocks = StockCatalogue.stocks
    let prices = stocks.map { ($0.symbol, $0.startPriceCents) }
    return EchoTickerSession(
      symbols: stocks.map(\.symbol), seed: seed,
      startPricesCents: Dictionary(prices) { first, _ in first }, origin: origin)
  }

  private static func configuration(
    of venue: VenueName, at endpoint: Endpoint, origin: DataOrigin, token: AccessToken?,
    symbol: Symbol, seed: UInt64
  ) -> VenueConfiguration {
    switch venue {
    case .bitmex:
      return VenueConfiguration(endpoint: endpoint, session: BitMEXSession(origin: origin))
    case .kraken:
      return VenueConfiguration(endpoint: endpoint, session: KrakenSession(origin: origin))
    case .isin:
      return VenueConfiguration(endpoint: endpoint, session: IsinStreamSession(origin: origin))
    case .bux:
      return VenueConfiguration(
        endpoint: feed(at: endpoint), headers: BuxRequest.feed(token: token).headers,
        session: BuxSession(origin: origin))
    case .echo:
      return VenueConfiguration(
        endpoint: endpoint, session: echoSession(seed: seed, origin: origin))
    default:
      return VenueConfiguration(
        endpoint: endpoint, session: TickFeedSession(symbol: symbol, origin: origin))
    }
  }

  /// BUX's feed lies below the given address; the real one has a host of its own.
  private static func feed(at base: Endpoint) -> Endpoint {
    var feed = base.asWebSocket
    if base.host == "api.beta.getbux.com" {
      feed = Endpoint(scheme: .wss, host: "rtf.beta.getbux.com", port: base.port)
    }
    return feed.withTarget(trimmed(base.target) + BuxRequest.feed(token: nil).path)
  }

  private static func products(at base: Endpoint) -> Endpoint {
    base.asHTTP.withTarget(trimmed(base.target))
  }

  private static func trimmed(_ target: String) -> String {
    target.hasSuffix("/") ? String(target.dropLast()) : target
  }
}

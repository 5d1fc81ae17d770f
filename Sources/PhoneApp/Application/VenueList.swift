// The venues of this app: where they are and which session speaks to them. Addresses can be set
// from outside, so the app runs against the real venues or the simulated ones of a server.

import AppState
import FeedConnections
public import MarketModel
import SocketTransport
import VenueProtocols

/// The venues that the app connects to.
public struct VenueList: Sendable {
  /// Addresses by venue.
  public private(set) var addresses: [VenueName: String]
  /// Venues whose address is one of Livetape's own simulator.
  private var simulated: Set<VenueName> = []

  /// The real venues' public addresses; those that are closed have none any more.
  public static let real = VenueList(
    addresses: [VenueName.kraken, .bux, .echo].reduce(into: [:]) { $0[$1] = $1.publicAddress })

  /// The simulated venues of a Livetape server: `http://host:port` of `livetape simulate`.
  public static func simulated(at server: String) -> VenueList {
    let base = server.hasSuffix("/") ? String(server.dropLast()) : server
    let addresses: [VenueName: String] = [
      .bitmex: base + "/bitmex/realtime", .kraken: base + "/kraken/v2",
      .bux: base + "/bux", .echo: base + "/echo",
    ]
    return VenueList(addresses: addresses, simulated: Set(addresses.keys))
  }

  /// Venues that are closed for good and have no address of their own here.
  var closed: Set<VenueName> {
    Set(VenueName.known.filter { $0.closure != nil && addresses[$0] == nil })
  }

  /// The same with the exchange's tick feed; it has no public address, so nil leaves it out.
  public func with(exchange address: String?) -> VenueList {
    var list = self
    list.addresses[.exchange] = address
    return list
  }

  /// A connection for each venue whose address can be used, the token already among its headers.
  func connections(token: AccessToken?, seed: UInt64) -> [VenueConfiguration] {
    addresses.sorted { $0.key < $1.key }.compactMap { venue, address in
      guard let endpoint = try? Endpoint(address) else { return nil }
      let origin = source(of: venue, at: endpoint).origin
      switch venue {
      case .bitmex:
        return VenueConfiguration(
          endpoint: endpoint.asWebSocket, session: BitMEXSession(origin: origin))
      case .kraken:
        return VenueConfiguration(
          endpoint: endpoint.asWebSocket, session: KrakenSession(origin: origin))
      case .bux:
        return VenueConfiguration(
          endpoint: feed(at: endpoint), headers: BuxRequest.feed(token: token).headers,
          session: BuxSession(origin: origin))
      case .echo:
        return VenueConfiguration(
          endpoint: endpoint.asWebSocket, session: tracker(seed: seed, origin: origin))
      case .exchange:
        return ExchangeCatalogue.symbol.map {
          VenueConfiguration(
            endpoint: endpoint, session: TickFeedSession(symbol: $0, origin: origin))
        }
      default: return nil
      }
    }
  }

  private func source(of venue: VenueName, at endpoint: Endpoint) -> AddressSource {
    simulated.contains(venue) ? .simulator : .of(endpoint, for: venue)
  }

  /// Where products are asked for; nil without BUX.
  var products: Endpoint? { addresses[.bux].flatMap { try? Endpoint($0) }?.asHTTP }

  /// BUX's feed lies below the given address; the real one has a host of its own.
  private func feed(at base: Endpoint) -> Endpoint {
    let isReal = base.host == "api.beta.getbux.com"
    let host = isReal ? "rtf.beta.getbux.com" : base.host
    let target = base.target.hasSuffix("/") ? String(base.target.dropLast()) : base.target
    return Endpoint(
      scheme: base.asWebSocket.scheme, host: host, port: base.port,
      target: target + "/subscriptions/me")
  }

  private func tracker(seed: UInt64, origin: DataOrigin) -> EchoTickerSession {
    let stocks = StockCatalogue.stocks
    let prices = stocks.map { ($0.symbol, $0.startPriceCents) }
    return EchoTickerSession(
      symbols: stocks.map(\.symbol), seed: seed,
      startPricesCents: Dictionary(prices) { first, _ in first }, origin: origin)
  }
}

extension VenueList: Equatable {}

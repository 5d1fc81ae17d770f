import FeedConnections
import MarketModel
import NIOPosix
import SocketTransport
import VenueCatalogue

/// The venues that the app connects to, real or simulated, and their addresses.
public struct VenueList: Sendable, Equatable {
  /// Venues with a screen here; the watch list's stream belongs to the other app.
  static let venues = Venue.allCases.filter { $0 != .isin }

  /// In display order; venues without an address are left out.
  private(set) var addresses: [VenueAddress]

  /// The real venues at their public addresses.
  public static let real = VenueList(addresses: venues.compactMap(VenueAddress.published))

  /// The simulated venues of `livetape simulate` at `http://host:port`.
  ///
  /// Empty for an invalid address.
  public static func simulated(at server: String) -> VenueList {
    guard let server = try? Endpoint(server) else { return VenueList(addresses: []) }
    return VenueList(addresses: venues.compactMap { .simulated($0, at: server) })
  }

  /// Adds the exchange's tick feed; nil leaves it out, since it has no public address.
  public func with(exchange address: String?) -> VenueList {
    let exchange = address.flatMap { try? VenueAddress.given($0, for: .exchange) }
    let others = addresses.filter { $0.venue != .exchange }
    return VenueList(addresses: others + [exchange].compactMap(\.self))
  }

  /// Venues that have closed permanently and have no address here.
  var closed: Set<Venue> {
    let open = Set(addresses.map(\.venue))
    return Set(Venue.allCases.filter { $0.closure != nil && !open.contains($0) })
  }

  /// One connection a venue; venues that require a token get it in their headers.
  func connections(token: AccessToken?, seed: UInt64) -> [VenueConfiguration] {
    addresses.map { $0.connection(token: token, seed: seed) }
  }

  /// The headers with this token, for the venues that require one.
  func headers(token: AccessToken?) -> [(venue: Venue, headers: HeaderFields)] {
    addresses.compactMap { address in
      address.headers(token: token).map { (address.venue, $0) }
    }
  }

  /// Nil when no venue has products.
  func products(
    token: @escaping @Sendable () -> AccessToken?, group: MultiThreadedEventLoopGroup
  ) -> ProductClient? {
    addresses.lazy.compactMap { ProductClient(of: $0, token: token, group: group) }.first
  }
}

// The venues of this app and where they are. Addresses can be set from outside, so the app runs
// against the real venues or the simulated ones of a server.

import FeedConnections
import MarketModel
import NIOPosix
import SocketTransport
import VenueProtocols

/// The venues that the app connects to.
public struct VenueList: Sendable, Equatable {
  /// The venues that have a screen here: the watch list's stream belongs to the other app.
  static let venues = Venue.allCases.filter { $0 != .isin }

  /// In order of display; venues without an address are left out.
  private(set) var addresses: [VenueAddress]

  /// The real venues at their public addresses.
  public static let real = VenueList(addresses: venues.compactMap(VenueAddress.published))

  /// The simulated venues of a Livetape server: `http://host:port` of `livetape simulate`.
  ///
  /// Empty for what is no address.
  public static func simulated(at server: String) -> VenueList {
    guard let server = try? Endpoint(server) else { return VenueList(addresses: []) }
    return VenueList(addresses: venues.compactMap { .simulated($0, at: server) })
  }

  /// The same with the exchange's tick feed; it has no public address, so nil leaves it out.
  public func with(exchange address: String?) -> VenueList {
    let exchange = address.flatMap { try? VenueAddress.given($0, for: .exchange) }
    let others = addresses.filter { $0.venue != .exchange }
    return VenueList(addresses: others + [exchange].compactMap(\.self))
  }

  /// Venues that are closed for good and have no address of their own here.
  var closed: Set<Venue> {
    let open = Set(addresses.map(\.venue))
    return Set(Venue.allCases.filter { $0.closure != nil && !open.contains($0) })
  }

  /// A connection for each venue, the token already among the headers of those that ask for one.
  func connections(token: AccessToken?, seed: UInt64) -> [VenueConfiguration] {
    addresses.map { $0.connection(token: token, seed: seed) }
  }

  /// The headers of the venues that ask for a token, with this one.
  func headers(token: AccessToken?) -> [(venue: Venue, headers: HeaderFields)] {
    addresses.compactMap { address in
      address.headers(token: token).map { (address.venue, $0) }
    }
  }

  /// The client for products; nil where no venue has any.
  func products(
    token: @escaping @Sendable () -> AccessToken?, group: MultiThreadedEventLoopGroup
  ) -> ProductClient? {
    addresses.lazy.compactMap { ProductClient(of: $0, token: token, group: group) }.first
  }
}

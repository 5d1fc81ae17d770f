package import FeedConnections
package import MarketModel
package import SocketTransport
package import VenueCatalogue

/// The venues that the app connects to and their addresses.
public struct VenueList: Sendable, Equatable {
  /// In display order; venues without an address are left out.
  package let addresses: [VenueAddress]
  /// Whether the venues are simulated inside the app.
  let isBuiltIn: Bool

  /// The venues of a part of the app, where the user has chosen them.
  package init(_ choice: MarketChoice, for scope: AppScope = .full) {
    addresses = choice.addresses(of: scope.venues)
    isBuiltIn = choice.source == .builtIn
  }

  /// Venues that have closed permanently and have no address here.
  package var closed: Set<Venue> {
    let open = Set(addresses.map(\.venue))
    return Set(Venue.allCases.filter { $0.closure != nil && !open.contains($0) })
  }

  /// One connection a venue; venues that require a token get it in their headers.
  package func connections(token: AccessToken?, seed: UInt64) -> [VenueConfiguration] {
    addresses.map { $0.connection(token: token, seed: seed) }
  }

  /// The headers with this token, for the venues that require one.
  package func headers(token: AccessToken?) -> [(venue: Venue, headers: HeaderFields)] {
    addresses.compactMap { address in
      address.headers(token: token).map { (address.venue, $0) }
    }
  }
}

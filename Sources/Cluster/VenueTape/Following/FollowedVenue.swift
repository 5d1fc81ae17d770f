// The connection of a venue that another process reads.

package import FeedConnections
package import MarketModel
import SocketTransport
import VenueCatalogue
import VenueProtocols

/// What a hub needs of a venue that it follows.
package enum FollowedVenue {
  /// A followed venue has no address here, and its reader keeps the venue's own limits: attempts to
  /// follow cost nothing, and one is made each second at least.
  ///
  /// - Parameters:
  ///   - venue: which.
  ///   - seed: of everything that is made on this side.
  /// - Returns: the connection, its session fresh.
  package static func connection(to venue: Venue, seed: UInt64) -> VenueConfiguration {
    let isStream = venue.descriptor.transport == .tcp
    var configuration = VenueConfiguration(
      endpoint: Endpoint(scheme: isStream ? .tcp : .ws, host: "reader", port: 1),
      session: venue.adapter.session(SessionSetup(origin: .custom, seed: seed)),
      budget: ConnectionBudget(attempts: 100_000, windowMilliseconds: 10_000))
    configuration.backoffCapMilliseconds = 1000
    return configuration
  }
}

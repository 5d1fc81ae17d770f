package import FeedConnections
package import MarketModel
import SocketTransport
import VenueCatalogue
import VenueProtocols

/// Connections of venues that another process reads.
package enum FollowedVenue {
  /// A connection to follow a venue.
  ///
  /// A followed venue has no address here, and its reader observes the venue's limits: attempts to
  /// follow cost nothing, and are made at least once a second.
  ///
  /// - Parameters:
  ///   - venue: the venue.
  ///   - seed: the seed of this side's randomness.
  /// - Returns: the connection with a new session.
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

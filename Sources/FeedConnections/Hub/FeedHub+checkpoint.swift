// For readers: what they hand on to others of a venue.

package import MarketModel
import NIOCore
package import VenueProtocols

extension FeedHub {
  /// What a venue's session knows, as the venue would say it: ``VenueSession/checkpoint(_:)``.
  ///
  /// On ``eventLoop`` only.
  package func checkpoint(
    of venue: Venue, _ request: CheckpointRequest
  ) -> [OutboundMessage]? {
    core.value.venue(venue)?.session.checkpoint(request)
  }
}

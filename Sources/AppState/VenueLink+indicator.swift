// How screens show a venue's connection.

import MarketModel
import MarketStreams

extension VenueLink {
  /// The connection in one word; disconnected before the first status.
  var word: ConnectionIndicator { phase.map(ConnectionIndicator.init) ?? .disconnected }

  /// Whether the connection is known to be down: it was up before, or there is no attempt to wait
  /// for.
  ///
  /// The first attempt of all is not an outage yet.
  var isDown: Bool {
    guard let phase, !phase.isConnected else { return false }
    return wasEverUp || (phase != .idle && word == .disconnected)
  }
}

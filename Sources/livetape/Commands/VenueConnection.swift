// The connection that `watch` and `record` follow.

import FeedConnections
import LivetapeServer
import MarketModel

/// Makes a venue's connection for a command.
enum VenueConnection {
  /// To the given address, or the venue's real one; the token comes from `LIVETAPE_BUX_TOKEN`.
  ///
  /// - Throws: a ``CommandFailure`` when the venue has no public address and none was given.
  static func make(
    to instrument: InstrumentName, at url: VenueURL?
  ) throws -> VenueConfiguration {
    let token = try Secrets.buxToken()
    let warning = VenueCatalogue.tokenWarning(
      of: instrument.venue, at: url?.endpoint, token: token)
    if let warning { StandardError.write("livetape: \(warning)") }
    let connection = try VenueCatalogue.connection(
      to: instrument.venue, at: url?.endpoint, token: token, symbol: instrument.symbol)
    guard let connection else {
      if let closure = instrument.venue.closure {
        throw CommandFailure("\(closure) Give another address with --url.")
      }
      throw CommandFailure("\(instrument.venue) has no public address; give one with --url")
    }
    return connection
  }
}

import FeedConnections
import MarketModel
import VenueCatalogue

enum VenueConnection {
  /// A connection to the given address, or the venue's real one; the token comes from
  /// `LIVETAPE_BUX_TOKEN`.
  ///
  /// - Throws: a ``CommandFailure`` if the venue has no public address and none was given.
  static func make(to instrument: InstrumentName, at url: VenueURL?) throws -> VenueConfiguration {
    try make(
      to: InstrumentKey(instrument.venue, instrument.symbol),
      at: url?.address(of: instrument.venue))
  }

  /// A connection to an address that is valid for the venue.
  static func make(
    to instrument: InstrumentKey, at given: VenueAddress?
  ) throws -> VenueConfiguration {
    let venue = instrument.venue
    try InstrumentName(venue, instrument.symbol).check()
    guard let address = given ?? .published(venue) else {
      if let closure = venue.closure {
        throw CommandFailure("\(closure) Give another address with --url.")
      }
      throw CommandFailure("\(venue) has no public address; give one with --url")
    }
    let token = try Secrets.buxToken()
    if let warning = address.warning(of: token) { StandardError.write("livetape: \(warning)") }
    return address.connection(token: token)
  }
}

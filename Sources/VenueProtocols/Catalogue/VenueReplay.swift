// How the recordings of a venue are played, so that who plays one needs to know no venue.

/// How the recordings of a venue are played.
public enum VenueReplay: Sendable {
  /// They name their instruments: all of them are played.
  case allInstruments(@Sendable () -> any MarketReplay)
  /// They are played through the venue's session, which must be told the instrument.
  case oneInstrument
  /// Prices are made on this side of the connection, so a recording would hold nothing of a venue.
  case none
}

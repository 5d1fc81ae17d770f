// An instrument among all venues.

/// One instrument at one venue.
public struct InstrumentKey: Hashable, Sendable {
  /// The venue.
  public let venue: Venue
  /// Its name at the venue.
  public let symbol: Symbol

  /// Names an instrument.
  public init(_ venue: Venue, _ symbol: Symbol) {
    self.venue = venue
    self.symbol = symbol
  }
}

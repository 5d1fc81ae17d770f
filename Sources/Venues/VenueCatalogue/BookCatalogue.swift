public import MarketModel

/// The instruments with a book, of all venues (OB1).
public enum BookCatalogue {
  /// All offered instruments, those of the brief first.
  ///
  /// Kraken has about 1,400 more pairs; each can be opened by name.
  public static let instruments: [BookInstrument] = Venue.allCases.flatMap(\.descriptor.books)

  /// The same, with those of closed venues at the end.
  public static func instruments(closed: Set<Venue>) -> [BookInstrument] {
    instruments.filter { !closed.contains($0.venue) }
      + instruments.filter { closed.contains($0.venue) }
  }

  /// The venue that accepts any pair of currencies; nil without one.
  public static let pairVenue = Venue.allCases.first { $0.descriptor.acceptsPairs }
  /// The venue that may have an instrument of any other name; nil without one.
  public static let nameVenue = Venue.allCases.first { $0.descriptor.acceptsNames }

  /// Instruments without a book; they are no names of ``nameVenue``.
  private static let others = Set(Venue.allCases.flatMap(\.descriptor.others).map(\.symbol))

  /// The instrument of a symbol; nil when no venue can have it.
  ///
  /// A symbol in the form of a pair belongs to ``pairVenue``. One that is in no list belongs to
  /// ``nameVenue`` unless that venue is `closed`. Only the venue can confirm that it exists.
  public static func instrument(_ symbol: Symbol, closed: Set<Venue> = []) -> BookInstrument? {
    if let known = instruments.first(where: { $0.symbol == symbol }) { return known }
    if let pair = pairVenue.flatMap({ BookInstrument(pair: symbol, at: $0) }) { return pair }
    guard let nameVenue, !closed.contains(nameVenue), !others.contains(symbol) else { return nil }
    return BookInstrument(named: symbol, at: nameVenue)
  }

  /// Whether a venue may have a book and trades of an instrument; only the venue can confirm it.
  public static func mayHold(_ instrument: InstrumentKey) -> Bool {
    self.instrument(instrument.symbol)?.venue == instrument.venue
  }
}

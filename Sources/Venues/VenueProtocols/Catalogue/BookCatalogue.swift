// OB1: the instruments with a book, of all venues.

public import MarketModel

/// The instruments with a book.
public enum BookCatalogue {
  /// All instruments that are offered, the brief's first.
  ///
  /// Kraken has some fourteen hundred pairs more: each can be opened by its name.
  public static let instruments: [BookInstrument] = Venue.allCases.flatMap(\.descriptor.books)

  /// The same with those of closed venues at the end.
  public static func instruments(closed: Set<Venue>) -> [BookInstrument] {
    instruments.filter { !closed.contains($0.venue) }
      + instruments.filter { closed.contains($0.venue) }
  }

  /// The venue whose instruments are any pairs of currencies; nil without one.
  public static let pairVenue = Venue.allCases.first { $0.descriptor.acceptsPairs }
  /// The venue that may have an instrument of any other name; nil without one.
  public static let nameVenue = Venue.allCases.first { $0.descriptor.acceptsNames }

  /// What venues offer without a book: no names of ``nameVenue``.
  private static let others = Set(Venue.allCases.flatMap(\.descriptor.others).map(\.symbol))

  /// The instrument of a symbol; nil when there can be none.
  ///
  /// A symbol in the form of a pair belongs to ``pairVenue``, one that no list has to ``nameVenue``
  /// unless that is among the `closed` ones. Whether the venue has it, the venue says.
  public static func instrument(_ symbol: Symbol, closed: Set<Venue> = []) -> BookInstrument? {
    if let known = instruments.first(where: { $0.symbol == symbol }) { return known }
    if let pair = pairVenue.flatMap({ BookInstrument(pair: symbol, at: $0) }) { return pair }
    guard let nameVenue, !closed.contains(nameVenue), !others.contains(symbol) else { return nil }
    return BookInstrument(named: symbol, at: nameVenue)
  }

  /// Whether a venue may have a book and trades of an instrument; whether it has, it says.
  public static func mayHold(_ instrument: InstrumentKey) -> Bool {
    self.instrument(instrument.symbol)?.venue == instrument.venue
  }
}

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

  /// The venue whose instruments are any pairs of currencies; nil when there is none.
  public static let pairVenue = Venue.allCases.first { $0.descriptor.acceptsPairs }

  /// The instrument with this symbol; nil when there can be none.
  ///
  /// A symbol in the form of a pair belongs to ``pairVenue``; whether the venue has it, the venue
  /// says.
  public static func instrument(_ symbol: Symbol) -> BookInstrument? {
    instruments.first { $0.symbol == symbol }
      ?? pairVenue.flatMap { BookInstrument(pair: symbol, at: $0) }
  }
}

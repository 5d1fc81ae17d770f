public import MarketModel

/// The instruments with a book, of all venues (OB1).
public enum BookCatalogue {
  /// All offered instruments, those of the brief first.
  ///
  /// Kraken has about 1,400 more pairs, Coinbase, OKX, Bybit and Binance some hundreds each; any
  /// can be opened by name.
  public static let instruments: [BookInstrument] = Venue.allCases.flatMap(\.descriptor.books)

  /// The same, with those of closed venues at the end.
  public static func instruments(closed: Set<Venue>) -> [BookInstrument] {
    instruments.filter { !closed.contains($0.venue) }
      + instruments.filter { closed.contains($0.venue) }
  }

  /// The venue that lists the pairs of the form "BTC/EUR"; nil without one.
  public static let pairVenue = Venue.allCases.first { $0.descriptor.pairSeparator == "/" }
  /// The venue that may have an instrument of any other name; nil without one.
  public static let nameVenue = Venue.allCases.first { $0.descriptor.acceptsNames }

  /// Instruments without a book; they are no names of ``nameVenue``.
  private static let others = Set(Venue.allCases.flatMap(\.descriptor.others).map(\.symbol))

  /// The instrument of a market's name; nil when no venue can have it.
  ///
  /// A name is "VENUE:SYMBOL" or a symbol alone. The latter belongs to the first venue that lists
  /// it, else to ``pairVenue`` if it has the form of a pair, else to ``nameVenue``. One that is in
  /// no list does not exist at a `closed` venue. Only the venue can confirm that it exists.
  public static func instrument(_ name: Symbol, closed: Set<Venue> = []) -> BookInstrument? {
    if let key = InstrumentKey(marketName: name) {
      return instrument(key).flatMap { found in
        closed.contains(key.venue) && !instruments.contains(found) ? nil : found
      }
    }
    if let known = instruments.first(where: { $0.symbol == name }) { return known }
    let open = [pairVenue, nameVenue].compactMap(\.self).filter {
      $0 == pairVenue || !closed.contains($0)
    }
    return open.lazy.compactMap { instrument(InstrumentKey($0, name)) }.first
  }

  /// The instrument at its venue; nil when the venue can't have it.
  public static func instrument(_ key: InstrumentKey) -> BookInstrument? {
    let venue = key.venue.descriptor
    if let known = venue.books.first(where: { $0.symbol == key.symbol }) { return known }
    if venue.pairSeparator != nil { return BookInstrument(pair: key.symbol, at: key.venue) }
    guard venue.acceptsNames, !others.contains(key.symbol) else { return nil }
    return BookInstrument(named: key.symbol, at: key.venue)
  }

  /// Whether a venue may have a book and trades of an instrument; only the venue can confirm it.
  public static func mayHold(_ key: InstrumentKey) -> Bool { instrument(key) != nil }
}

extension BookInstrument {
  /// The market's shortest name.
  public var marketName: Symbol { InstrumentKey(venue, symbol).marketName }
}

extension InstrumentKey {
  /// The market's shortest name.
  ///
  /// "coinbase:BTC-USD" where the symbol alone belongs to another venue, else the symbol; always a
  /// symbol at a venue without books.
  public var marketName: Symbol {
    if BookCatalogue.instrument(symbol)?.venue == venue || venue.descriptor.books.isEmpty {
      return symbol
    }
    return Symbol("\(venue.rawValue):\(symbol)") ?? symbol
  }

  /// The market's name in orders: always "VENUE:SYMBOL"; nil if it is longer than a symbol.
  public var orderSymbol: Symbol? { Symbol("\(venue.rawValue):\(symbol)") }

  /// Reads "coinbase:BTC-USD"; nil without a venue that has books.
  init?(marketName name: Symbol) {
    let parts = name.text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let venue = Venue(rawValue: String(parts[0])),
      !venue.descriptor.books.isEmpty, let symbol = Symbol(String(parts[1]))
    else { return nil }
    self.init(venue, symbol)
  }
}

public import MarketModel

/// A base currency quoted in another one, which spot markets of several venues trade.
public struct Asset: Hashable, Sendable {
  /// The base currency: "BTC".
  public let base: String
  /// The quote currency: "USD"; "USDT" is another one.
  public let quote: String

  /// Validates the currencies' codes; nil if one has other characters or over 16 bytes.
  public init?(base: String, quote: String) {
    guard [base, quote].allSatisfy(BookInstrument.isCurrency) else { return nil }
    (self.base, self.quote) = (base, quote)
  }

  /// The spot markets that the open venues list or may list, in the order of the venues.
  public func markets(closed: Set<Venue> = []) -> [BookInstrument] {
    Venue.allCases.filter { !closed.contains($0) }.compactMap { venue in
      let facts = venue.descriptor
      if let known = facts.books.first(where: { has($0) }) { return known }
      guard let separator = facts.pairSeparator, facts.pairContract == .base,
        let symbol = Symbol(base + separator + quote)
      else { return nil }
      return BookInstrument(pair: symbol, at: venue)?.with(base: base, quote: quote)
    }
  }

  private func has(_ market: BookInstrument) -> Bool {
    market.contract == .base && market.base == base && market.quote == quote
  }
}

extension BookInstrument {
  /// Any pair of currencies in the form of the venue's pairs; nil for another symbol, and at a
  /// venue with no other pairs.
  ///
  /// Without a separator its currencies are unknown until the venue has listed it.
  public init?(pair symbol: Symbol, at venue: Venue) {
    let facts = venue.descriptor
    guard let separator = facts.pairSeparator else { return nil }
    if let character = separator.first {
      self.init(pair: symbol, separator: character, at: venue)
    } else {
      self.init(named: symbol, at: venue, facts.pairContract)
    }
  }

  /// The same with the currencies that the venue lists, where they are unknown.
  public func listed(as item: ListedInstrument?) -> BookInstrument {
    item.map { with(base: $0.base, quote: $0.quote) } ?? self
  }
}

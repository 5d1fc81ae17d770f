// LT13: the instruments that the program knows by itself, in the order of its briefs.

import MarketModel
import VenueProtocols

/// The instruments of a venue's own catalogue.
enum MarketRows {
  /// All of a venue that it need not list itself: those with a book, then the others.
  static func catalogue(of venue: Venue, isOpen: Bool) -> [MarketRow] {
    let books = venue.descriptor.books.map { book in
      MarketRow(
        InstrumentKey(venue, book.symbol), name: book.name,
        kind: book.contract == .base ? .spot : .contract, base: book.base, quote: book.quote,
        isOpen: isOpen)
    }
    let others = venue.descriptor.others.map { other in
      MarketRow(
        InstrumentKey(venue, other.symbol), name: other.name, kind: other.kind,
        base: other.symbol.text, quote: other.currency, isOpen: isOpen)
    }
    return books + others
  }
}

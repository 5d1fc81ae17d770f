// LT13: the instruments that the program knows by itself, in the order of its briefs.

import MarketModel
import VenueProtocols

/// The instruments of a venue's own catalogue.
enum MarketRows {
  /// All of a venue that it need not list itself.
  static func catalogue(of venue: Venue, isOpen: Bool) -> [MarketRow] {
    switch venue {
    case .bitmex, .kraken:
      venue.descriptor.books.map { book in
        MarketRow(
          InstrumentKey(venue, book.symbol), name: book.name,
          kind: book.contract == .base ? .spot : .contract, base: book.base, quote: book.quote,
          isOpen: isOpen)
      }
    case .isin:
      IsinCatalogue.shares.map {
        row($0.isin, at: venue, $0.name, .share, in: IsinCatalogue.currency, isOpen)
      }
    case .bux:
      ProductCatalogue.choices.map {
        row($0.identifier, at: venue, $0.name, .product, in: "", isOpen)
      }
    case .echo:
      StockCatalogue.stocks.map {
        row($0.symbol, at: venue, $0.name, .made, in: StockCatalogue.currency, isOpen)
      }
    case .exchange:
      [
        row(
          ExchangeCatalogue.symbol, at: venue, ExchangeCatalogue.name, .stock,
          in: ExchangeCatalogue.currency, isOpen)
      ]
    }
  }

  private static func row(
    _ symbol: Symbol, at venue: Venue, _ name: String, _ kind: InstrumentKind,
    in currency: String, _ isOpen: Bool
  ) -> MarketRow {
    MarketRow(
      InstrumentKey(venue, symbol), name: name, kind: kind, base: symbol.text, quote: currency,
      isOpen: isOpen)
  }
}

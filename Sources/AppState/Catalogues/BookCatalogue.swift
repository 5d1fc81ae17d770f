// OB1: the instruments whose book and trades can be watched, with what their contracts mean.

public import MarketModel

/// What one contract of an instrument is worth.
public enum ContractKind: Hashable, Sendable {
  /// One contract is one unit of the quote currency, so size ÷ price is a size in the base
  /// currency. BitMEX XBTUSD: one contract is 1 USD.
  case inverse
  /// One contract pays in a third currency (BitMEX ETHUSD and SOLUSD settle in XBT), so its size
  /// has no fixed meaning in the base currency.
  case quanto
}

/// An instrument with a book.
public struct BookInstrument: Hashable, Sendable {
  /// Its symbol at the venue: "XBTUSD".
  public let symbol: Symbol
  /// The venue.
  public let venue: VenueName
  /// Its name for people: "Bitcoin / US dollar".
  public let name: String
  /// The base currency: "XBT".
  public let base: String
  /// The quote currency: "USD".
  public let quote: String
  /// What one contract is.
  public let contract: ContractKind

  /// The stream of its book.
  public var bookKey: MarketKey { MarketKey(venue, .book, symbol) }
  /// The stream of its trades.
  public var tradesKey: MarketKey { MarketKey(venue, .trades, symbol) }

  /// A size in the base currency, at four decimals; nil where size ÷ price means nothing.
  func sizeInBase(
    _ size: Quantity, at price: Price, quantityScale: Scale, priceScale: Scale
  ) -> FixedDecimal? {
    guard contract == .inverse else { return nil }
    return BaseSize.of(size, at: price, quantityScale: quantityScale, priceScale: priceScale)
  }
}

/// The instruments with a book.
public enum BookCatalogue {
  /// All instruments, the brief's first.
  public static let instruments: [BookInstrument] = rows.compactMap { row in
    Symbol(row.0).map {
      BookInstrument(
        symbol: $0, venue: .bitmex, name: row.1, base: row.2, quote: "USD", contract: row.3)
    }
  }

  /// The instrument with this symbol; nil when there is none here.
  public static func instrument(_ symbol: Symbol) -> BookInstrument? {
    instruments.first { $0.symbol == symbol }
  }

  private static let rows: [(String, String, String, ContractKind)] = [
    ("XBTUSD", "Bitcoin / US dollar", "XBT", .inverse),
    ("ETHUSD", "Ether / US dollar", "ETH", .quanto),
    ("SOLUSD", "Solana / US dollar", "SOL", .quanto),
  ]
}

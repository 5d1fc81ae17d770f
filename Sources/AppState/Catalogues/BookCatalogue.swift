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
  /// No contract: sizes are amounts of the base currency (Kraken's spot pairs).
  case base
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

  /// A size in the base currency: as it is where the venue counts so, size ÷ price at four decimals
  /// for inverse contracts; nil where that means nothing.
  func sizeInBase(
    _ size: Quantity, at price: Price, quantityScale: Scale, priceScale: Scale
  ) -> FixedDecimal? {
    switch contract {
    case .base: FixedDecimal(size, scale: quantityScale)
    case .inverse:
      BaseSize.of(size, at: price, quantityScale: quantityScale, priceScale: priceScale)
    case .quanto: nil
    }
  }
}

/// The instruments with a book.
public enum BookCatalogue {
  /// All instruments that are offered, the brief's first.
  ///
  /// Kraken has some fourteen hundred pairs more: each can be opened by its name.
  public static let instruments: [BookInstrument] = rows.compactMap { row in
    Symbol(row.symbol).map {
      BookInstrument(
        symbol: $0, venue: row.venue, name: row.name, base: row.base, quote: row.quote,
        contract: row.contract)
    }
  }

  /// The same with those of closed venues at the end.
  public static func instruments(closed: Set<VenueName>) -> [BookInstrument] {
    instruments.filter { !closed.contains($0.venue) }
      + instruments.filter { closed.contains($0.venue) }
  }

  /// The instrument with this symbol; nil when there can be none.
  ///
  /// A symbol in the form of a pair is Kraken's; whether the venue has it, the venue says.
  public static func instrument(_ symbol: Symbol) -> BookInstrument? {
    instruments.first { $0.symbol == symbol } ?? pair(symbol)
  }

  private static func pair(_ symbol: Symbol) -> BookInstrument? {
    let sides = symbol.text.split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy(isCurrency) else { return nil }
    let (base, quote) = (String(sides[0]), String(sides[1]))
    return BookInstrument(
      symbol: symbol, venue: .kraken, name: "\(base) / \(quote)", base: base, quote: quote,
      contract: .base)
  }

  /// Capital letters, digits and points: "BTC", "1INCH", "ETH2.S".
  private static func isCurrency(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 16
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
      }
  }

  private struct Row {
    let symbol: String
    let venue: VenueName
    let name: String
    let base: String
    let quote: String
    let contract: ContractKind

    init(
      _ symbol: String, _ venue: VenueName, _ name: String, _ base: String, _ quote: String,
      _ contract: ContractKind
    ) {
      (self.symbol, self.venue, self.name) = (symbol, venue, name)
      (self.base, self.quote, self.contract) = (base, quote, contract)
    }
  }

  private static let rows: [Row] = [
    Row("XBTUSD", .bitmex, "Bitcoin / US dollar", "XBT", "USD", .inverse),
    Row("ETHUSD", .bitmex, "Ether / US dollar", "ETH", "USD", .quanto),
    Row("SOLUSD", .bitmex, "Solana / US dollar", "SOL", "USD", .quanto),
    Row("BTC/USD", .kraken, "Bitcoin / US dollar", "BTC", "USD", .base),
    Row("ETH/USD", .kraken, "Ether / US dollar", "ETH", "USD", .base),
    Row("SOL/USD", .kraken, "Solana / US dollar", "SOL", "USD", .base),
    Row("XRP/USD", .kraken, "XRP / US dollar", "XRP", "USD", .base),
    Row("DOGE/USD", .kraken, "Dogecoin / US dollar", "DOGE", "USD", .base),
    Row("SHIB/USD", .kraken, "Shiba Inu / US dollar", "SHIB", "USD", .base),
    Row("ETH/BTC", .kraken, "Ether / Bitcoin", "ETH", "BTC", .base),
  ]
}

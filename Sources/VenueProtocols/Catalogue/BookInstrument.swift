// OB1: an instrument whose book and trades can be watched, with what its contracts mean.

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
  public let venue: Venue
  /// Its name for people: "Bitcoin / US dollar".
  public let name: String
  /// The base currency: "XBT".
  public let base: String
  /// The quote currency: "USD".
  public let quote: String
  /// What one contract is.
  public let contract: ContractKind

  /// An instrument of a venue's own list; `symbol` stands in the source.
  init(
    _ venue: Venue, _ symbol: StaticString, _ name: String, _ base: String, _ quote: String,
    _ contract: ContractKind
  ) {
    self.symbol = Symbol(known: symbol)
    (self.venue, self.name) = (venue, name)
    (self.base, self.quote, self.contract) = (base, quote, contract)
  }

  /// Any pair of currencies: "BTC/EUR".
  ///
  /// Nil when the symbol has not the form of a pair.
  init?(pair symbol: Symbol, at venue: Venue) {
    let sides = symbol.text.split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy(BookInstrument.isCurrency) else { return nil }
    (self.symbol, self.venue) = (symbol, venue)
    (base, quote) = (String(sides[0]), String(sides[1]))
    name = "\(base) / \(quote)"
    contract = .base
  }

  /// The stream of its book.
  public var bookKey: MarketKey { MarketKey(venue, .book, symbol) }
  /// The stream of its trades.
  public var tradesKey: MarketKey { MarketKey(venue, .trades, symbol) }

  /// Whether a currency of a pair is a token that stands for a share: "AAPLx".
  public static func isToken(_ currency: String) -> Bool {
    currency.utf8.count > 1 && currency.utf8.last == UInt8(ascii: "x")
  }

  /// Capital letters, digits and points, at the end perhaps the small x of a token: "BTC",
  /// "1INCH", "ETH2.S", "AAPLx".
  private static func isCurrency(_ text: Substring) -> Bool {
    let isToken = BookInstrument.isToken(String(text))
    return !text.isEmpty && text.utf8.count <= 16
      && text.utf8.dropLast(isToken ? 1 : 0).allSatisfy { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
      }
  }
}

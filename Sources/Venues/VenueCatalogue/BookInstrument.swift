public import MarketModel

/// The value of one contract of an instrument.
public enum ContractKind: Hashable, Sendable {
  /// One contract is one unit of the quote currency, so size ÷ price is a size in the base
  /// currency. BitMEX XBTUSD: one contract is 1 USD.
  case inverse
  /// One contract pays in a third currency (BitMEX ETHUSD and SOLUSD settle in XBT), so its size
  /// has no fixed meaning in the base currency.
  case quanto
  /// A perpetual that settles in the quote currency, so sizes are amounts of the base currency
  /// (Bybit's linear BTCUSDT).
  case linear
  /// No contract: sizes are amounts of the base currency (Kraken's spot pairs).
  case base

  /// Whether sizes are amounts of the base currency.
  public var countsBase: Bool { self == .base || self == .linear }
}

/// An instrument whose book and trades can be subscribed to (OB1).
public struct BookInstrument: Hashable, Sendable {
  /// Its symbol at the venue: "XBTUSD".
  public let symbol: Symbol
  /// The venue.
  public let venue: Venue
  /// Its display name: "Bitcoin / US dollar".
  public let name: String
  /// The base currency: "XBT".
  public let base: String
  /// The quote currency: "USD".
  public let quote: String
  /// The value of one contract.
  public let contract: ContractKind

  /// An instrument of a venue's own list; `symbol` is a literal in the source.
  init(
    _ venue: Venue, _ symbol: StaticString, _ name: String, _ base: String, _ quote: String,
    _ contract: ContractKind
  ) {
    self.symbol = Symbol(known: symbol)
    (self.venue, self.name) = (venue, name)
    (self.base, self.quote, self.contract) = (base, quote, contract)
  }

  /// Any pair of currencies: "BTC/EUR", "AAPLx/USD".
  ///
  /// Nil when the symbol is not two names with the separator between them.
  public init?(pair symbol: Symbol, separator: Character, at venue: Venue) {
    let sides = symbol.text.split(separator: separator, omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy(BookInstrument.isName) else { return nil }
    (self.symbol, self.venue) = (symbol, venue)
    (base, quote) = (String(sides[0]), String(sides[1]))
    name = "\(base) / \(quote)"
    contract = .base
  }

  /// Any other instrument, such as "XBTM26-XBTU26", "XBT_USDT" or ".BXBT"; nil when the symbol
  /// can't be a name.
  ///
  /// The value of its contracts is unknown unless `contract` states it.
  init?(named symbol: Symbol, at venue: Venue, _ contract: ContractKind = .quanto) {
    guard BookInstrument.isName(symbol.text[...]) else { return nil }
    (self.symbol, self.venue, name) = (symbol, venue, symbol.text)
    (base, quote, self.contract) = (symbol.text, "", contract)
  }

  private init(_ other: BookInstrument, base: String, quote: String) {
    (symbol, venue, contract) = (other.symbol, other.venue, other.contract)
    (self.base, self.quote) = (base, quote)
    name = "\(base) / \(quote)" + (contract == .linear ? " perpetual" : "")
  }

  /// The same with these currencies, where they are unknown.
  func with(base: String, quote: String) -> BookInstrument {
    self.quote.isEmpty && contract.countsBase
      ? BookInstrument(self, base: base, quote: quote) : self
  }

  /// The stream of its book.
  public var bookKey: MarketKey { MarketKey(venue, .book, symbol) }
  /// The stream of its trades.
  public var tradesKey: MarketKey { MarketKey(venue, .trades, symbol) }

  /// Whether a currency of a pair is a token for a share: "AAPLx".
  public static func isToken(_ currency: String) -> Bool {
    currency.utf8.count > 1 && currency.utf8.last == UInt8(ascii: "x")
  }

  /// Whether a text can be a currency's code: 1 to 16 bytes of names.
  public static func isCurrency(_ text: String) -> Bool {
    (1...16).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
  }

  /// Whether a text of a symbol's length consists of the bytes of names.
  public static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= Symbol.maximumBytes && text.utf8.allSatisfy(isNameByte)
  }

  /// Whether a byte can be part of a name: letters, digits, ".", "-" and "_", which need no escape
  /// in a path or a query.
  public static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension BookInstrument {
  /// Why paper orders can't be placed in it, as a sentence; nil if they can.
  public var obstacle: Sentence? {
    switch contract {
    case .base: nil
    case .linear:
      "Paper orders are for spot markets only; \(symbol) pays funding, which is not simulated."
    case .inverse, .quanto:
      "Paper orders are for spot markets only; \(symbol) is traded in contracts."
    }
  }

  /// Its kind in lists.
  public var kind: InstrumentKind {
    switch contract {
    case .base: .spot
    case .linear: .perpetual
    case .inverse, .quanto: .contract
    }
  }
}

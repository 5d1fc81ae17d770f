// What a venue says that it offers: its instruments, each with what it is.

/// What an instrument is.
public enum InstrumentKind: String, CaseIterable, Hashable, Sendable {
  /// A pair of currencies that is traded at once.
  case spot
  /// A token that stands for a share, against a currency.
  case token
  /// A contract on a price.
  case contract
  /// A share by its ISIN.
  case share
  /// A product of a broker.
  case product
  /// The stock of the one-stock exchange.
  case stock
  /// A made-up price of the price tracker.
  case made
}

/// An instrument as its venue lists it.
public struct ListedInstrument: Hashable, Sendable {
  /// Its name at the venue: "BTC/USD".
  public let symbol: Symbol
  /// What is bought and sold: "BTC".
  public let base: String
  /// What it is paid in: "USD"; empty where the venue does not say.
  public let quote: String
  /// What it is.
  public let kind: InstrumentKind
  /// Whether it has a market now, by the venue's word.
  public let isOpen: Bool

  /// Puts an instrument together.
  public init(symbol: Symbol, base: String, quote: String, kind: InstrumentKind, isOpen: Bool) {
    (self.symbol, self.base, self.quote) = (symbol, base, quote)
    (self.kind, self.isOpen) = (kind, isOpen)
  }
}

/// All instruments of a venue.
public struct VenueListing: Equatable, Sendable {
  /// The instruments, by symbol; empty before the venue has listed them.
  public let instruments: [ListedInstrument]
  /// Whether the list can be believed now.
  public internal(set) var freshness: Freshness

  /// Puts a listing together; `instruments` are sorted by symbol.
  public init(instruments: [ListedInstrument], freshness: Freshness) {
    (self.instruments, self.freshness) = (instruments, freshness)
  }
}

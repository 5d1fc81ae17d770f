/// The kind of an instrument.
public enum InstrumentKind: String, CaseIterable, Hashable, Sendable {
  /// A currency pair for immediate settlement.
  case spot
  /// A token that represents a share, against a currency.
  case token
  case contract
  /// A contract without an end, in amounts of the base currency.
  case perpetual
  /// A share, identified by its ISIN.
  case share
  case product
  /// The stock of the one-stock exchange.
  case stock
  /// A synthetic price of the price tracker.
  case made
}

/// An instrument as its venue lists it.
public struct ListedInstrument: Hashable, Sendable {
  /// Its name at the venue: "BTC/USD".
  public let symbol: Symbol
  /// The base asset: "BTC".
  public let base: String
  /// The quote currency: "USD"; empty if the venue omits it.
  public let quote: String
  /// Its kind.
  public let kind: InstrumentKind
  /// Whether its market is open, according to the venue.
  public let isOpen: Bool

  /// Creates an instrument.
  public init(symbol: Symbol, base: String, quote: String, kind: InstrumentKind, isOpen: Bool) {
    (self.symbol, self.base, self.quote) = (symbol, base, quote)
    (self.kind, self.isOpen) = (kind, isOpen)
  }
}

/// All instruments of a venue.
public struct VenueListing: Equatable, Sendable {
  /// The instruments, sorted by symbol; empty until the venue has listed them.
  public let instruments: [ListedInstrument]
  /// Whether the list is valid now.
  public internal(set) var freshness: Freshness

  /// Creates a listing; `instruments` must be sorted by symbol.
  public init(instruments: [ListedInstrument], freshness: Freshness) {
    (self.instruments, self.freshness) = (instruments, freshness)
  }
}

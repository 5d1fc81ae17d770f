// An instrument without a book, as its venue's catalogue offers it.

public import MarketModel

/// An instrument that the program knows by itself and that has no book to show.
public struct OfferedInstrument: Hashable, Sendable {
  /// Its symbol at the venue: "US0378331005".
  public let symbol: Symbol
  /// Its name for people: "Apple".
  public let name: String
  /// What it is.
  public let kind: InstrumentKind
  /// ISO 4217 code of its prices; empty where the venue does not say.
  public let currency: String

  /// Puts an instrument together.
  public init(_ symbol: Symbol, _ name: String, _ kind: InstrumentKind, in currency: String) {
    (self.symbol, self.name, self.kind, self.currency) = (symbol, name, kind, currency)
  }
}

public import MarketModel

/// An instrument without a book, from the venue's built-in list.
public struct OfferedInstrument: Hashable, Sendable {
  /// Its symbol at the venue: "US0378331005".
  public let symbol: Symbol
  /// Its display name: "Apple".
  public let name: String
  /// The kind of instrument.
  public let kind: InstrumentKind
  /// ISO 4217 code of its prices; empty where the venue does not state it.
  public let currency: String

  /// Creates an instrument.
  public init(_ symbol: Symbol, _ name: String, _ kind: InstrumentKind, in currency: String) {
    (self.symbol, self.name, self.kind, self.currency) = (symbol, name, kind, currency)
  }
}

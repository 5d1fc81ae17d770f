/// One instrument at one venue.
public struct InstrumentKey: Hashable, Sendable {
  /// The venue.
  public let venue: Venue
  /// Its name at the venue.
  public let symbol: Symbol

  /// Creates a key.
  public init(_ venue: Venue, _ symbol: Symbol) {
    self.venue = venue
    self.symbol = symbol
  }

  /// Parses "kraken/BTC/USD" or "kraken:BTC/USD"; nil for an invalid venue or symbol.
  public init?(text: String) {
    let bound = Symbol.maximumBytes + 16
    guard text.utf8.count <= bound, let slash = text.firstIndex(where: { $0 == "/" || $0 == ":" }),
      let venue = Venue(rawValue: String(text[..<slash])),
      let symbol = Symbol(String(text[text.index(after: slash)...]))
    else { return nil }
    self.init(venue, symbol)
  }

  /// The venue and the symbol: "kraken/BTC/USD".
  public var text: String { venue.rawValue + "/" + symbol.text }
}

// LT13: one instrument in the list of all markets.

public import MarketModel
import VenueProtocols

/// An instrument as the list of all markets shows it, without its price.
public struct MarketRow: Hashable, Sendable, Identifiable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// Its name for people: "Bitcoin / US dollar".
  public let name: String
  /// What it is.
  public let kind: InstrumentKind
  /// What is bought and sold: "BTC".
  public let base: String
  /// What it is paid in: "USD"; empty where the venue does not say.
  public let quote: String
  /// Whether it has a market now, by its venue's word.
  public let isOpen: Bool
  /// What a search finds it by.
  private let words: [String]

  /// Puts a row together.
  public init(
    _ instrument: InstrumentKey, name: String, kind: InstrumentKind, base: String, quote: String,
    isOpen: Bool = true
  ) {
    (self.instrument, self.name, self.kind) = (instrument, name, kind)
    (self.base, self.quote, self.isOpen) = (base, quote, isOpen)
    let symbol = SearchWords.folded(instrument.symbol.text)
    let codes = [symbol, symbol.filter { $0 != "/" }, base, quote].map(SearchWords.folded)
    words =
      codes + SearchWords.words(of: name)
      + SearchWords.words(of: instrument.venue.displayName)
      + SearchWords.words(of: instrument.venue.rawValue)
  }

  /// The venue and the symbol: "kraken/BTC/USD".
  public var id: String { instrument.text }

  /// Whether every word of a query begins a word of name, symbol, base, quote or venue.
  ///
  /// Case and accents make no difference; an empty query finds everything, and of a long one the
  /// first 100 characters count.
  public func matches(_ query: String) -> Bool {
    SearchWords.query(query).allSatisfy { word in words.contains { $0.hasPrefix(word) } }
  }
}

extension MarketRow {
  /// A pair as its venue lists it.
  init(_ listed: ListedInstrument, at venue: Venue) {
    self.init(
      InstrumentKey(venue, listed.symbol), name: MarketRow.name(of: listed), kind: listed.kind,
      base: listed.base, quote: listed.quote, isOpen: listed.isOpen)
  }

  /// "Cardano / Euro", "Apple, tokenised share / US dollar".
  private static func name(of listed: ListedInstrument) -> String {
    let base = AssetNames.name(listed.base) + (listed.kind == .token ? ", tokenised share" : "")
    return listed.quote.isEmpty ? base : base + " / " + AssetNames.name(listed.quote)
  }
}

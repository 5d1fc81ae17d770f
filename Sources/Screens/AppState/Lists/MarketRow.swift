// LT13: one instrument in the list of all markets.

public import MarketModel
import VenueCatalogue

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

/// Text made comparable with what a person types.
enum SearchWords {
  /// The most characters of a query that count.
  static let maximumQueryLength = 100

  /// Letters without case and accents; marks and apostrophes are left out.
  static func folded(_ text: String) -> String {
    var result = ""
    for scalar in text.lowercased().unicodeScalars {
      switch scalar.value {
      case 0x300...0x36f, 0x27, 0x2019: continue
      case 0..<0x80: result.unicodeScalars.append(scalar)
      default: result += plain[scalar] ?? String(Character(scalar))
      }
    }
    return result
  }

  /// The words of a name: what stands between characters that are no letter and no digit.
  static func words(of name: String) -> [String] {
    folded(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// The words of a query: what stands between spaces.
  static func query(_ text: String) -> [String] {
    folded(String(text.prefix(maximumQueryLength))).split(whereSeparator: \.isWhitespace)
      .map(String.init)
  }

  /// Small letters of Europe by the plain letters that stand for them.
  private static let plain: [Unicode.Scalar: String] = {
    let rows = [
      ("a", "àáâãäåāăą"), ("ae", "æ"), ("c", "çćĉċč"), ("d", "ďđð"), ("e", "èéêëēĕėęě"),
      ("g", "ĝğġģ"), ("h", "ĥħ"), ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"),
      ("n", "ñńņň"), ("o", "òóôõöøōŏő"), ("oe", "œ"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("ss", "ß"),
      ("t", "ţťŧț"), ("th", "þ"), ("u", "ùúûüũūŭůűų"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
    ]
    var table: [Unicode.Scalar: String] = [:]
    for (letter, accented) in rows {
      for scalar in accented.unicodeScalars { table[scalar] = letter }
    }
    return table
  }()
}

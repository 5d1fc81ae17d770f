public import MarketModel
import VenueCatalogue

/// An instrument in the list of all markets, without its price (LT13).
public struct MarketRow: Hashable, Sendable, Identifiable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// The display name: "Bitcoin / US dollar".
  public let name: String
  /// The kind of instrument.
  public let kind: InstrumentKind
  /// The base asset: "BTC".
  public let base: String
  /// The quote currency: "USD"; empty if the venue sends none.
  public let quote: String
  /// Whether its market is open, according to the venue.
  public let isOpen: Bool
  private let words: [String]

  /// Creates a row.
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

  /// Venue and symbol: "kraken/BTC/USD".
  public var id: String { instrument.text }

  /// Whether every word of a query is a prefix of a word of name, symbol, base, quote or venue.
  ///
  /// Ignores case and accents. An empty query matches everything; only the first 100 characters
  /// count.
  public func matches(_ query: String) -> Bool {
    SearchWords.query(query).allSatisfy { word in words.contains { $0.hasPrefix(word) } }
  }
}

extension MarketRow {
  init(_ listed: ListedInstrument, at venue: Venue) {
    self.init(
      InstrumentKey(venue, listed.symbol), name: MarketRow.name(of: listed), kind: listed.kind,
      base: listed.base, quote: listed.quote, isOpen: listed.isOpen)
  }

  /// "Cardano / Euro", "Apple, tokenised share / US dollar".
  private static func name(of listed: ListedInstrument) -> String {
    let base = AssetNames.name(listed.base) + (listed.kind == .token ? ", tokenised share" : "")
    let pair = listed.quote.isEmpty ? base : base + " / " + AssetNames.name(listed.quote)
    return pair + (listed.kind == .perpetual ? " perpetual" : "")
  }
}

enum SearchWords {
  static let maximumQueryLength = 100

  /// Removes case, accents and apostrophes.
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

  /// The words of a name, separated by anything but letters and digits.
  static func words(of name: String) -> [String] {
    folded(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// The words of a query, separated by spaces.
  static func query(_ text: String) -> [String] {
    folded(String(text.prefix(maximumQueryLength))).split(whereSeparator: \.isWhitespace)
      .map(String.init)
  }

  /// European lower-case letters by their plain letters.
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

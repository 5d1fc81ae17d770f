// LT2 in words: who else says what the prices are, and why a book is fetched anew.

public import MarketModel

/// Says how the streams of an instrument stand to each other.
public enum WitnessText {
  /// "3 of 3 agree", or "2 of 3: ticker says 44,120.5"; nil where nobody can be compared, and for a
  /// book that can't be believed now.
  ///
  /// `amount` spells a price for the reader.
  public static func words(_ book: BookState, amount: (FixedDecimal) -> String) -> String? {
    guard let report = book.witnesses, !book.freshness.state.isDimmed else { return nil }
    let count = "\(report.agreeing) of \(report.witnesses.count)"
    guard let dissent = report.dissents.first else { return "\(count) agree" }
    return "\(count): " + words(dissent, amount: amount)
  }

  /// "ticker says 44,120.5", or "ticker says no price".
  public static func words(
    _ dissent: WitnessDissent, amount: (FixedDecimal) -> String
  ) -> String {
    "\(dissent.witness.word) says \(dissent.said.map(amount) ?? "no price")"
  }
}

extension Witness {
  /// The stream as people call it.
  public var word: String {
    switch self {
    case .book: "book"
    case .top25: "best 25 levels"
    case .quote: "quote"
    case .ticker: "ticker"
    case .trades: "trades"
    }
  }
}

extension BookDoubt {
  /// Why, in a sentence for the truth strip.
  public var words: String {
    switch self {
    case .checksum: "The venue’s checksum is another one."
    case .crossed: "The best bid had reached the best ask."
    case .unknownLevel: "Changes named levels that the book lacks."
    case .unreadable: "A message could not be read."
    case .audit: "The venue’s best 25 levels are others."
    }
  }
}

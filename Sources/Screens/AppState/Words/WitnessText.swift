public import MarketModel

/// The cross-check of an instrument's streams as text (LT2).
public enum WitnessText {
  /// "3 of 3 agree", or the first mismatch; nil without other streams or with an invalid book.
  ///
  /// `amount` formats a price for the reader.
  public static func words(_ book: BookState, amount: (FixedDecimal) -> String) -> Sentence? {
    guard let report = book.witnesses, !book.freshness.state.isDimmed else { return nil }
    let (agreeing, count) = (report.agreeing, report.witnesses.count)
    guard let dissent = report.dissents.first else { return "\(agreeing) of \(count) agree" }
    return "\(agreeing) of \(count): \(words(dissent, amount: amount))"
  }

  /// A mismatching stream with its price, or "no price".
  public static func words(
    _ dissent: WitnessDissent, amount: (FixedDecimal) -> String
  ) -> Sentence {
    let witness = Sentence(key: dissent.witness.word)
    return dissent.said.map { "\(witness) says \(amount($0))" } ?? "\(witness) says no price"
  }
}

extension Witness {
  /// The stream's display name.
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
  /// The reason as a sentence for the truth strip.
  public var words: Sentence {
    switch self {
    case .checksum: "The venue’s checksum is another one."
    case .gap: "Messages of the venue are missing."
    case .crossed: "The best bid had reached the best ask."
    case .unknownLevel: "Changes named levels that the book lacks."
    case .unreadable: "A message could not be read."
    case .audit: "The venue’s best 25 levels are others."
    case .location: "The venue rejects this location."
    case .limit: "The venue limits requests; the book follows later."
    }
  }
}

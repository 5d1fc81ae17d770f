public import MarketModel
import VenueCatalogue

/// Freshness as text (LT1).
public enum FreshnessText {
  /// The state as text, with the age of an outdated value and the origin unless it is a venue.
  public static func words(_ freshness: Freshness, at now: ClockReading) -> Sentence {
    let state = freshness.state
    return written(
      state == .waiting ? "Waiting for prices" : Sentence(key: state.word), freshness, at: now)
  }

  /// The same inside of a sentence.
  public static func phrase(_ freshness: Freshness, at now: ClockReading) -> Sentence {
    let state = freshness.state
    return written(state == .waiting ? "waiting for prices" : state.phrase, freshness, at: now)
  }

  private static func written(
    _ word: Sentence, _ freshness: Freshness, at now: ClockReading
  ) -> Sentence {
    var words = [word]
    if freshness.state.showsAge, let confirmedAt = freshness.confirmedAt {
      words.append(AgeText.since(confirmedAt, at: now))
    }
    if let note = freshness.origin.note { words.append(note) }
    return Sentence(joining: words, by: " · ")
  }
}

/// The age of a value as text.
public enum AgeText {
  /// The units of lengths, shortest first; each is used below a number of seconds.
  public static let units: [(below: Int64, seconds: Int64, word: String)] = [
    (120, 1, "s"), (7200, 60, "min"), (172_800, 3600, "h"), (.max, 86_400, "days"),
  ]

  /// A duration: seconds below two minutes, then minutes, hours, days.
  public static func length(seconds: Int64) -> Sentence {
    let seconds = max(0, seconds)
    guard let unit = units.first(where: { seconds < $0.below }) else { return "" }
    return "\(seconds / unit.seconds) \(Sentence(key: unit.word))"
  }

  /// The time from `earlier` to `now`: "12 s ago".
  ///
  /// "just now" for less than a second, or a time that is not in the past.
  public static func since(_ earlier: ClockReading, at now: ClockReading) -> Sentence {
    let seconds = now.monotonic.milliseconds(since: earlier.monotonic) / 1000
    return seconds < 1 ? "just now" : "\(length(seconds: seconds)) ago"
  }
}

/// The proof of a book as text.
public enum BookProofText {
  /// What the rows rest on, and its age; nil if the venue sends nothing of the kind or the rows are
  /// invalid.
  ///
  /// "Rows 1 to 10 proven by Kraken's checksum · 2 s ago", "Unbroken: 1,234 messages of Coinbase
  /// since the snapshot · 2 s ago".
  public static func words(_ book: BookState, at now: ClockReading) -> Sentence? {
    guard let instrument = book.instrument, !book.freshness.state.isDimmed else { return nil }
    let name = instrument.venue.displayName
    if let unbroken = book.unbroken {
      let count = grouped(unbroken.messages)
      return Sentence(
        joining: [
          "Unbroken: \(count) messages of \(name) since the snapshot",
          AgeText.since(unbroken.at, at: now),
        ], by: " · ")
    }
    guard let proof = book.proof?.proof else { return nil }
    return Sentence(
      joining: [
        "Rows 1 to \(BookChecksum.depth) proven by \(name)'s checksum",
        AgeText.since(proof.at, at: now),
      ], by: " · ")
  }

  /// "1,234".
  private static func grouped(_ count: Int64) -> String {
    var digits = String(max(0, count))
    var parts: [String] = []
    while digits.utf8.count > 3 {
      parts.append(String(digits.suffix(3)))
      digits.removeLast(3)
    }
    return ([digits] + parts.reversed()).joined(separator: ",")
  }
}

// LT1 in words: whether what is shown can be believed, and how old it is when it can't.

public import MarketModel
import VenueCatalogue

/// Says whether values can be believed.
public enum FreshnessText {
  /// The state in words; with the age where the value may be wrong by now, and with the origin
  /// where that is no real venue.
  public static func words(_ freshness: Freshness, at now: ClockReading) -> String {
    let state = freshness.state
    var words = state == .waiting ? "Waiting for prices" : state.word
    if state.showsAge, let confirmedAt = freshness.confirmedAt {
      words += " · " + AgeText.since(confirmedAt, at: now)
    }
    if let badge = freshness.origin.badge { words += " · " + badge.lowercased() }
    return words
  }
}

/// How old a value is, in words.
public enum AgeText {
  /// The units that lengths are told in, shortest first: each below so many seconds.
  public static let units: [(below: Int64, seconds: Int64, word: String)] = [
    (120, 1, "s"), (7200, 60, "min"), (172_800, 3600, "h"), (.max, 86_400, "days"),
  ]

  /// A length of time: seconds below two minutes, then minutes, hours, days.
  public static func length(seconds: Int64) -> String {
    let seconds = max(0, seconds)
    guard let unit = units.first(where: { seconds < $0.below }) else { return "" }
    return "\(seconds / unit.seconds) \(unit.word)"
  }

  /// The time from `earlier` to `now`: "12 s ago".
  ///
  /// Less than a second, and a moment that is not in the past, is "just now".
  public static func since(_ earlier: ClockReading, at now: ClockReading) -> String {
    let seconds = now.monotonic.milliseconds(since: earlier.monotonic) / 1000
    return seconds < 1 ? "just now" : "\(length(seconds: seconds)) ago"
  }
}

/// Says what a book is proven by.
public enum BookProofText {
  /// "Rows 1 to 10 proven by Kraken's checksum · 2 s ago"; nil where the venue sends none, and for
  /// rows that cannot be believed now.
  public static func words(_ book: BookState, at now: ClockReading) -> String? {
    guard let proof = book.proof?.proof, let instrument = book.instrument,
      !book.freshness.state.isDimmed
    else { return nil }
    let name = instrument.venue.displayName
    return "Rows 1 to \(BookChecksum.depth) proven by \(name)'s checksum · "
      + AgeText.since(proof.at, at: now)
  }
}

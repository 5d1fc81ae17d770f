// LT1 in words: whether what is shown can be believed, and how old it is when it can't.

public import MarketModel

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

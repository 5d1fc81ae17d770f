// Ages in words, for values that are not live (LT1): "12 s ago". The product speaks English.

public import MarketModel

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

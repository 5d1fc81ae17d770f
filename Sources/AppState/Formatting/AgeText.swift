// Ages in words, for values that are not live (LT1): "12 s ago". The product speaks English.

public import MarketModel

/// How old a value is, in words.
public enum AgeText {
  /// The time from `earlier` to `now`: seconds below two minutes, then minutes, hours, days.
  ///
  /// A moment that is not in the past is "just now".
  public static func since(_ earlier: ClockReading, at now: ClockReading) -> String {
    let seconds = now.monotonic.milliseconds(since: earlier.monotonic) / 1000
    switch seconds {
    case ..<1: return "just now"
    case ..<120: return "\(seconds) s ago"
    case ..<7200: return "\(seconds / 60) min ago"
    case ..<172_800: return "\(seconds / 3600) h ago"
    default: return "\(seconds / 86_400) days ago"
    }
  }
}

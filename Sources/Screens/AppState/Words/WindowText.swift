public import MarketModel

/// The time window of figures as text.
public enum WindowText {
  private static let months: [Sentence] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// "24 h", "since 09:05", or "since 21 Nov, 09:05" for another day.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - offset: The reader's offset from UTC in seconds.
  ///   - now: Determines the current day.
  /// - Returns: The text, without a figure.
  public static func words(
    _ window: DayFigures.Window, utcOffset offset: Int, at now: Timestamp
  ) -> Sentence {
    guard case .since(let start) = window else { return "24 h" }
    // The reader's local time, formatted as if it were UTC: "2026-11-21T09:05:00.000Z".
    let (then, today) = (local(start, offset), local(now, offset))
    let clock = then.dropFirst(11).prefix(5)
    guard then.prefix(10) != today.prefix(10) else { return "since \(clock)" }
    let month = Int(then.dropFirst(5).prefix(2)).flatMap {
      months.indices.contains($0 - 1) ? months[$0 - 1] : nil
    }
    guard let month, let day = Int(then.dropFirst(8).prefix(2)) else { return "since \(clock)" }
    return "since \(day) \(month), \(clock)"
  }

  /// A figure's name with its window: "24 h high", or "High since 09:05" for less than a day.
  ///
  /// - Parameters:
  ///   - name: The name on its own, "High".
  ///   - window: The window.
  ///   - offset: The reader's offset from UTC in seconds.
  ///   - now: Determines the current day.
  /// - Returns: The text, without a figure.
  public static func name(
    _ name: Sentence, of window: DayFigures.Window, utcOffset offset: Int, at now: Timestamp
  ) -> Sentence {
    if case .since = window {
      return "\(name) \(words(window, utcOffset: offset, at: now))"
    }
    switch name.key {
    case "High": return "24 h high"
    case "Low": return "24 h low"
    case "Volume": return "24 h volume"
    case "Change": return "24 h change"
    default: return "24 h \(name)"
    }
  }

  private static func local(_ time: Timestamp, _ offset: Int) -> String {
    Timestamp(milliseconds: time.milliseconds &+ Int64(offset) * 1000).description
  }
}

// LT1 in words: whether what is shown can be believed, and how old it is when it can't.

public import MarketModel

/// Says whether values can be believed.
public enum FreshnessText {
  /// The state in words; with the age where the value may be wrong by now.
  public static func words(_ freshness: Freshness, at now: ClockReading) -> String {
    let state = stateWords(freshness, at: now)
    switch freshness.origin {
    case .venue: return state
    case .simulated: return state + " · simulated"
    case .replay: return state + " · replay"
    case .custom: return state + " · custom address"
    }
  }

  private static func stateWords(_ freshness: Freshness, at now: ClockReading) -> String {
    let age = freshness.confirmedAt.map { " · " + AgeText.since($0, at: now) } ?? ""
    switch freshness.state {
    case .waiting: return "Waiting for prices"
    case .live: return "Live"
    case .late: return "Late" + age
    case .stale: return "Stale" + age
    case .resyncing: return "Resyncing" + age
    case .disconnected: return "Disconnected" + age
    case .closed: return "Market closed"
    }
  }

  /// Whether values are to be dimmed: they may be wrong by now.
  public static func isDimmed(_ state: FreshnessState) -> Bool {
    switch state {
    case .live, .late, .closed: false
    case .waiting, .stale, .resyncing, .disconnected: true
    }
  }
}

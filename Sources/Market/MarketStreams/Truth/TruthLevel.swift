// LT2: what a value on screen was worth over time, in the words of the truth strip.

public import MarketModel

/// How far a book could be believed.
public enum TruthLevel: String, CaseIterable, Hashable, Sendable {
  /// In time, and the venue's own checksum was found in the rows.
  case proven
  /// In time; nobody but us vouches for it.
  case live
  /// Later than its rhythm allows.
  case late
  /// Found doubtful, and being fetched anew.
  case resyncing
  /// The venue was out of reach.
  case blind
  /// The market was closed: silence was right.
  case closed
  /// Nobody looked, so nothing is known.
  case unwatched

  /// What a freshness comes to; nil while there is nothing to judge.
  public init?(_ freshness: FreshnessState, isProven: Bool) {
    switch freshness {
    case .live: self = isProven ? .proven : .live
    case .late, .stale: self = .late
    case .resyncing: self = .resyncing
    case .disconnected: self = .blind
    case .closed: self = .closed
    case .waiting, .queued: return nil
    }
  }

  /// Whether the numbers on screen might have been wrong.
  public var isDoubtful: Bool {
    switch self {
    case .late, .resyncing, .blind: true
    case .proven, .live, .closed, .unwatched: false
    }
  }
}

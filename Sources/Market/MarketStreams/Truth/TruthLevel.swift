public import MarketModel

/// How reliable a displayed book was, as shown in the truth strip (LT2).
public enum TruthLevel: String, CaseIterable, Hashable, Sendable {
  /// On time, and the rows match the venue's checksum.
  case proven
  /// On time, without a checksum.
  case live
  /// Later than its rhythm permits.
  case late
  /// In doubt and being refetched.
  case resyncing
  /// The venue was disconnected.
  case blind
  /// The market was closed: no updates were expected.
  case closed
  case unwatched

  /// The level of a freshness; nil before any data.
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

  /// Whether the displayed numbers might have been wrong.
  public var isDoubtful: Bool {
    switch self {
    case .late, .resyncing, .blind: true
    case .proven, .live, .closed, .unwatched: false
    }
  }
}

// What states of freshness are called, and how a value in each is drawn. The page has the same
// table in Web/page/assets/vocabulary.js, written from here.

public import MarketModel

extension FreshnessState {
  /// The state for people.
  public var word: String {
    switch self {
    case .waiting: "Waiting"
    case .queued: "Waiting: too many streams open"
    case .live: "Live"
    case .late: "Late"
    case .stale: "Stale"
    case .resyncing: "Resyncing"
    case .disconnected: "Disconnected"
    case .closed: "Market closed"
    }
  }

  /// Whether an arrow and a flash may accompany the value: only while it is in time.
  public var showsMovement: Bool { self == .live || self == .late }

  /// Whether the value is to be dimmed: it may be wrong by now.
  public var isDimmed: Bool {
    switch self {
    case .live, .late, .closed: false
    case .waiting, .queued, .stale, .resyncing, .disconnected: true
    }
  }

  /// Whether the value's age belongs beside the word.
  var showsAge: Bool { isDimmed && self != .waiting && self != .queued || self == .late }
}

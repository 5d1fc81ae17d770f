// Freshness states compared: several values under one label take the label of the worst of them.

public import MarketModel

extension FreshnessState {
  /// Whether an arrow and a flash may accompany the value: only while it is in time.
  public var showsMovement: Bool { self == .live || self == .late }

  /// How little a value in this state can be believed; the higher, the less.
  var doubt: Int {
    switch self {
    case .live: 0
    case .closed: 1
    case .late: 2
    case .stale: 3
    case .resyncing: 4
    case .waiting: 5
    case .disconnected: 6
    }
  }
}

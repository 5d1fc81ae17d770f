// Which freshness states may be shown as movement.

public import MarketModel

extension FreshnessState {
  /// Whether an arrow and a flash may accompany the value: only while it is in time.
  public var showsMovement: Bool { self == .live || self == .late }
}

// The promise of the product as a type: every value on screen says whether it can be believed.

/// What a value is worth now.
public enum FreshnessState: String, Hashable, Sendable {
  /// Nothing has arrived yet; there is no value to show.
  case waiting
  /// In time by the stream's own cadence.
  case live
  /// Later than about three of the stream's usual gaps.
  case late
  /// So late, or so cut off, that the value may be wrong by now. It stays visible, dimmed.
  case stale
  /// A doubtful book waits for a new snapshot. Never shown as live.
  case resyncing
  /// The venue's connection is down.
  case disconnected
  /// The market is closed: silence is right.
  case closed
}

/// Where the values come from.
public enum DataOrigin: String, Hashable, Sendable {
  /// A real venue.
  case venue
  /// A simulated venue.
  case simulated
  /// A recording.
  case replay
}

/// State, origin and age of a value.
public struct Freshness: Hashable, Sendable {
  /// Whether the value can be believed.
  public let state: FreshnessState
  /// Where it comes from.
  public let origin: DataOrigin
  /// When the last message that confirmed the value arrived; nil before the first.
  public let confirmedAt: ClockReading?

  /// Makes a freshness.
  public init(state: FreshnessState, origin: DataOrigin, confirmedAt: ClockReading?) {
    self.state = state
    self.origin = origin
    self.confirmedAt = confirmedAt
  }

  /// Nothing has arrived yet.
  public static func waiting(_ origin: DataOrigin) -> Freshness {
    Freshness(state: .waiting, origin: origin, confirmedAt: nil)
  }

  /// The same value in another state.
  public func changed(to state: FreshnessState) -> Freshness {
    Freshness(state: state, origin: origin, confirmedAt: confirmedAt)
  }
}

/// How current a value is.
public enum FreshnessState: String, CaseIterable, Hashable, Sendable {
  case waiting
  /// Not subscribed yet: the connection has reached its stream limit.
  case queued
  /// On time by the stream's own cadence.
  case live
  /// Later than about three of the stream's usual gaps.
  case late
  /// So late or disconnected that the value may be wrong; still shown, dimmed.
  case stale
  /// The book is in doubt and waits for a new snapshot; never shown as live.
  case resyncing
  case disconnected
  /// The market is closed: no updates are expected.
  case closed
}

extension FreshnessState {
  /// How far from live a state is: 0 is live, higher is worse; labels show the most severe state.
  public var severity: Int {
    switch self {
    case .live: 0
    case .closed: 1
    case .late: 2
    case .stale: 3
    case .resyncing: 4
    case .waiting, .queued: 5
    case .disconnected: 6
    }
  }
}

/// The source of values.
public enum DataOrigin: String, CaseIterable, Hashable, Sendable {
  case venue
  case simulated
  case replay
  /// An address given by the user: a venue, a simulator or anything else.
  case custom
}

/// State, origin and age of a value.
public struct Freshness: Hashable, Sendable {
  /// Whether the value is valid.
  public let state: FreshnessState
  /// The source of the value.
  public let origin: DataOrigin
  /// When the latest message that confirmed the value arrived; nil before the first.
  public let confirmedAt: ClockReading?
  /// Milliseconds of silence of the value's source after which it is late; nil where it has no
  /// meaning.
  ///
  /// The source may be its stream, the venue's quotes or the connection, so this does not count
  /// from ``confirmedAt``. Without contact to the source, count from its latest message.
  public let lateAfterMilliseconds: Int64?

  /// Creates a freshness.
  public init(
    state: FreshnessState, origin: DataOrigin, confirmedAt: ClockReading?,
    lateAfterMilliseconds: Int64? = nil
  ) {
    self.state = state
    self.origin = origin
    self.confirmedAt = confirmedAt
    self.lateAfterMilliseconds = lateAfterMilliseconds
  }

  /// The same freshness, confirmed this much earlier.
  public func aged(byMilliseconds age: Int64) -> Freshness {
    Freshness(
      state: state, origin: origin,
      confirmedAt: confirmedAt?.earlier(byMilliseconds: age),
      lateAfterMilliseconds: lateAfterMilliseconds)
  }

  /// The freshness before anything has arrived.
  public static func waiting(_ origin: DataOrigin) -> Freshness {
    Freshness(state: .waiting, origin: origin, confirmedAt: nil)
  }

  /// The same freshness in another state.
  public func changed(to state: FreshnessState) -> Freshness {
    Freshness(
      state: state, origin: origin, confirmedAt: confirmedAt,
      lateAfterMilliseconds: lateAfterMilliseconds)
  }

  /// Limits late, stale and the silence to those of another stream of the instrument's connection.
  public func noBetter(than other: Freshness) -> Freshness {
    let isTimed = state == .live || state == .late
    let isWorse = other.state == .late || other.state == .stale
    return Freshness(
      state: isTimed && isWorse && other.state.severity > state.severity ? other.state : state,
      origin: origin, confirmedAt: confirmedAt,
      lateAfterMilliseconds: [lateAfterMilliseconds, other.lateAfterMilliseconds]
        .compactMap { $0 }.min())
  }
}

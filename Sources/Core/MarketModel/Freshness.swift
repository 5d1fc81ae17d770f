// The promise of the product as a type: every value on screen says whether it can be believed.

/// What a value is worth now.
public enum FreshnessState: String, CaseIterable, Hashable, Sendable {
  /// Nothing has arrived yet; there is no value to show.
  case waiting
  /// Not subscribed yet: the connection has as many streams open as it may.
  case queued
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

extension FreshnessState {
  /// How far a value in this state is from live, which is 0; the higher, the worse.
  ///
  /// Several values under one label take the most severe state of them.
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

/// Where the values come from.
public enum DataOrigin: String, CaseIterable, Hashable, Sendable {
  /// A real venue.
  case venue
  /// A simulated venue.
  case simulated
  /// A recording.
  case replay
  /// An address that somebody gave: a venue, a simulator or anything else.
  case custom
}

/// State, origin and age of a value.
public struct Freshness: Hashable, Sendable {
  /// Whether the value can be believed.
  public let state: FreshnessState
  /// Where it comes from.
  public let origin: DataOrigin
  /// When the last message that confirmed the value arrived; nil before the first.
  public let confirmedAt: ClockReading?
  /// Milliseconds of silence after which the value is late; nil where silence says nothing.
  ///
  /// It is the silence of whatever the value depends on: its own stream, all quotes of the venue
  /// together, or the connection. So it does not count from ``confirmedAt`` in general, and its
  /// source alone knows when the value is stale. Whoever holds the value and hears of its source no
  /// more counts from the moment of the last word.
  public let lateAfterMilliseconds: Int64?

  /// Makes a freshness.
  public init(
    state: FreshnessState, origin: DataOrigin, confirmedAt: ClockReading?,
    lateAfterMilliseconds: Int64? = nil
  ) {
    self.state = state
    self.origin = origin
    self.confirmedAt = confirmedAt
    self.lateAfterMilliseconds = lateAfterMilliseconds
  }

  /// The same, confirmed so much earlier.
  public func aged(byMilliseconds age: Int64) -> Freshness {
    Freshness(
      state: state, origin: origin,
      confirmedAt: confirmedAt?.earlier(byMilliseconds: age),
      lateAfterMilliseconds: lateAfterMilliseconds)
  }

  /// Nothing has arrived yet.
  public static func waiting(_ origin: DataOrigin) -> Freshness {
    Freshness(state: .waiting, origin: origin, confirmedAt: nil)
  }

  /// The same value in another state.
  public func changed(to state: FreshnessState) -> Freshness {
    Freshness(
      state: state, origin: origin, confirmedAt: confirmedAt,
      lateAfterMilliseconds: lateAfterMilliseconds)
  }

  /// The same value where another stream of its instrument is worth no more than `other`.
  ///
  /// Late and stale hold for all that one connection brings of an instrument, and so does the
  /// shorter silence.
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

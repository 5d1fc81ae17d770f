/// A point on the wall clock: nanoseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Sendable, Comparable {
  /// Nanoseconds since 1970, UTC.
  public let nanoseconds: Int64

  /// Wraps nanoseconds since 1970.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Wraps milliseconds since 1970.
  public init(milliseconds: Int64) { self.init(nanoseconds: milliseconds &* 1_000_000) }

  /// Whole milliseconds since 1970, rounded down.
  public var milliseconds: Int64 {
    let quotient = nanoseconds / 1_000_000
    return nanoseconds % 1_000_000 < 0 ? quotient - 1 : quotient
  }

  /// Earlier sorts first.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

/// A point on a clock that only goes forward: nanoseconds since an arbitrary start.
public struct MonotonicTime: Hashable, Sendable, Comparable {
  /// Nanoseconds since the clock's start.
  public let nanoseconds: Int64

  /// Wraps nanoseconds since the clock's start.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Wraps milliseconds since the clock's start.
  public init(milliseconds: Int64) { self.init(nanoseconds: milliseconds &* 1_000_000) }

  /// Whole milliseconds from `earlier` to here; negative when `earlier` is later.
  public func milliseconds(since earlier: MonotonicTime) -> Int64 {
    (nanoseconds &- earlier.nanoseconds) / 1_000_000
  }

  /// The point this many milliseconds later.
  public func adding(milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds &+ milliseconds &* 1_000_000)
  }

  /// Earlier sorts first.
  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

/// Both clocks read at one moment, by the host; ages use ``monotonic``, because ``wall`` jumps.
public struct ClockReading: Hashable, Sendable {
  /// For ages and deadlines.
  public let monotonic: MonotonicTime
  /// For display and for the age of venue times.
  public let wall: Timestamp

  /// Pairs the two readings.
  public init(monotonic: MonotonicTime, wall: Timestamp) {
    self.monotonic = monotonic
    self.wall = wall
  }

  /// Both clocks some milliseconds before.
  public func earlier(byMilliseconds milliseconds: Int64) -> ClockReading {
    ClockReading(
      monotonic: monotonic.adding(milliseconds: -milliseconds),
      wall: Timestamp(nanoseconds: wall.nanoseconds &- milliseconds &* 1_000_000))
  }

  /// How far a venue's time may be ahead of this machine's clock, in nanoseconds: 5 s.
  public static let toleratedLead: Int64 = 5_000_000_000
  /// 2020: a wall clock before this was never set.
  public static let earliestSetClock = Timestamp(nanoseconds: 1_577_836_800_000_000_000)

  /// Whether a venue's time is more than 5 s ahead; always false while the wall clock is not set.
  public func isImpossible(_ time: Timestamp) -> Bool {
    guard wall >= ClockReading.earliestSetClock else { return false }
    let (latest, overflow) = wall.nanoseconds.addingReportingOverflow(ClockReading.toleratedLead)
    return !overflow && time.nanoseconds > latest
  }

  /// Both clocks at `milliseconds` after a common start at 0, for replays and tests.
  public init(milliseconds: Int64) {
    self.init(
      monotonic: MonotonicTime(milliseconds: milliseconds),
      wall: Timestamp(milliseconds: milliseconds))
  }
}

public import MarketModel

/// One step of a message's way from its venue to the screen, named by where it ends (LT3).
///
/// Measures the message that began a frame, not later ones of the same frame. All times are in
/// nanoseconds.
public enum LatencyRung: String, CaseIterable, Hashable, Sendable {
  /// From the venue's time in the message until its bytes are read; behind a bus, by the reader.
  case socket
  /// Behind a bus: from there until the reader has published it.
  case reader
  /// Behind a bus: from there until this process has read its bytes from the bus.
  case bus
  /// From there until the venue's book, tape or quote includes it.
  case decoded
  /// From there until a screen has it, including the wait for the next frame.
  case state
  /// From there until the frame is written to a page's socket.
  case sent
  /// From there until the page has the frame.
  case received
  /// From there until the animation frame that draws it has run.
  case painted

  /// Whether two clocks measure it, so that it has an uncertainty.
  public var joinsTwoClocks: Bool {
    switch self {
    case .socket, .bus, .received: true
    case .reader, .decoded, .state, .sent, .painted: false
    }
  }
}

/// The time span of a figure.
public enum LatencySpan: String, CaseIterable, Hashable, Sendable {
  /// The last 50 to 60 seconds.
  case lastMinute
  /// Since the process started.
  case sinceStart
}

/// The figures of one rung, with at least one measurement.
public struct LatencyFigures: Equatable, Sendable {
  /// The venue.
  public let venue: Venue
  /// The step.
  public let rung: LatencyRung
  /// The time span.
  public let span: LatencySpan
  /// The number of measurements; more than 0.
  public let count: Int
  /// The median, in nanoseconds; like all percentiles at most 3.2 % too long.
  public let p50: Int64
  /// The 90th percentile, in nanoseconds.
  public let p90: Int64
  /// The 99th percentile, in nanoseconds.
  public let p99: Int64
  /// The longest, in nanoseconds; exact.
  public let max: Int64
  /// The newest, in nanoseconds; exact.
  public let latest: Int64
  /// The error bound of all of these, in nanoseconds; nil if one clock measured both ends.
  ///
  /// Values up to this are shown as "within ±".
  public let within: Int64?
}

/// One venue's latency.
public struct LatencyReport: Equatable, Sendable {
  /// The venue.
  public let venue: Venue
  /// The venue's clock relative to that of its reading machine; nil without a measurement.
  public let clock: ClockEstimate?
  /// Behind a bus: the reader's clock relative to this machine's.
  public let readerClock: ClockEstimate?
  /// By rung, then by span; without unmeasured ones.
  public let figures: [LatencyFigures]

  /// Creates a report.
  public init(
    venue: Venue, clock: ClockEstimate?, readerClock: ClockEstimate? = nil,
    figures: [LatencyFigures]
  ) {
    self.venue = venue
    self.clock = clock
    self.readerClock = readerClock
    self.figures = figures
  }
}

/// When one message was decoded.
public struct MessageStamp: Equatable, Sendable {
  /// The venue.
  public let venue: Venue
  /// When the venue's market included it.
  public let decoded: MonotonicTime

  /// Creates a stamp.
  public init(venue: Venue, decoded: MonotonicTime) {
    self.venue = venue
    self.decoded = decoded
  }
}

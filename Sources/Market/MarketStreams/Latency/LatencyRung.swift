// LT3: how long news takes from its venue to the eye, rung by rung.

public import MarketModel

/// One step on the way; named by where it ends.
///
/// A rung measures the message that made a frame: the oldest one that no frame had shown yet. Those
/// that follow it within the same frame are not measured. All times are nanoseconds.
public enum LatencyRung: String, CaseIterable, Hashable, Sendable {
  /// From the venue's own time in the message until its bytes are read.
  ///
  /// Behind a bus, these are read by the reader.
  case socket
  /// Behind a bus: from there until the reader has published it.
  case reader
  /// Behind a bus: from there until this process has read its bytes from the bus.
  case bus
  /// From there until the venue's book, tape or quote holds it.
  case decoded
  /// From there until a screen has it: the wait for the next frame is part of it.
  case state
  /// From there until the frame is written to a page's socket.
  case sent
  /// From there until the page has the frame.
  case received
  /// From there until the animation frame that draws it has run.
  case painted

  /// Whether it is measured by two clocks, so that it is known only within an uncertainty.
  public var joinsTwoClocks: Bool {
    switch self {
    case .socket, .bus, .received: true
    case .reader, .decoded, .state, .sent, .painted: false
    }
  }
}

/// What a figure is about.
public enum LatencySpan: String, CaseIterable, Hashable, Sendable {
  /// The last 50 to 60 seconds.
  case lastMinute
  /// Since the process started.
  case sinceStart
}

/// The figures of one rung; at least one measurement.
public struct LatencyFigures: Equatable, Sendable {
  /// Whose messages.
  public let venue: Venue
  /// Which step.
  public let rung: LatencyRung
  /// Of which time.
  public let span: LatencySpan
  /// Measurements; more than 0.
  public let count: Int
  /// Half of them took no longer, in nanoseconds; at most 3.2 % too long, like all percentiles.
  public let p50: Int64
  /// 90 % took no longer, in nanoseconds.
  public let p90: Int64
  /// 99 % took no longer, in nanoseconds.
  public let p99: Int64
  /// The longest, in nanoseconds; exact.
  public let max: Int64
  /// The newest, in nanoseconds; exact.
  public let latest: Int64
  /// How far all of these may be off, in nanoseconds; nil where one clock measured both ends.
  ///
  /// What is no more than this is "within ±" it.
  public let within: Int64?
}

/// What is known of one venue's latency.
public struct LatencyReport: Equatable, Sendable {
  /// The venue.
  public let venue: Venue
  /// Its clock against that of the machine that reads it; nil while nothing is known of it.
  public let clock: ClockEstimate?
  /// Behind a bus: the reader's clock against this machine's.
  public let readerClock: ClockEstimate?
  /// By rung, then by span; without those that were not measured.
  public let figures: [LatencyFigures]

  /// Puts a report together.
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

/// When one message was read and decoded.
public struct MessageStamp: Equatable, Sendable {
  /// Whose it is.
  public let venue: Venue
  /// When its venue's market held it.
  public let decoded: MonotonicTime

  /// Notes a message.
  public init(venue: Venue, decoded: MonotonicTime) {
    self.venue = venue
    self.decoded = decoded
  }
}

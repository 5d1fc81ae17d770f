public import MarketModel

/// The reader's times of a relayed message, by its own clock.
///
/// It starts at the wall clock and continues with the monotonic one, so setting the former has no
/// effect.
public struct RelayedMessage: Equatable, Sendable {
  /// The reader's epoch; another one has another clock.
  public let epoch: UInt64
  /// When the reader's socket received its bytes.
  public let read: Timestamp
  /// How long the reader took from there until it published it, in nanoseconds.
  public let held: Int64
  /// The venue's clock minus the reader's, by the reader.
  public let venueClock: ClockEstimate?

  /// Creates a message's times.
  public init(epoch: UInt64, read: Timestamp, held: Int64, venueClock: ClockEstimate?) {
    (self.epoch, self.read, self.held, self.venueClock) = (epoch, read, held, venueClock)
  }
}

/// A reader's response to a clock request.
public struct ReaderTime: Equatable, Sendable {
  /// The reader's epoch.
  public let epoch: UInt64
  /// When the request was sent, by this machine's clock.
  public let sent: MonotonicTime
  /// When the request arrived, by the reader's clock.
  public let got: Timestamp
  /// When the reader responded, by its clock.
  public let answered: Timestamp
  /// When the response arrived, by this machine's clock.
  public let received: MonotonicTime

  /// Creates a reading.
  public init(
    epoch: UInt64, sent: MonotonicTime, got: Timestamp, answered: Timestamp,
    received: MonotonicTime
  ) {
    (self.epoch, self.sent, self.got) = (epoch, sent, got)
    (self.answered, self.received) = (answered, received)
  }
}

/// The clocks for messages of one reader: the venue's by the reader's, the reader's by ours.
struct RelayClocks: Sendable {
  /// Readers report times in whole microseconds.
  static let resolution: Int64 = 1000

  let epoch: UInt64
  private var venue: VenueClock
  private var reader = VenueClock(pings: .timed, resolution: RelayClocks.resolution)
  private var latestRead: MonotonicTime?

  init(epoch: UInt64, pings: VenuePings, resolution: Int64) {
    self.epoch = epoch
    venue = VenueClock(pings: pings, resolution: resolution + RelayClocks.resolution)
  }

  mutating func take(_ time: ReaderTime) {
    reader.take(sent: time.sent, got: time.got, answered: time.answered, received: time.received)
  }

  /// How long a message that has just arrived was on the bus; nil without the reader's clock.
  mutating func travelled(
    _ message: RelayedMessage, until now: MonotonicTime
  ) -> (nanoseconds: Int64, within: Int64)? {
    let published = Timestamp(nanoseconds: message.read.nanoseconds &+ message.held)
    return reader.latency(of: published, arrived: now)
  }

  /// How long a message dated `time` by its venue took to the reader's socket.
  mutating func latency(
    of time: Timestamp, _ message: RelayedMessage
  ) -> (nanoseconds: Int64, within: Int64)? {
    let read = MonotonicTime(nanoseconds: message.read.nanoseconds)
    latestRead = read
    if let estimate = message.venueClock {
      venue.adopt(estimate, resolution: RelayClocks.resolution, at: read)
    }
    return venue.latency(of: time, arrived: read)
  }

  var venueEstimate: ClockEstimate? {
    latestRead.flatMap { read in
      venue.estimate(
        at: ClockReading(monotonic: read, wall: Timestamp(nanoseconds: read.nanoseconds)))
    }
  }

  func readerEstimate(at now: ClockReading) -> ClockEstimate? { reader.estimate(at: now) }
}

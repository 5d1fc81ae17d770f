// What another process, which reads a venue for this one, says of its messages.

public import MarketModel

/// How a message came here that a reader has read and handed on.
///
/// Its times are of the reader's own clock, which is set by its wall clock when it starts and then
/// carried on by its monotonic one: setting the wall clock changes nothing.
public struct RelayedMessage: Equatable, Sendable {
  /// The term of the reader: another one has another clock.
  public let epoch: UInt64
  /// When the reader's socket had its bytes.
  public let read: Timestamp
  /// How long the reader had it from there on, in nanoseconds.
  public let held: Int64
  /// The venue's clock less the reader's, as the reader knows it.
  public let venueClock: ClockEstimate?

  /// Puts it together.
  public init(epoch: UInt64, read: Timestamp, held: Int64, venueClock: ClockEstimate?) {
    (self.epoch, self.read, self.held, self.venueClock) = (epoch, read, held, venueClock)
  }
}

/// A reader's answer to the question what its time is.
public struct ReaderTime: Equatable, Sendable {
  /// Whose clock it is.
  public let epoch: UInt64
  /// When it was asked, by the clock of this machine.
  public let sent: MonotonicTime
  /// When the question came, by the reader's.
  public let got: Timestamp
  /// When it answered, by the reader's.
  public let answered: Timestamp
  /// When the answer came, by the clock of this machine.
  public let received: MonotonicTime

  /// Puts it together.
  public init(
    epoch: UInt64, sent: MonotonicTime, got: Timestamp, answered: Timestamp,
    received: MonotonicTime
  ) {
    (self.epoch, self.sent, self.got) = (epoch, sent, got)
    (self.answered, self.received) = (answered, received)
  }
}

/// The clocks on the way of relayed messages: the venue's by the reader's, the reader's by ours.
///
/// Of one reader; another one's are others.
struct RelayClocks: Sendable {
  /// Readers tell their times in whole microseconds.
  static let resolution: Int64 = 1000

  let epoch: UInt64
  private var venue: VenueClock
  private var reader = VenueClock(pings: .timed, resolution: RelayClocks.resolution)
  private var latestRead: MonotonicTime?

  init(epoch: UInt64, pings: VenuePings, resolution: Int64) {
    self.epoch = epoch
    venue = VenueClock(pings: pings, resolution: resolution + RelayClocks.resolution)
  }

  /// The reader has said what its time is.
  mutating func take(_ time: ReaderTime) {
    reader.take(
      sent: time.sent, got: time.got, answered: time.answered, received: time.received)
  }

  /// How long a message was on the bus that has come now; nil while the reader's clock is not
  /// known.
  mutating func travelled(
    _ message: RelayedMessage, until now: MonotonicTime
  ) -> (nanoseconds: Int64, within: Int64)? {
    let published = Timestamp(nanoseconds: message.read.nanoseconds &+ message.held)
    return reader.latency(of: published, arrived: now)
  }

  /// How long a message that its venue dates `time` took to the reader's socket.
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

  /// The venue's clock less the reader's.
  var venueEstimate: ClockEstimate? {
    latestRead.flatMap { read in
      venue.estimate(
        at: ClockReading(monotonic: read, wall: Timestamp(nanoseconds: read.nanoseconds)))
    }
  }

  /// The reader's clock less this machine's.
  func readerEstimate(at now: ClockReading) -> ClockEstimate? { reader.estimate(at: now) }
}

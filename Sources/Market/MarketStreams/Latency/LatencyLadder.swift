// One venue's rungs.

public import MarketModel

/// What was measured of one venue's messages.
///
/// A value with a histogram a rung and clocks: everything is handed in, nothing is read.
public struct LatencyLadder: Sendable {
  /// Longer than this is no measurement but a mistake, in nanoseconds: an hour.
  public static let maximumNanoseconds: Int64 = 3_600_000_000_000

  private struct Rung {
    var histogram = RollingHistogram()
    var latest: Int64 = 0
    var within: Int64?
  }

  private let venue: Venue
  private var clock: VenueClock
  /// Where a reader has the venue's connection.
  private var relay: RelayClocks?
  private var rungs = Array(repeating: Rung(), count: LatencyRung.allCases.count)
  private var pingNumber: Int64 = LatencyLadder.firstPing
  private var log = PingLog()

  /// The number of the first ping; no session numbers its requests like this.
  private static let firstPing: Int64 = 7_000_000_000

  /// A ladder without measurements.
  ///
  /// - Parameters:
  ///   - venue: whose messages.
  ///   - pings: how it is pinged all the time.
  ///   - resolution: how finely it tells times, in nanoseconds.
  public init(venue: Venue, pings: VenuePings, resolution: Int64) {
    self.venue = venue
    clock = VenueClock(pings: pings, resolution: resolution)
  }

  /// The number of the ping that should be sent now; nil when none should.
  public mutating func ping(at now: MonotonicTime) -> Int64? {
    guard clock.wantsPing(at: now) else { return nil }
    clock.noteAsked(at: now)
    pingNumber += 1
    log.ask(pingNumber, at: now)
    return pingNumber
  }

  /// The answer to a ping that tells when the venue got it and answered.
  ///
  /// - Returns: the round trip, in nanoseconds; nil for an answer that nobody waits for, which is
  ///   ignored.
  @discardableResult
  public mutating func pong(
    _ number: Int64, got: Timestamp, answered: Timestamp, received: MonotonicTime
  ) -> Int64? {
    guard let sent = log.answer(number, at: received) else { return nil }
    clock.take(sent: sent, got: got, answered: answered, received: received)
    return received.nanoseconds - sent.nanoseconds
  }

  /// The answer to a ping that tells nothing else.
  ///
  /// - Returns: the round trip, in nanoseconds; nil for an answer that nobody waits for, which is
  ///   ignored.
  @discardableResult
  public mutating func pong(_ number: Int64, received: MonotonicTime) -> Int64? {
    guard let sent = log.answer(number, at: received) else { return nil }
    return received.nanoseconds - sent.nanoseconds
  }

  /// How long the venue takes to answer pings, in milliseconds, while that is too long for anything
  /// that it says to be live: what comes may have been on its way as long.
  ///
  /// Nil while answers are prompt, and for a venue that has answered none.
  public mutating func delay(at now: MonotonicTime) -> Int64? { log.delay(at: now) }

  /// The connection has ended: nothing is answered any more.
  public mutating func disconnected() { log = PingLog() }

  /// A message that its venue dates `time` has been read.
  public mutating func arrived(_ time: Timestamp, at now: MonotonicTime) {
    guard let latency = clock.latency(of: time, arrived: now) else { return }
    record(.socket, latency.nanoseconds, within: latency.within, at: now)
  }

  /// A reader has said what its time is.
  public mutating func take(_ time: ReaderTime) { withRelay(of: time.epoch) { $0.take(time) } }

  /// A message has come from a reader: its first three rungs.
  ///
  /// - Parameters:
  ///   - message: what the reader says of it.
  ///   - time: the venue's own, where it says one.
  ///   - now: when its bytes were read from the bus.
  public mutating func relayed(
    _ message: RelayedMessage, dated time: Timestamp?, at now: MonotonicTime
  ) {
    let (first, bus) = withRelay(of: message.epoch) { clocks in
      (
        time.flatMap { clocks.latency(of: $0, message) },
        clocks.travelled(message, until: now)
      )
    }
    if let first { record(.socket, first.nanoseconds, within: first.within, at: now) }
    record(.reader, message.held, at: now)
    if let bus { record(.bus, bus.nanoseconds, within: bus.within, at: now) }
  }

  /// Another reader has other clocks.
  private mutating func withRelay<T>(of epoch: UInt64, _ body: (inout RelayClocks) -> T) -> T {
    var clocks =
      relay.flatMap { $0.epoch == epoch ? $0 : nil }
      ?? RelayClocks(epoch: epoch, pings: clock.pings, resolution: clock.resolution)
    defer { relay = clocks }
    return body(&clocks)
  }

  /// The venue's clock against that of the machine that reads it; nil while nothing is known.
  public func clock(at now: ClockReading) -> ClockEstimate? {
    relay.map(\.venueEstimate) ?? clock.estimate(at: now)
  }

  /// Notes how long one step took; what is negative beyond `within`, or longer than an hour, is
  /// ignored.
  public mutating func record(
    _ rung: LatencyRung, _ nanoseconds: Int64, within: Int64? = nil, at now: MonotonicTime
  ) {
    guard nanoseconds >= -(within ?? 0), nanoseconds <= LatencyLadder.maximumNanoseconds,
      let place = LatencyRung.allCases.firstIndex(of: rung)
    else { return }
    rungs[place].histogram.record(nanoseconds, at: now.nanoseconds)
    rungs[place].latest = max(0, nanoseconds)
    rungs[place].within = within
  }

  /// What is known now.
  ///
  /// O(buckets): for each second, not for each message.
  public func report(at now: ClockReading) -> LatencyReport {
    let figures = zip(LatencyRung.allCases, rungs).flatMap { name, rung in
      LatencySpan.allCases.compactMap { span in
        self.figures(name, rung, span, at: now.monotonic)
      }
    }
    return LatencyReport(
      venue: venue, clock: clock(at: now), readerClock: relay?.readerEstimate(at: now),
      figures: figures)
  }

  private func figures(
    _ name: LatencyRung, _ rung: Rung, _ span: LatencySpan, at now: MonotonicTime
  ) -> LatencyFigures? {
    let histogram =
      span == .sinceStart
      ? rung.histogram.total : rung.histogram.lastMinute(at: now.nanoseconds)
    guard histogram.count > 0 else { return nil }
    return LatencyFigures(
      venue: venue, rung: name, span: span, count: histogram.count,
      p50: histogram.percentile(perMille: 500), p90: histogram.percentile(perMille: 900),
      p99: histogram.percentile(perMille: 990), max: histogram.max, latest: rung.latest,
      within: rung.within)
  }
}

/// One connection's pings, oldest first.
struct PingLog: Sendable {
  /// An answer that takes this long makes all that its venue says late, in milliseconds.
  static let slowMilliseconds: Int64 = 2000
  /// One that takes less than this ends that, in milliseconds.
  static let promptMilliseconds: Int64 = 1500
  /// Who has not answered for this long does not answer pings: it is not judged by them any more,
  /// in milliseconds.
  static let deafMilliseconds: Int64 = 60_000
  /// Answers waited for at most: one a second for as long as one is waited for, and some.
  static let maximumWaiting = 64

  private struct Ping {
    let number: Int64
    let sent: MonotonicTime
  }

  private var waiting: [Ping] = []
  /// How long the latest answer took, in milliseconds; nil before the first.
  private var latest: Int64?
  private var isSlow = false

  /// A ping is sent.
  mutating func ask(_ number: Int64, at now: MonotonicTime) {
    if waiting.count == PingLog.maximumWaiting { waiting.removeFirst() }
    waiting.append(Ping(number: number, sent: now))
  }

  /// An answer has come; answers come in order, so that earlier pings are waited for no more.
  ///
  /// - Returns: when its ping was sent; nil when it answers none that is waited for.
  mutating func answer(_ number: Int64, at now: MonotonicTime) -> MonotonicTime? {
    guard let place = waiting.firstIndex(where: { $0.number == number }) else { return nil }
    let sent = waiting[place].sent
    waiting.removeFirst(place + 1)
    latest = now.milliseconds(since: sent)
    return sent
  }

  /// How long answers take, in milliseconds, while that is too long; nil otherwise, and while the
  /// venue has answered none.
  mutating func delay(at now: MonotonicTime) -> Int64? {
    while let first = waiting.first,
      now.milliseconds(since: first.sent) > PingLog.deafMilliseconds
    {
      waiting.removeFirst()
      latest = nil
    }
    let pending = waiting.first.map { now.milliseconds(since: $0.sent) } ?? 0
    let time = latest.map { max($0, pending) } ?? 0
    isSlow = time >= (isSlow ? PingLog.promptMilliseconds : PingLog.slowMilliseconds)
    return isSlow ? time : nil
  }
}

/// What a venue's answers to pings tell.
public enum VenuePings: Sendable {
  /// It is not pinged: its protocol has no ping.
  case none
  /// How long an answer takes: WebSocket ping frames, which RFC 6455 makes it answer.
  case frames
  /// That, and the venue's time: messages of its own.
  case timed

  /// Between two pings, in nanoseconds: what is delayed is told within a second.
  static let pauseNanoseconds: Int64 = 1_000_000_000
}

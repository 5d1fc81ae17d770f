public import MarketModel

/// The latency of one venue's messages: a histogram per rung, and clocks; all times are passed in.
public struct LatencyLadder: Sendable {
  /// Longer measurements are errors, in nanoseconds: an hour.
  public static let maximumNanoseconds: Int64 = 3_600_000_000_000

  private struct Rung {
    var histogram = RollingHistogram()
    var latest: Int64 = 0
    var within: Int64?
  }

  private let venue: Venue
  private var clock: VenueClock
  /// The clocks, if a reader has the venue's connection.
  private var relay: RelayClocks?
  private var rungs = Array(repeating: Rung(), count: LatencyRung.allCases.count)
  private var pingNumber: Int64 = LatencyLadder.firstPing
  private var log = PingLog()

  /// The number of the first ping; no session numbers its requests in this range.
  private static let firstPing: Int64 = 7_000_000_000

  /// Creates a ladder without measurements; `resolution` is of the venue's times, in nanoseconds.
  public init(venue: Venue, pings: VenuePings, resolution: Int64) {
    self.venue = venue
    clock = VenueClock(pings: pings, resolution: resolution)
  }

  /// The number of the ping to send now; nil if none is due.
  public mutating func ping(at now: MonotonicTime) -> Int64? {
    guard clock.wantsPing(at: now) else { return nil }
    clock.noteAsked(at: now)
    pingNumber += 1
    log.ask(pingNumber, at: now)
    return pingNumber
  }

  /// Applies a ping response with the venue's times of receipt and response.
  ///
  /// Returns the round trip, in nanoseconds; nil, without effect, for an unmatched response.
  @discardableResult
  public mutating func pong(
    _ number: Int64, got: Timestamp, answered: Timestamp, received: MonotonicTime
  ) -> Int64? {
    guard let sent = log.answer(number, at: received) else { return nil }
    clock.take(sent: sent, got: got, answered: answered, received: received)
    return received.nanoseconds - sent.nanoseconds
  }

  /// Applies a ping response without venue times.
  ///
  /// Returns the round trip, in nanoseconds; nil, without effect, for an unmatched response.
  @discardableResult
  public mutating func pong(_ number: Int64, received: MonotonicTime) -> Int64? {
    guard let sent = log.answer(number, at: received) else { return nil }
    return received.nanoseconds - sent.nanoseconds
  }

  /// The ping response time in milliseconds while too long for live data, which may be as old; else
  /// nil.
  ///
  /// Nil also if the venue has never responded.
  public mutating func delay(at now: MonotonicTime) -> Int64? { log.delay(at: now) }

  /// Drops pending pings after the end of the connection.
  public mutating func disconnected() { log = PingLog() }

  /// Records the arrival of a message dated `time` by its venue.
  public mutating func arrived(_ time: Timestamp, at now: MonotonicTime) {
    guard let latency = clock.latency(of: time, arrived: now) else { return }
    record(.socket, latency.nanoseconds, within: latency.within, at: now)
  }

  /// Applies a reader's clock reading.
  public mutating func take(_ time: ReaderTime) { withRelay(of: time.epoch) { $0.take(time) } }

  /// Records a message from a reader: its first three rungs.
  ///
  /// `time` is the venue's, if it sends one; `now` is when its bytes were read from the bus.
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

  private mutating func withRelay<T>(of epoch: UInt64, _ body: (inout RelayClocks) -> T) -> T {
    var clocks =
      relay.flatMap { $0.epoch == epoch ? $0 : nil }
      ?? RelayClocks(epoch: epoch, pings: clock.pings, resolution: clock.resolution)
    defer { relay = clocks }
    return body(&clocks)
  }

  /// The venue's clock relative to that of its reading machine; nil without a measurement.
  public func clock(at now: ClockReading) -> ClockEstimate? {
    relay.map(\.venueEstimate) ?? clock.estimate(at: now)
  }

  /// Records the duration of a step, unless negative beyond `within` or longer than an hour.
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

  /// The current figures; O(buckets), for each second, not each message.
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

struct PingLog: Sendable {
  /// The response time from which the venue's data counts as late, in milliseconds.
  static let slowMilliseconds: Int64 = 2000
  /// The response time below which that ends, in milliseconds.
  static let promptMilliseconds: Int64 = 1500
  /// After this long without a response, a venue counts as not supporting pings, in milliseconds.
  static let deafMilliseconds: Int64 = 60_000
  /// The most pending pings: one a second for that long, and some.
  static let maximumWaiting = 64

  private struct Ping {
    let number: Int64
    let sent: MonotonicTime
  }

  private var waiting: [Ping] = []
  /// The latest response time, in milliseconds; nil before the first.
  private var latest: Int64?
  private var isSlow = false

  mutating func ask(_ number: Int64, at now: MonotonicTime) {
    if waiting.count == PingLog.maximumWaiting { waiting.removeFirst() }
    waiting.append(Ping(number: number, sent: now))
  }

  /// Returns when its ping was sent; responses are in order, so earlier pings are dropped.
  mutating func answer(_ number: Int64, at now: MonotonicTime) -> MonotonicTime? {
    guard let place = waiting.firstIndex(where: { $0.number == number }) else { return nil }
    let sent = waiting[place].sent
    waiting.removeFirst(place + 1)
    latest = now.milliseconds(since: sent)
    return sent
  }

  /// The response time in milliseconds while too long; else nil.
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

/// How a venue responds to pings.
public enum VenuePings: Sendable {
  /// Its protocol has no ping.
  case none
  /// With WebSocket pong frames, required by RFC 6455: the round trip.
  case frames
  /// With its own messages: the round trip and the venue's time.
  case timed

  /// The ping interval, in nanoseconds; short enough to report a delay within a second.
  static let pauseNanoseconds: Int64 = 1_000_000_000
}

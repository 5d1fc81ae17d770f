import MarketModel

/// The offset between a venue's clock and this machine's.
public struct ClockEstimate: Equatable, Sendable {
  /// The basis of an estimate.
  public enum Method: String, CaseIterable, Hashable, Sendable {
    /// Ping responses with the venue's times of receipt and response.
    case pings
    /// The fastest message of one to two minutes, as if it took no time: latencies are lower
    /// bounds.
    case fastest
  }

  /// The drift of the two clocks.
  public struct Drift: Equatable, Sendable {
    /// How much faster the venue's clock runs, in parts per billion.
    public let perBillion: Int64
    /// The error bound.
    public let within: Int64

    /// Creates a drift.
    public init(perBillion: Int64, within: Int64) {
      (self.perBillion, self.within) = (perBillion, within)
    }
  }

  /// The venue's clock minus this machine's wall clock, in nanoseconds.
  public let offset: Int64
  /// The error bound, in nanoseconds.
  public let within: Int64
  /// The basis of the estimate.
  public let method: Method
  /// The number of detected steps of the venue's clock.
  public let steps: Int
  /// Nil until a minute after the first estimate or a step.
  public let drift: Drift?

  /// Creates an estimate; times are in nanoseconds.
  public init(offset: Int64, within: Int64, method: Method, steps: Int, drift: Drift?) {
    (self.offset, self.within, self.method) = (offset, within, method)
    (self.steps, self.drift) = (steps, drift)
  }
}

/// Estimates a venue's clock against the monotonic clock; ignores impossible times.
///
/// Of two ping responses the one with the smaller uncertainty counts, which grows with age, since
/// clocks drift by up to ``driftPerMillion``. A contradicting response means that a clock was set,
/// and replaces the estimate.
struct VenueClock: Sendable {
  /// The largest drift of two clocks, in parts per million.
  static let driftPerMillion: Int64 = 100
  /// The longest useful response time, in nanoseconds.
  static let maximumRoundTrip: Int64 = 60_000_000_000
  /// The fastest message is remembered for one to two times this long.
  static let fastestNanoseconds: Int64 = 60_000_000_000

  private struct Sample: Equatable {
    let offset: Int64
    let radius: Int64
    let at: Int64

    func radius(at time: Int64) -> Int64 {
      radius + max(0, time - at) / 1_000_000 * VenueClock.driftPerMillion
    }
  }

  let pings: VenuePings
  /// The resolution of the venue's times, in nanoseconds.
  let resolution: Int64
  private var best: Sample?
  private var first: Sample?
  private var steps = 0
  private var adoptedDrift: ClockEstimate.Drift?
  private var askedAt: Int64?
  /// The least difference between arrival and the venue's time, now and in the minute before.
  private var fastest: (now: Sample?, before: Sample?) = (nil, nil)
  private var halfStarted: Int64 = 0

  init(pings: VenuePings, resolution: Int64) {
    self.pings = pings
    self.resolution = max(0, resolution)
  }

  var usesPings: Bool { pings == .timed }

  func wantsPing(at now: MonotonicTime) -> Bool {
    guard pings != .none else { return false }
    return askedAt.map { now.nanoseconds - $0 >= VenuePings.pauseNanoseconds } ?? true
  }

  mutating func noteAsked(at now: MonotonicTime) { askedAt = now.nanoseconds }

  mutating func take(
    sent: MonotonicTime, got: Timestamp, answered: Timestamp, received: MonotonicTime
  ) {
    let trip = received.nanoseconds &- sent.nanoseconds
    let (inside, tooLong) = answered.nanoseconds.subtractingReportingOverflow(got.nanoseconds)
    guard !tooLong, inside >= 0, trip >= inside, trip <= VenueClock.maximumRoundTrip,
      let out = VenueClock.difference(got, sent),
      let back = VenueClock.difference(answered, received)
    else { return }
    let new = Sample(
      offset: out / 2 + back / 2, radius: (trip - inside) / 2 + resolution + 1,
      at: received.nanoseconds)
    guard let best else { return begin(new) }
    let radius = best.radius(at: new.at)
    if (new.offset - best.offset).magnitude > UInt64(radius + new.radius) {
      steps += 1
      begin(new)
    } else if new.radius <= radius {
      self.best = new
    }
  }

  mutating func adopt(_ estimate: ClockEstimate, resolution: Int64, at now: MonotonicTime) {
    best = Sample(
      offset: estimate.offset, radius: estimate.within + resolution, at: now.nanoseconds)
    (steps, adoptedDrift) = (estimate.steps, estimate.drift)
  }

  private mutating func begin(_ sample: Sample) { (best, first) = (sample, sample) }

  /// Nanoseconds from the venue's `time`, with its error bound; nil without an estimate.
  mutating func latency(
    of time: Timestamp, arrived: MonotonicTime
  ) -> (nanoseconds: Int64, within: Int64)? {
    guard let ahead = VenueClock.difference(time, arrived) else { return nil }
    if !usesPings { noteFastest(ahead, at: arrived.nanoseconds) }
    guard let sample = usesPings ? best : present else { return nil }
    let within = sample.radius(at: arrived.nanoseconds)
    let latency = sample.offset - ahead
    // A message from the future: the clock was set, as the next response will show.
    return latency >= -within ? (max(0, latency), within) : nil
  }

  private mutating func noteFastest(_ ahead: Int64, at time: Int64) {
    if time - halfStarted >= VenueClock.fastestNanoseconds {
      let isOld = time - halfStarted >= 2 * VenueClock.fastestNanoseconds
      fastest = (nil, isOld ? nil : fastest.now)
      halfStarted = time
    }
    if fastest.now.map({ ahead > $0.offset }) ?? true {
      fastest.now = Sample(offset: ahead, radius: resolution, at: time)
    }
  }

  private var present: Sample? {
    [fastest.now, fastest.before].compactMap { $0 }.max { $0.offset < $1.offset }
  }

  func estimate(at now: ClockReading) -> ClockEstimate? {
    guard let sample = usesPings ? best : present else { return nil }
    let walls = now.wall.nanoseconds &- now.monotonic.nanoseconds
    return ClockEstimate(
      offset: sample.offset &- walls, within: sample.radius(at: now.monotonic.nanoseconds),
      method: usesPings ? .pings : .fastest, steps: steps, drift: drift)
  }

  private var drift: ClockEstimate.Drift? {
    if let adoptedDrift { return adoptedDrift }
    guard usesPings, let first, let best, best.at - first.at >= 60_000_000_000 else { return nil }
    let milliseconds = (best.at - first.at) / 1_000_000
    func rate(_ nanoseconds: Int64) -> Int64? {
      let (scaled, isTooLarge) = nanoseconds.multipliedReportingOverflow(by: 1000)
      return isTooLarge ? nil : scaled / milliseconds
    }
    guard let perBillion = rate(best.offset - first.offset),
      let within = rate(best.radius + first.radius)
    else { return nil }
    return ClockEstimate.Drift(perBillion: perBillion, within: within)
  }

  /// The venue's time minus the monotonic one; nil for impossible times.
  private static func difference(_ time: Timestamp, _ local: MonotonicTime) -> Int64? {
    let bounds: Range<Int64> = 0..<4_102_444_800_000_000_000
    guard bounds.contains(time.nanoseconds) else { return nil }
    return time.nanoseconds &- local.nanoseconds
  }
}

// A venue's clock against the monotonic one of this machine, and how far that may be wrong.

import MarketModel

/// How far a venue's clock is ahead of this machine's.
public struct ClockEstimate: Equatable, Sendable {
  /// What it follows from.
  public enum Method: String, CaseIterable, Hashable, Sendable {
    /// Answers to pings that tell when the venue got and answered them.
    case pings
    /// The fastest message of the last one to two minutes, taken to have needed no time: the venue
    /// may be ahead by more, and what a message needed is at least what is shown.
    case fastest
  }

  /// How fast the two clocks part.
  public struct Drift: Equatable, Sendable {
    /// In parts per thousand million: how much faster the venue's clock runs.
    public let perBillion: Int64
    /// How far that may be off.
    public let within: Int64

    /// Puts a drift together.
    public init(perBillion: Int64, within: Int64) {
      (self.perBillion, self.within) = (perBillion, within)
    }
  }

  /// The venue's clock less this machine's wall clock, in nanoseconds.
  public let offset: Int64
  /// How far that may be off, in nanoseconds.
  public let within: Int64
  /// What it follows from.
  public let method: Method
  /// How often the venue's clock was found set anew.
  public let steps: Int
  /// Nil before a minute has passed since the first estimate or since a step.
  public let drift: Drift?

  /// Puts an estimate together.
  ///
  /// - Parameters:
  ///   - offset: the venue's clock less the other one, in nanoseconds.
  ///   - within: how far that may be off, in nanoseconds.
  ///   - method: what it follows from.
  ///   - steps: how often the venue's clock was found set anew.
  ///   - drift: how fast the two part.
  public init(offset: Int64, within: Int64, method: Method, steps: Int, drift: Drift?) {
    (self.offset, self.within, self.method) = (offset, within, method)
    (self.steps, self.drift) = (steps, drift)
  }
}

/// Estimates a venue's clock; times that cannot be are ignored.
///
/// Of two answers to pings the one with the smaller uncertainty counts. It grows with age, since
/// clocks part by up to ``driftPerMillion``; an answer that contradicts it means that a clock was
/// set, and takes its place.
struct VenueClock: Sendable {
  /// How fast two clocks may part, in parts per million.
  static let driftPerMillion: Int64 = 100
  /// The longest that an answer may take to be of use.
  static let maximumRoundTrip: Int64 = 60_000_000_000
  /// How long the fastest message is remembered at least, and half of how long at most.
  static let fastestNanoseconds: Int64 = 60_000_000_000

  /// A difference between the venue's clock and the monotonic one.
  private struct Sample: Equatable {
    let offset: Int64
    let radius: Int64
    let at: Int64

    func radius(at time: Int64) -> Int64 {
      radius + max(0, time - at) / 1_000_000 * VenueClock.driftPerMillion
    }
  }

  let pings: VenuePings
  /// How finely the venue tells its times, in nanoseconds.
  let resolution: Int64
  private var best: Sample?
  private var first: Sample?
  private var steps = 0
  /// What another process has found of it.
  private var adoptedDrift: ClockEstimate.Drift?
  private var askedAt: Int64?
  /// The least difference between arrival and the venue's time, now and in the minute before.
  private var fastest: (now: Sample?, before: Sample?) = (nil, nil)
  private var halfStarted: Int64 = 0

  init(pings: VenuePings, resolution: Int64) {
    self.pings = pings
    self.resolution = max(0, resolution)
  }

  /// Whether answers to pings tell the venue's time.
  var usesPings: Bool { pings == .timed }

  /// Whether the venue should be pinged now; never for one that is not pinged.
  func wantsPing(at now: MonotonicTime) -> Bool {
    guard pings != .none else { return false }
    return askedAt.map { now.nanoseconds - $0 >= VenuePings.pauseNanoseconds } ?? true
  }

  /// The venue is asked.
  mutating func noteAsked(at now: MonotonicTime) { askedAt = now.nanoseconds }

  /// The venue's answer: when it got the question and when it answered.
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

  /// Takes over what another process knows of the venue's clock against the one that is used here.
  mutating func adopt(_ estimate: ClockEstimate, resolution: Int64, at now: MonotonicTime) {
    best = Sample(
      offset: estimate.offset, radius: estimate.within + resolution, at: now.nanoseconds)
    (steps, adoptedDrift) = (estimate.steps, estimate.drift)
  }

  private mutating func begin(_ sample: Sample) { (best, first) = (sample, sample) }

  /// How long a message took that the venue dates `time`, and how far that may be off; nil when
  /// nothing can be said.
  mutating func latency(
    of time: Timestamp, arrived: MonotonicTime
  ) -> (nanoseconds: Int64, within: Int64)? {
    guard let ahead = VenueClock.difference(time, arrived) else { return nil }
    if !usesPings { noteFastest(ahead, at: arrived.nanoseconds) }
    guard let sample = usesPings ? best : present else { return nil }
    let within = sample.radius(at: arrived.nanoseconds)
    let latency = sample.offset - ahead
    // A message from the future: the clock was set, which the next answer tells.
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

  /// What is known now.
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

  /// The venue's time less the monotonic one; nil for times that no clock shows.
  private static func difference(_ time: Timestamp, _ local: MonotonicTime) -> Int64? {
    let bounds: Range<Int64> = 0..<4_102_444_800_000_000_000
    guard bounds.contains(time.nanoseconds) else { return nil }
    return time.nanoseconds &- local.nanoseconds
  }
}

import MarketModel
import SocketTransport
import VenueCatalogue
import VenueProtocols

/// The pure state machine of one venue's connection; the hub performs its effects.
struct ConnectionStateMachine: Sendable {
  struct Settings: Sendable {
    var heartbeat: HeartbeatPolicy
    var budget = ConnectionBudget.ordinary
    var backoff: Backoff<SplitMix64>
    /// The limit for the venue's welcome message, in milliseconds.
    var readyDeadlineMilliseconds: Int64 = 10_000
    /// How long a connection must be live before its loss resets the back-off, in milliseconds.
    var healthyAfterMilliseconds: Int64 = 30_000
    /// The least time between two attempts, for any reason, in milliseconds.
    var attemptSpacingMilliseconds: Int64 = 250
    /// The least wait after a rejection of this location, in milliseconds; the user may retry
    /// sooner.
    var locationPauseMilliseconds: Int64 = 300_000
    var displayName: String
    var sendsToken = true
  }

  enum Event: Sendable, Equatable {
    case start
    case stop
    /// The user skips the wait.
    case retryNow
    /// The app is in front again, or the device's network is another.
    case resume
    /// The token or the session was replaced.
    case configurationChanged
    case connected
    /// The transport can carry messages.
    case opened
    case received
    /// The venue's welcome message arrived.
    case ready(wantsData: Bool)
    /// A heartbeat response; `isOfLatest` is false if it may belong to an earlier one.
    case pong(roundTripMicroseconds: Int64?, isOfLatest: Bool = true)
    /// The transport ended, or the session requests its end.
    case failed(ConnectionProblem)
    /// The session reports that retrying won't help.
    case refused(ConnectionProblem)
    /// The time of ``Effect/wake(at:)``, or any other time.
    case timer
    /// After sleep of the machine or a pause of the process: data read next may be old.
    case woken
  }

  /// What the host must do, in order.
  enum Effect: Sendable, Equatable {
    case connect
    case disconnect(code: UInt16, reason: String)
    case openSession
    case closeSession
    case probe(HeartbeatPolicy.Probe)
    /// Send ``Event/timer`` at this time only; never if nil.
    case wake(at: MonotonicTime?)
    case report
  }

  var settings: Settings
  var status: ConnectionStatus
  var backoff: Backoff<SplitMix64>
  var attempts: AttemptLog
  var pace = HurryPace()
  /// Whether the user requested the pending attempt.
  private var waitIsHurried = false
  private var lastReceived: MonotonicTime
  var probeSent: MonotonicTime?
  /// Ignores messages as signs of life until the latest heartbeat's response.
  private var awaitsAnswer = false
  private var liveSince: MonotonicTime?
  /// No attempt before this, by a venue's Retry-After.
  var notBefore: MonotonicTime?
  /// When the machine makes the next attempt itself; nil until there is a reason for one.
  private var ownAttempt: MonotonicTime?
  private var hasConnected = false

  init(_ settings: Settings, venue: Venue, origin: DataOrigin, at now: ClockReading) {
    self.settings = settings
    status = ConnectionStatus(venue: venue, origin: origin, since: now)
    backoff = settings.backoff
    attempts = AttemptLog(settings.budget)
    lastReceived = now.monotonic
  }

  /// Whether the session was notified of an open transport.
  var isSessionOpen: Bool {
    switch status.phase {
    case .awaitingReady, .subscribing, .live, .stale: true
    default: false
    }
  }

  var hasTransport: Bool {
    isSessionOpen || status.phase == .connecting || status.phase == .handshaking
  }

  /// Handles an event; irrelevant ones change nothing.
  mutating func handle(_ event: Event, at now: ClockReading) -> [Effect] {
    switch event {
    case .start: return hasTransport || status.phase == .backingOff ? [] : attemptSoon(now)
    case .stop: return stop(now)
    case .retryNow: return retryNow(now)
    case .resume: return resume(now)
    case .configurationChanged: return configurationChanged(now)
    case .connected:
      return status.phase == .connecting ? enter(.handshaking, now) : []
    case .opened: return opened(now)
    case .received: return received(now)
    case .ready(let wantsData):
      guard status.phase == .awaitingReady else { return [] }
      return enter(wantsData ? .subscribing : .live, now) + [.wake(at: heartbeatDeadline)]
    case .pong(let roundTrip, let isOfLatest):
      if let roundTrip { status.roundTripMicroseconds = roundTrip }
      if isOfLatest { awaitsAnswer = false }
      return received(now)
    case .failed(let problem):
      if problem.isRefusal, !problem.rejectsLocation(sendsToken: settings.sendsToken) {
        return refuse(problem, now)
      }
      return hasTransport ? backOff(problem, now) : []
    case .refused(let problem): return refuse(problem, now)
    case .timer: return timer(now)
    case .woken: return woken(now)
    }
  }

  /// Changes the phase; healthy time counts from live on.
  mutating func enter(_ phase: ConnectionPhase, _ now: ClockReading) -> [Effect] {
    status.phase = phase
    status.since = now
    status.nextAttempt = nil
    switch phase {
    case .live:
      if liveSince == nil { liveSince = now.monotonic }
      status.reason = nil
    case .stale: break
    default: liveSince = nil
    }
    return [.report]
  }

  mutating func connect(_ now: ClockReading, isHurried: Bool) -> [Effect] {
    attempts.record(now.monotonic)
    if isHurried { pace.use(at: now.monotonic) }
    if hasConnected { status.reconnects += 1 }
    hasConnected = true
    notBefore = nil
    ownAttempt = nil
    return enter(.connecting, now) + [.connect, .wake(at: nil)]
  }

  private func tearDown(code: UInt16 = 1000, reason: String = "") -> [Effect] {
    var effects: [Effect] = []
    if hasTransport { effects.append(.disconnect(code: code, reason: reason)) }
    if isSessionOpen { effects.append(.closeSession) }
    return effects
  }
}

extension ConnectionStateMachine {
  mutating func adopt(_ session: any VenueSession) {
    settings.heartbeat = session.heartbeat
    status.origin = session.origin
  }
}

// MARK: - Between connections

extension ConnectionStateMachine {
  /// Plans an attempt for the user or the program.
  ///
  /// It is made as early as a hurried one is allowed, and no later than the machine's own attempt,
  /// as which it then counts.
  private mutating func attemptSoon(_ now: ClockReading) -> [Effect] {
    // A first start is not urgent.
    guard attempts.last != nil else { return connect(now, isHurried: false) }
    let own = ownAttempt ?? planOwnAttempt(now)
    let hurried = earliestHurried(now)
    let isHurried = hurried < own
    let earliest = isHurried ? hurried : own
    if status.phase == .backingOff, let planned = status.nextAttempt?.monotonic,
      planned <= earliest
    {
      return []
    }
    return earliest <= now.monotonic
      ? connect(now, isHurried: isHurried) : wait(until: earliest, now, isHurried: isHurried)
  }

  /// The earliest hurried attempt: the venue's, by ``HurryPace``.
  private func earliestHurried(_ now: ClockReading) -> MonotonicTime {
    max(earliestAllowed(now), pace.earliest(after: now.monotonic))
  }

  /// The earliest attempt by spacing, Retry-After and the venue's budget.
  private func earliestAllowed(_ now: ClockReading) -> MonotonicTime {
    var earliest = attempts.sparingly(after: now.monotonic)
    if let last = attempts.last {
      earliest = max(earliest, last.adding(milliseconds: settings.attemptSpacingMilliseconds))
    }
    return max(earliest, notBefore ?? earliest)
  }

  /// The time of the machine's next attempt, fixed until it is made, so it can't be postponed.
  private mutating func planOwnAttempt(_ now: ClockReading) -> MonotonicTime {
    var earliest = now.monotonic.adding(milliseconds: backoff.next())
    earliest = max(earliest, attempts.sparingly(after: now.monotonic))
    earliest = max(earliest, notBefore ?? earliest)
    ownAttempt = earliest
    return earliest
  }

  mutating func retryNow(_ now: ClockReading) -> [Effect] {
    switch status.phase {
    case .backingOff, .refused: return attemptSoon(now)
    case .stale:
      // A connection that may recover is only closed for an immediate attempt.
      guard earliestHurried(now) <= now.monotonic else { return [] }
      return tearDown() + attemptSoon(now)
    default: return []
    }
  }

  /// Connects as early as the venue allows, without counting as hurried.
  ///
  /// A connection may belong to the former network, so it is replaced if that is possible at once.
  mutating func resume(_ now: ClockReading) -> [Effect] {
    let earliest = earliestAllowed(now)
    switch status.phase {
    case .refused: return []
    case .backingOff where status.nextAttempt.map { $0.monotonic <= earliest } ?? false: return []
    default:
      guard earliest > now.monotonic else { return tearDown() + connect(now, isHurried: false) }
      return hasTransport ? [] : wait(until: earliest, now, isHurried: false)
    }
  }

  mutating func configurationChanged(_ now: ClockReading) -> [Effect] {
    switch status.phase {
    case .idle, .stopped: return []
    default:
      backoff.reset()
      return tearDown() + attemptSoon(now)
    }
  }

  mutating func stop(_ now: ClockReading) -> [Effect] {
    guard status.phase != .stopped else { return [] }
    let effects = tearDown()
    forgetFailuresIfHealthy(now)
    status.reason = nil
    status.rejectsLocation = false
    return effects + enter(.stopped, now) + [.wake(at: nil)]
  }

  mutating func refuse(_ problem: ConnectionProblem, _ now: ClockReading) -> [Effect] {
    guard hasTransport else { return [] }
    let effects = tearDown()
    status.reason = words(problem)
    status.rejectsLocation = false
    return effects + enter(.refused, now) + [.wake(at: nil)]
  }

  /// Waits after a failed or lost connection, longer each time unless it was healthy.
  private mutating func backOff(_ problem: ConnectionProblem, _ now: ClockReading) -> [Effect] {
    let effects = tearDown()
    if let pause = problem.retryAfterMilliseconds {
      // A venue's request for fewer connections does not count as healthy.
      notBefore = now.monotonic.adding(milliseconds: pause)
    } else {
      forgetFailuresIfHealthy(now)
    }
    status.reason = words(problem)
    status.rejectsLocation = problem.rejectsLocation(sendsToken: settings.sendsToken)
    var attempt = planOwnAttempt(now)
    if status.rejectsLocation, !problem.isOfReader {
      let pause = settings.locationPauseMilliseconds
      attempt = max(attempt, now.monotonic.adding(milliseconds: pause))
      ownAttempt = attempt
    }
    return effects + wait(until: attempt, now, isHurried: false)
  }

  /// Resets the back-off if the connection was live for long enough.
  private mutating func forgetFailuresIfHealthy(_ now: ClockReading) {
    guard let liveSince,
      now.monotonic.milliseconds(since: liveSince) >= settings.healthyAfterMilliseconds
    else { return }
    backoff.reset()
  }

  private func words(_ problem: ConnectionProblem) -> Sentence {
    problem.userMessage(venue: settings.displayName, sendsToken: settings.sendsToken)
  }

  private mutating func wait(
    until time: MonotonicTime, _ now: ClockReading, isHurried: Bool
  ) -> [Effect] {
    waitIsHurried = isHurried
    let effects = enter(.backingOff, now)
    let delay = time.nanoseconds - now.monotonic.nanoseconds
    status.nextAttempt = ClockReading(
      monotonic: time, wall: Timestamp(nanoseconds: now.wall.nanoseconds &+ delay))
    return effects + [.wake(at: time)]
  }
}

// MARK: - While connected

extension ConnectionStateMachine {
  mutating func opened(_ now: ClockReading) -> [Effect] {
    guard status.phase == .connecting || status.phase == .handshaking else { return [] }
    lastReceived = now.monotonic
    probeSent = nil
    awaitsAnswer = false
    status.rejectsLocation = false
    let deadline = now.monotonic.adding(milliseconds: settings.readyDeadlineMilliseconds)
    // The timer first: the session may be ready at once, which sets another.
    return enter(.awaitingReady, now) + [.wake(at: deadline), .openSession]
  }

  /// Runs for every message; usually only records the time.
  mutating func received(_ now: ClockReading) -> [Effect] {
    guard isSessionOpen else { return [] }
    status.lastMessage = now
    lastReceived = now.monotonic
    if awaitsAnswer { return [] }
    probeSent = nil
    switch status.phase {
    case .subscribing, .stale: return enter(.live, now)
    default: return []
    }
  }

  mutating func timer(_ now: ClockReading) -> [Effect] {
    switch status.phase {
    case .backingOff:
      guard let next = status.nextAttempt else { return [] }
      return now.monotonic < next.monotonic
        ? [.wake(at: next.monotonic)] : connect(now, isHurried: waitIsHurried)
    case .awaitingReady:
      let limit = settings.readyDeadlineMilliseconds
      let deadline = status.since.monotonic.adding(milliseconds: limit)
      if now.monotonic < deadline { return [.wake(at: deadline)] }
      return backOff(.notReady(milliseconds: limit), now)
    case .subscribing, .live, .stale: return heartbeat(now)
    default: return []
    }
  }

  /// After a pause without reads: venues send in order, so a new probe's response follows older
  /// data.
  ///
  /// Without a probe, silence counts from the last message.
  mutating func woken(_ now: ClockReading) -> [Effect] {
    switch status.phase {
    case .subscribing, .live, .stale: break
    default: return timer(now)
    }
    guard settings.heartbeat.probe != .none else { return timer(now) }
    awaitsAnswer = true
    probeSent = now.monotonic
    let change = status.phase == .stale ? [] : enter(.stale, now)
    return change + [.probe(settings.heartbeat.probe), .wake(at: heartbeatDeadline)]
  }

  /// When silence has its next consequence.
  private var heartbeatDeadline: MonotonicTime {
    let policy = settings.heartbeat
    guard let probeSent else {
      return lastReceived.adding(milliseconds: policy.probeAfterMilliseconds)
    }
    let isStale = status.phase == .stale
    return probeSent.adding(
      milliseconds: isStale ? policy.deadAfterMilliseconds : policy.deadAfterMilliseconds / 2)
  }

  /// Silence first causes a probe, then stale at half of the response limit, then a reconnect;
  /// without a probe, stale at once.
  private mutating func heartbeat(_ now: ClockReading) -> [Effect] {
    guard now.monotonic >= heartbeatDeadline else { return [.wake(at: heartbeatDeadline)] }
    var effects: [Effect] = []
    if probeSent == nil {
      probeSent = now.monotonic
      if settings.heartbeat.probe == .none {
        if status.phase != .stale { effects += enter(.stale, now) }
      } else {
        effects.append(.probe(settings.heartbeat.probe))
      }
    } else if status.phase != .stale {
      effects += enter(.stale, now)
    } else {
      return backOff(.silent(milliseconds: now.monotonic.milliseconds(since: lastReceived)), now)
    }
    return effects + [.wake(at: heartbeatDeadline)]
  }
}

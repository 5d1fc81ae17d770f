// The life of one venue's connection, as a pure state machine: the hub performs what it returns, so
// all of it is tested without sockets, clocks or waiting.

import MarketModel
import SocketTransport
import VenueCatalogue
import VenueProtocols

/// Decides when to connect, what to send as heartbeat, when to give up, and when to try again.
struct ConnectionStateMachine: Sendable {
  /// What never changes while the program runs.
  struct Settings: Sendable {
    var heartbeat: HeartbeatPolicy
    var budget = ConnectionBudget.ordinary
    var backoff: Backoff<SplitMix64>
    /// How long the venue may take to greet, in milliseconds.
    var readyDeadlineMilliseconds: Int64 = 10_000
    /// How long a connection must have been live before its loss counts as the first, milliseconds.
    var healthyAfterMilliseconds: Int64 = 30_000
    /// The least time between two attempts, whoever asks for them, in milliseconds.
    var attemptSpacingMilliseconds: Int64 = 250
    /// The venue's name for people.
    var displayName: String
    /// Whether an access token goes to the venue.
    var sendsToken = true
  }

  /// What happens.
  enum Event: Sendable, Equatable {
    /// A person or the program wants the connection.
    case start
    /// A person or the program does not want it any more.
    case stop
    /// A person does not want to wait.
    case retryNow
    /// The token or the session is another one.
    case configurationChanged
    /// TCP is connected.
    case connected
    /// The transport can carry messages.
    case opened
    /// Bytes came.
    case received
    /// The venue has greeted.
    case ready(wantsData: Bool)
    /// A heartbeat was answered: the latest, unless one of before may be meant.
    case pong(roundTripMicroseconds: Int64?, isOfLatest: Bool = true)
    /// The transport is gone, or the session wants it gone.
    case failed(ConnectionProblem)
    /// The session says that trying again won't help.
    case refused(ConnectionProblem)
    /// The time asked for by ``Effect/wake(at:)`` has come, or any other time.
    case timer
    /// The machine has slept, or the process has stood still: what is read next may be from before.
    case woken
  }

  /// What the host must do, in order.
  enum Effect: Sendable, Equatable {
    /// Open a transport.
    case connect
    /// Close the transport, if there is one, and forget it.
    case disconnect(code: UInt16, reason: String)
    /// Tell the session that it is open.
    case openSession
    /// Tell the session that it is closed.
    case closeSession
    /// Send a heartbeat.
    case probe(HeartbeatPolicy.Probe)
    /// Send ``Event/timer`` at this time, and at no time asked for before; never when nil.
    case wake(at: MonotonicTime?)
    /// The phase has changed: tell whoever watches.
    case report
  }

  var settings: Settings
  /// All that screens want to know.
  var status: ConnectionStatus
  var backoff: Backoff<SplitMix64>
  var attempts: AttemptLog
  var pace = HurryPace()
  /// The attempt that is waited for was hurried by a person.
  private var waitIsHurried = false
  private var lastReceived: MonotonicTime
  var probeSent: MonotonicTime?
  /// Nothing that comes before the answer to the latest heartbeat shows that the venue is there.
  private var awaitsAnswer = false
  private var liveSince: MonotonicTime?
  /// Set by a venue's Retry-After; no attempt is made before.
  var notBefore: MonotonicTime?
  /// When the machine makes the next attempt by itself; nil until there is a reason for one.
  private var ownAttempt: MonotonicTime?
  private var hasConnected = false

  /// An idle connection.
  init(_ settings: Settings, venue: Venue, origin: DataOrigin, at now: ClockReading) {
    self.settings = settings
    status = ConnectionStatus(venue: venue, origin: origin, since: now)
    backoff = settings.backoff
    attempts = AttemptLog(settings.budget)
    lastReceived = now.monotonic
  }

  /// Whether the session has been told that it is open.
  var isSessionOpen: Bool {
    switch status.phase {
    case .awaitingReady, .subscribing, .live, .stale: true
    default: false
    }
  }

  /// Whether a transport exists or is being made.
  var hasTransport: Bool {
    isSessionOpen || status.phase == .connecting || status.phase == .handshaking
  }

  /// Takes an event.
  ///
  /// Events that mean nothing in the present phase change nothing.
  mutating func handle(_ event: Event, at now: ClockReading) -> [Effect] {
    switch event {
    case .start: return hasTransport || status.phase == .backingOff ? [] : attemptSoon(now)
    case .stop: return stop(now)
    case .retryNow: return retryNow(now)
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
      if problem.isRefusal { return refuse(problem, now) }
      return hasTransport ? backOff(problem, now) : []
    case .refused(let problem): return refuse(problem, now)
    case .timer: return timer(now)
    case .woken: return woken(now)
    }
  }

  /// Changes the phase; live is where good health begins to count.
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

  /// Opens a transport now.
  mutating func connect(_ now: ClockReading, isHurried: Bool) -> [Effect] {
    attempts.record(now.monotonic)
    if isHurried { pace.use(at: now.monotonic) }
    if hasConnected { status.reconnects += 1 }
    hasConnected = true
    notBefore = nil
    ownAttempt = nil
    return enter(.connecting, now) + [.connect, .wake(at: nil)]
  }

  /// Ends the transport and the session's belief in it, whatever phase this is.
  private func tearDown(code: UInt16 = 1000, reason: String = "") -> [Effect] {
    var effects: [Effect] = []
    if hasTransport { effects.append(.disconnect(code: code, reason: reason)) }
    if isSessionOpen { effects.append(.closeSession) }
    return effects
  }
}

extension ConnectionStateMachine {
  /// Takes over the heartbeat and the origin of another session.
  mutating func adopt(_ session: any VenueSession) {
    settings.heartbeat = session.heartbeat
    status.origin = session.origin
  }
}

// MARK: - Between connections

extension ConnectionStateMachine {
  /// A person or the program wants an attempt.
  ///
  /// It is made as soon as people may hurry one, and no later than the machine would make it by
  /// itself: that one counts as the machine's own.
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

  /// The earliest time that spacing, Retry-After, the pace of haste and the venue's budget allow to
  /// a hurried attempt.
  private func earliestHurried(_ now: ClockReading) -> MonotonicTime {
    var earliest = attempts.sparingly(after: now.monotonic)
    earliest = max(earliest, pace.earliest(after: now.monotonic))
    if let last = attempts.last {
      earliest = max(earliest, last.adding(milliseconds: settings.attemptSpacingMilliseconds))
    }
    return max(earliest, notBefore ?? earliest)
  }

  /// When the machine makes its next attempt by itself; kept until an attempt is made, so
  /// that it can't be postponed.
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
      // A connection that may still come back is given up for an attempt, not for a wait.
      guard earliestHurried(now) <= now.monotonic else { return [] }
      return tearDown() + attemptSoon(now)
    default: return []
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
    return effects + enter(.stopped, now) + [.wake(at: nil)]
  }

  mutating func refuse(_ problem: ConnectionProblem, _ now: ClockReading) -> [Effect] {
    guard hasTransport else { return [] }
    let effects = tearDown()
    status.reason = words(problem)
    return effects + enter(.refused, now) + [.wake(at: nil)]
  }

  /// The connection is lost or could not be made: waits, longer each time unless it was healthy.
  private mutating func backOff(_ problem: ConnectionProblem, _ now: ClockReading) -> [Effect] {
    let effects = tearDown()
    if let pause = problem.retryAfterMilliseconds {
      // A venue that wants fewer connections has not been treated well, however long it lasted.
      notBefore = now.monotonic.adding(milliseconds: pause)
    } else {
      forgetFailuresIfHealthy(now)
    }
    status.reason = words(problem)
    return effects + wait(until: planOwnAttempt(now), now, isHurried: false)
  }

  /// A connection that was live for long enough makes its loss the first.
  private mutating func forgetFailuresIfHealthy(_ now: ClockReading) {
    guard let liveSince,
      now.monotonic.milliseconds(since: liveSince) >= settings.healthyAfterMilliseconds
    else { return }
    backoff.reset()
  }

  private func words(_ problem: ConnectionProblem) -> String {
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

// Greeting, heartbeat, silence.

extension ConnectionStateMachine {
  mutating func opened(_ now: ClockReading) -> [Effect] {
    guard status.phase == .connecting || status.phase == .handshaking else { return [] }
    lastReceived = now.monotonic
    probeSent = nil
    awaitsAnswer = false
    let deadline = now.monotonic.adding(milliseconds: settings.readyDeadlineMilliseconds)
    // The timer first: the session may say `ready` at once, which asks for another one.
    return enter(.awaitingReady, now) + [.wake(at: deadline), .openSession]
  }

  /// Runs for every message: in the common case it only notes the time.
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

  /// After a pause in which nothing was read: a venue sends in order, so once it has answered what
  /// it is asked now, all that was on its way before has come.
  ///
  /// Where nothing can be asked, its silence counts from the last word.
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

  /// Silence: first a probe, then stale at half of the time allowed for its answer, then dead.
  ///
  /// Where nothing can be sent, silence alone makes it stale.
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

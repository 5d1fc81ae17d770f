// The life of one venue's connection, as a pure state machine: the hub performs what it returns, so
// all of it is tested without sockets, clocks or waiting.

import MarketModel
import SocketTransport
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
  var waitIsHurried = false
  var lastReceived: MonotonicTime
  var probeSent: MonotonicTime?
  /// Nothing that comes before the answer to the latest heartbeat shows that the venue is there.
  var awaitsAnswer = false
  var liveSince: MonotonicTime?
  /// Set by a venue's Retry-After; no attempt is made before.
  var notBefore: MonotonicTime?
  /// When the machine makes the next attempt by itself; nil until there is a reason for one.
  var ownAttempt: MonotonicTime?
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
  func tearDown(code: UInt16 = 1000, reason: String = "") -> [Effect] {
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

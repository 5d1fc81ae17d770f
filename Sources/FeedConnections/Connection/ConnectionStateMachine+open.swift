// While a connection stands: greeting, heartbeat, silence.

import MarketModel
import VenueProtocols

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
  var heartbeatDeadline: MonotonicTime {
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

// Between connections: when the next attempt may be made, and who may hurry it.

import MarketModel

extension ConnectionStateMachine {
  /// Connects now, or as soon as spacing, Retry-After and the venue's budget allow.
  mutating func attemptSoon(_ now: ClockReading) -> [Effect] {
    var earliest = attempts.earliest(after: now.monotonic)
    if let last = attempts.last {
      earliest = max(
        earliest, last.adding(milliseconds: settings.attemptSpacingMilliseconds))
    }
    if let notBefore { earliest = max(earliest, notBefore) }
    return earliest <= now.monotonic ? connect(now) : wait(until: earliest, now)
  }

  mutating func retryNow(_ now: ClockReading) -> [Effect] {
    switch status.phase {
    case .backingOff, .refused: return attemptSoon(now)
    case .stale: return tearDown() + attemptSoon(now)
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
    status.reason = nil
    return effects + enter(.stopped, now) + [.wake(at: nil)]
  }

  mutating func refuse(_ problem: ConnectionProblem, _ now: ClockReading) -> [Effect] {
    guard hasTransport else { return [] }
    let effects = tearDown()
    status.reason = problem.userMessage(venue: settings.displayName)
    return effects + enter(.refused, now) + [.wake(at: nil)]
  }

  /// The connection is lost or could not be made: waits, longer each time unless it was healthy.
  mutating func backOff(_ problem: ConnectionProblem, _ now: ClockReading) -> [Effect] {
    let effects = tearDown()
    if let liveSince,
      now.monotonic.milliseconds(since: liveSince) >= settings.healthyAfterMilliseconds
    {
      backoff.reset()
    }
    if let wait = problem.retryAfterMilliseconds {
      notBefore = now.monotonic.adding(milliseconds: wait)
    }
    status.reason = problem.userMessage(venue: settings.displayName)
    var earliest = now.monotonic.adding(milliseconds: backoff.next())
    earliest = max(earliest, attempts.sparingly(after: now.monotonic))
    if let notBefore { earliest = max(earliest, notBefore) }
    return effects + wait(until: earliest, now)
  }

  private mutating func wait(until time: MonotonicTime, _ now: ClockReading) -> [Effect] {
    let effects = enter(.backingOff, now)
    let delay = time.nanoseconds - now.monotonic.nanoseconds
    status.nextAttempt = ClockReading(
      monotonic: time, wall: Timestamp(nanoseconds: now.wall.nanoseconds &+ delay))
    return effects + [.wake(at: time)]
  }
}

// Between connections: when the next attempt may be made, and who may hurry it.

import MarketModel

extension ConnectionStateMachine {
  /// Connects now, or as soon as spacing, Retry-After, the pace of haste and the venue's budget
  /// allow; never later than was planned.
  mutating func attemptSoon(_ now: ClockReading) -> [Effect] {
    // Whoever starts for the first time is in no hurry.
    let isHurried = attempts.last != nil
    var earliest = attempts.earliest(after: now.monotonic)
    if isHurried {
      earliest = max(earliest, attempts.earliestHurried(after: now.monotonic))
      earliest = max(earliest, pace.earliest(after: now.monotonic))
    }
    if let last = attempts.last {
      earliest = max(
        earliest, last.adding(milliseconds: settings.attemptSpacingMilliseconds))
    }
    if let notBefore { earliest = max(earliest, notBefore) }
    if status.phase == .backingOff, let planned = status.nextAttempt?.monotonic,
      planned <= earliest
    {
      return []
    }
    return earliest <= now.monotonic
      ? connect(now, isHurried: isHurried) : wait(until: earliest, now, isHurried: isHurried)
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
    status.reason = words(problem)
    return effects + enter(.refused, now) + [.wake(at: nil)]
  }

  /// The connection is lost or could not be made: waits, longer each time unless it was healthy.
  mutating func backOff(_ problem: ConnectionProblem, _ now: ClockReading) -> [Effect] {
    let effects = tearDown()
    let pause = problem.retryAfterMilliseconds
    // A venue that wants fewer connections has not been treated well, however long it lasted.
    if pause == nil, let liveSince,
      now.monotonic.milliseconds(since: liveSince) >= settings.healthyAfterMilliseconds
    {
      backoff.reset()
    }
    if let pause {
      notBefore = now.monotonic.adding(milliseconds: pause)
    }
    status.reason = words(problem)
    var earliest = now.monotonic.adding(milliseconds: backoff.next())
    earliest = max(earliest, attempts.sparingly(after: now.monotonic))
    if let notBefore { earliest = max(earliest, notBefore) }
    return effects + wait(until: earliest, now, isHurried: false)
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

// Between connections: when the next attempt may be made, and who may hurry it.

import MarketModel
import SocketTransport

extension ConnectionStateMachine {
  /// A person or the program wants an attempt.
  ///
  /// It is made as soon as people may hurry one, and no later than the machine would make it by
  /// itself: that one counts as the machine's own.
  mutating func attemptSoon(_ now: ClockReading) -> [Effect] {
    // Whoever starts for the first time is in no hurry.
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

  /// When the machine makes its next attempt by itself; kept until an attempt is made, so that
  /// nobody can put it off.
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
  mutating func backOff(_ problem: ConnectionProblem, _ now: ClockReading) -> [Effect] {
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

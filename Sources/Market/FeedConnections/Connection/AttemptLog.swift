import MarketModel
import VenueCatalogue

extension ConnectionBudget {
  /// The milliseconds between attempts after half the budget, so that the rest lasts for the
  /// window.
  var sparingMilliseconds: Int64 { windowMilliseconds / Int64(max(1, attempts / 2)) }

  /// 10 s if the budget allows; else a minute, and ``sparingMilliseconds`` decides.
  var backoffCapMilliseconds: Int64 { sparingMilliseconds <= 10_000 ? 10_000 : 60_000 }
}

struct AttemptLog: Sendable, Equatable {
  let budget: ConnectionBudget
  /// The latest attempts, oldest first, at most the budget's number.
  private var times: [MonotonicTime] = []

  init(_ budget: ConnectionBudget) { self.budget = budget }

  var last: MonotonicTime? { times.last }

  /// Records an attempt; O(attempts).
  mutating func record(_ now: MonotonicTime) {
    if times.count == budget.attempts { times.removeFirst() }
    times.append(now)
  }

  /// The earliest time at which the budget allows another attempt, at least `now`.
  func earliest(after now: MonotonicTime) -> MonotonicTime {
    guard times.count == budget.attempts, let oldest = times.first else { return now }
    return max(now, oldest.adding(milliseconds: budget.windowMilliseconds))
  }

  /// As ``earliest(after:)``, but once half the budget is used, the rest is spread over the window:
  /// one bad quarter of an hour must not block the rest of the hour.
  func sparingly(after now: MonotonicTime) -> MonotonicTime {
    let hard = earliest(after: now)
    let recent = times.count { now.milliseconds(since: $0) < budget.windowMilliseconds }
    guard recent * 2 >= budget.attempts, let last else { return hard }
    return max(hard, last.adding(milliseconds: budget.sparingMilliseconds))
  }
}

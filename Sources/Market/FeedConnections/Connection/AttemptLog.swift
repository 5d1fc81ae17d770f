// Spends a venue's budget of connections, so that one bad quarter of an hour does not shut the
// program out for the rest of the hour.

import MarketModel
import VenueCatalogue

extension ConnectionBudget {
  /// The time between two attempts once half of the budget is spent, in milliseconds: the other
  /// half lasts for the window.
  var sparingMilliseconds: Int64 { windowMilliseconds / Int64(max(1, attempts / 2)) }

  /// The longest span of the back-off, in milliseconds: 10 s where that is sparing enough, so that
  /// no wait in an outage is longer; else a minute, and ``sparingMilliseconds`` decides.
  var backoffCapMilliseconds: Int64 { sparingMilliseconds <= 10_000 ? 10_000 : 60_000 }
}

/// Spends a ``ConnectionBudget``.
struct AttemptLog: Sendable, Equatable {
  let budget: ConnectionBudget
  /// The latest attempts, oldest first; at most as many as the budget allows.
  private var times: [MonotonicTime] = []

  init(_ budget: ConnectionBudget) { self.budget = budget }

  /// The latest attempt.
  var last: MonotonicTime? { times.last }

  /// Notes an attempt.
  ///
  /// O(attempts).
  mutating func record(_ now: MonotonicTime) {
    if times.count == budget.attempts { times.removeFirst() }
    times.append(now)
  }

  /// The earliest time at which the budget allows another attempt; `now` when it does already.
  func earliest(after now: MonotonicTime) -> MonotonicTime {
    guard times.count == budget.attempts, let oldest = times.first else { return now }
    return max(now, oldest.adding(milliseconds: budget.windowMilliseconds))
  }

  /// The same, but sparing: once half of the budget is spent, attempts are spaced so that the other
  /// half lasts for the window, whoever spent the first and whoever is in a hurry.
  func sparingly(after now: MonotonicTime) -> MonotonicTime {
    let hard = earliest(after: now)
    let recent = times.count { now.milliseconds(since: $0) < budget.windowMilliseconds }
    guard recent * 2 >= budget.attempts, let last else { return hard }
    return max(hard, last.adding(milliseconds: budget.sparingMilliseconds))
  }
}

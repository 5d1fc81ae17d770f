// Some venues count connections: BitMEX allowed as few as 20 to 40 an hour. Whoever spends them all
// in a bad quarter of an hour stays out for the rest.

public import MarketModel

/// How many connection attempts a venue allows.
public struct ConnectionBudget: Sendable, Equatable {
  /// The most attempts in any window.
  public let attempts: Int
  /// The length of the window, in milliseconds.
  public let windowMilliseconds: Int64

  /// Makes a budget; both numbers are at least 1.
  public init(attempts: Int, windowMilliseconds: Int64 = 3_600_000) {
    self.attempts = max(1, attempts)
    self.windowMilliseconds = max(1, windowMilliseconds)
  }

  /// Forty an hour: safe at BitMEX by its older limits (20 in 2017, 40, 60, then 720).
  public static let bitmex = ConnectionBudget(attempts: 40)
  /// 120 in ten minutes: Kraken allows about 150 for an address, and others may share it.
  public static let kraken = ConnectionBudget(attempts: 120, windowMilliseconds: 600_000)
  /// 720 an hour: an attempt each 10 s takes half of them.
  public static let ordinary = ConnectionBudget(attempts: 720)

  /// The time between two attempts once half of the budget is spent, in milliseconds: the other
  /// half lasts for the window.
  var sparingMilliseconds: Int64 { windowMilliseconds / Int64(max(1, attempts / 2)) }

  /// The longest span of the back-off, in milliseconds: 10 s where that is sparing enough, so that
  /// no wait in an outage is longer; else a minute, and ``sparingMilliseconds`` decides.
  var backoffCapMilliseconds: Int64 { sparingMilliseconds <= 10_000 ? 10_000 : 60_000 }

  /// The budget that suits a venue.
  public static func usual(for venue: VenueName) -> ConnectionBudget {
    switch venue {
    case .bitmex: .bitmex
    case .kraken: .kraken
    default: .ordinary
    }
  }
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

// Retry and Start are for people, and a page may press them as fast as it likes. The venue must not
// feel that.

import MarketModel

/// Allows hurried attempts after 1, 2, 4 … seconds.
struct HurryPace: Sendable, Equatable {
  /// The first pause, in milliseconds.
  static let firstMilliseconds: Int64 = 1000
  /// The longest pause, in milliseconds; twice as long without haste begins anew.
  static let capMilliseconds: Int64 = 60_000

  private var last: MonotonicTime?
  private var pauseMilliseconds = HurryPace.firstMilliseconds

  /// The earliest time of the next one; `now` when it is allowed already.
  func earliest(after now: MonotonicTime) -> MonotonicTime {
    last.map { max(now, $0.adding(milliseconds: pauseMilliseconds)) } ?? now
  }

  /// Notes a hurried attempt: the pause after it is twice the one before.
  mutating func use(at now: MonotonicTime) {
    if let last, now.milliseconds(since: last) < 2 * HurryPace.capMilliseconds {
      pauseMilliseconds = min(HurryPace.capMilliseconds, pauseMilliseconds * 2)
    } else {
      pauseMilliseconds = HurryPace.firstMilliseconds
    }
    last = now
  }
}

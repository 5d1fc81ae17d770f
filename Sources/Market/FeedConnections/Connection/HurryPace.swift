import MarketModel

/// Allows hurried attempts after 1, 2, 4 … seconds: a page may send Retry and Start at any rate.
struct HurryPace: Sendable, Equatable {
  static let firstMilliseconds: Int64 = 1000
  /// The longest pause, in milliseconds; twice as long without hurried attempts resets it.
  static let capMilliseconds: Int64 = 60_000

  private var last: MonotonicTime?
  private var pauseMilliseconds = HurryPace.firstMilliseconds

  /// The earliest time of the next attempt, at least `now`.
  func earliest(after now: MonotonicTime) -> MonotonicTime {
    last.map { max(now, $0.adding(milliseconds: pauseMilliseconds)) } ?? now
  }

  /// Records a hurried attempt, which doubles the pause.
  mutating func use(at now: MonotonicTime) {
    if let last, now.milliseconds(since: last) < 2 * HurryPace.capMilliseconds {
      pauseMilliseconds = min(HurryPace.capMilliseconds, pauseMilliseconds * 2)
    } else {
      pauseMilliseconds = HurryPace.firstMilliseconds
    }
    last = now
  }
}

public import MarketModel

/// Converts clock readings to milliseconds since 1970 that never step.
///
/// The monotonic clock continues the first wall time. A different wall time is adopted only after
/// it has lasted a minute, and only forward.
public struct SteadyTime: Sendable, Equatable {
  static let toleratedMilliseconds: Int64 = 1000
  static let patienceMilliseconds: Int64 = 60_000

  private var anchor: ClockReading?
  private var differsSince: MonotonicTime?

  /// Starts at the first reading.
  public init() {}

  /// The time of a reading, milliseconds since 1970; never before an earlier one's.
  public mutating func milliseconds(at now: ClockReading) -> Int64 {
    guard let anchor else {
      anchor = now
      return now.wall.milliseconds
    }
    let elapsed = max(0, now.monotonic.milliseconds(since: anchor.monotonic))
    let counted = anchor.wall.milliseconds + elapsed
    guard abs(now.wall.milliseconds - counted) > SteadyTime.toleratedMilliseconds else {
      differsSince = nil
      return counted
    }
    let since = differsSince ?? now.monotonic
    differsSince = since
    guard now.monotonic.milliseconds(since: since) >= SteadyTime.patienceMilliseconds,
      now.wall.milliseconds > counted
    else { return counted }
    self.anchor = now
    differsSince = nil
    return now.wall.milliseconds
  }
}

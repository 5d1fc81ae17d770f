// Wall time that does not jump: a chart must go on while somebody sets the clock.

public import MarketModel

/// Turns readings of both clocks into milliseconds since 1970 that never step.
///
/// The wall clock is read once and counted on by the monotonic one. Only when it has shown another
/// time for a minute on end is it believed, and that only forward: a series can't go back.
public struct SteadyTime: Sendable, Equatable {
  /// A difference that is no jump, in milliseconds.
  static let toleratedMilliseconds: Int64 = 1000
  /// How long a new time must hold, in milliseconds.
  static let patienceMilliseconds: Int64 = 60_000

  private var anchor: ClockReading?
  private var differsSince: MonotonicTime?

  /// Starts with the first reading.
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

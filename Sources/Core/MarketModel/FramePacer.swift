// When a host draws, delivers or sends: at once after a quiet moment, then at a steady rate. Pure:
// the host brings the time and sets the timer.

/// Paces frames on the leading edge.
///
/// The first change after a quiet moment is due at once, those that follow are due together once an
/// interval has passed since the latest frame that counted. A change is never lost: it stays due
/// until a frame was made. The host tells of changes, sets a timer for what
/// ``changed(at:patience:)`` returns, makes a frame when ``isDue(at:)``, and says by
/// ``frameSent(at:)`` or ``frameSkipped()`` what came of it.
public struct FramePacer: Sendable, Equatable {
  /// What a change asks of the host.
  public enum Step: Sendable, Equatable {
    /// Make a frame as soon as everything that came together has been taken in.
    case now
    /// Make a frame at this time; whatever later time was asked for before no longer counts.
    case at(MonotonicTime)
    /// Nothing: a frame is due already, at that time or before.
    case scheduled
  }

  /// The least time between two frames, in milliseconds; below 0 is 0, which holds nothing back.
  ///
  /// A frame that is due already stays due at its time.
  public var intervalMilliseconds: Int64
  /// How many moments of an interval a frame that waits may fall on; 0 means any.
  private let phases: Int64
  /// When the latest frame that counts was made.
  private var latest: MonotonicTime?
  /// When the next frame is to be made; nil while nothing has changed.
  public private(set) var due: MonotonicTime?

  /// Begins in a quiet moment.
  ///
  /// - Parameters:
  ///   - intervalMilliseconds: see ``intervalMilliseconds``.
  ///   - phases: how many moments of an interval a frame that waits may fall on, for hosts whose
  ///     many pacers then fall on the same; 0 means any.
  public init(intervalMilliseconds: Int64, phases: Int64 = 0) {
    self.intervalMilliseconds = intervalMilliseconds
    self.phases = phases
  }

  /// Something has changed that a frame must show.
  ///
  /// - Parameters:
  ///   - now: of one clock, always the same; one that goes back ends the interval.
  ///   - patience: how long the change may wait for a frame that is made anyhow, in milliseconds.
  /// - Returns: what the host must do.
  public mutating func changed(at now: MonotonicTime, patience: Int64 = 0) -> Step {
    let wanted = max(earliest(now), now.adding(milliseconds: patience))
    if let due, due <= wanted { return .scheduled }
    due = wanted
    return wanted <= now ? .now : .at(wanted)
  }

  /// Whether a frame is to be made now.
  public func isDue(at now: MonotonicTime) -> Bool {
    guard let due else { return false }
    return due <= now || hasGoneBack(now)
  }

  /// A frame was made, and the next one keeps its distance.
  public mutating func frameSent(at now: MonotonicTime) {
    latest = now
    due = nil
  }

  /// There was nothing to show after all, so the next change need not wait for it.
  public mutating func frameSkipped() { due = nil }

  private func hasGoneBack(_ now: MonotonicTime) -> Bool { latest.map { now < $0 } ?? false }

  /// The first moment at which the next frame may be made.
  private func earliest(_ now: MonotonicTime) -> MonotonicTime {
    guard let latest, !hasGoneBack(now) else { return now }
    let interval = max(0, intervalMilliseconds) &* 1_000_000
    let free = latest.nanoseconds &+ interval
    guard free > now.nanoseconds else { return now }
    let step = phases > 0 ? max(1, interval / phases) : 1
    let over = free % step
    return MonotonicTime(nanoseconds: over == 0 ? free : free &+ step &- over)
  }
}

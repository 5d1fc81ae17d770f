/// Paces frames on the leading edge.
///
/// The first change after a quiet interval is due at once, later ones together an interval after
/// the latest frame. A change stays due until a frame is made. The host reports changes, sets a
/// timer for ``changed(at:patience:)``, makes a frame when ``isDue(at:)`` and reports it.
public struct FramePacer: Sendable, Equatable {
  /// What the host must do after a change.
  public enum Step: Sendable, Equatable {
    /// Make a frame once all input that arrived together is applied.
    case now
    /// Make a frame at this time, which replaces any later one.
    case at(MonotonicTime)
    /// Nothing: a frame is already due at that time or earlier.
    case scheduled
  }

  /// The least time between two frames, in milliseconds; below 0 counts as 0.
  ///
  /// A frame that is already due keeps its time.
  public var intervalMilliseconds: Int64
  /// Due times per interval that a delayed frame aligns to; 0 for any time.
  private let phases: Int64
  private var latest: MonotonicTime?
  /// When the next frame is due; nil without changes.
  public private(set) var due: MonotonicTime?

  /// Creates an idle pacer.
  ///
  /// A delayed frame aligns to one of `phases` due times per interval, so that a host's many pacers
  /// fire together; 0 for any time.
  public init(intervalMilliseconds: Int64, phases: Int64 = 0) {
    self.intervalMilliseconds = intervalMilliseconds
    self.phases = phases
  }

  /// Reports a change that a frame must show, and returns what the host must do.
  ///
  /// The change may wait `patience` milliseconds to share a later frame. `now` is always of the
  /// same clock; a time that goes back ends the interval.
  public mutating func changed(at now: MonotonicTime, patience: Int64 = 0) -> Step {
    let wanted = max(earliest(now), now.adding(milliseconds: patience))
    if let due, due <= wanted { return .scheduled }
    due = wanted
    return wanted <= now ? .now : .at(wanted)
  }

  /// Whether a frame is due now.
  public func isDue(at now: MonotonicTime) -> Bool {
    guard let due else { return false }
    return due <= now || hasGoneBack(now)
  }

  /// Records a frame, which starts an interval.
  public mutating func frameSent(at now: MonotonicTime) {
    latest = now
    due = nil
  }

  /// Records that there was nothing to show, which starts no interval.
  public mutating func frameSkipped() { due = nil }

  private func hasGoneBack(_ now: MonotonicTime) -> Bool { latest.map { now < $0 } ?? false }

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

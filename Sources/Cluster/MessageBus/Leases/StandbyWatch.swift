// Whether a process without the lease could take over: without a leader it should have been granted
// the lease.

package import MarketModel

/// What keeps a process from the lease, and every other one too.
package enum LeaseProblem: Hashable, Sendable, CustomStringConvertible {
  /// The broker refuses it, in its words.
  case refused(String)
  /// No process has shown for three lease periods that it holds the lease.
  case noLeader

  /// One line.
  package var description: String {
    switch self {
    case .refused(let words): "the lease is refused: \(words)"
    case .noLeader: "no process leads, and this one is not granted the lease"
    }
  }
}

/// When a process last had a sign of the one that holds the lease; pure.
///
/// A lease that is free is granted within its own period. After three of them without a sign of a
/// leader and without a grant, something keeps every process from it.
package struct StandbyWatch {
  /// How long it may last, in milliseconds.
  package static let patienceMilliseconds = 3 * leaseMilliseconds

  private var signAt: MonotonicTime?

  /// Time counts from the first ``problem(isHeld:refusal:at:)``.
  package init() {}

  /// The leader has sent a pulse.
  package mutating func sign(at now: MonotonicTime) { signAt = now }

  /// What is wrong now; to be called at each tick.
  ///
  /// - Parameters:
  ///   - isHeld: whether this process leads.
  ///   - refusal: the broker's words, where it refuses.
  ///   - now: the time.
  /// - Returns: nil where this process leads, or another one does.
  package mutating func problem(
    isHeld: Bool, refusal: String?, at now: MonotonicTime
  ) -> LeaseProblem? {
    if isHeld || signAt == nil { signAt = now }
    if isHeld { return nil }
    if let refusal { return .refused(refusal) }
    let silence = signAt.map { now.milliseconds(since: $0) } ?? 0
    return silence >= StandbyWatch.patienceMilliseconds ? .noLeader : nil
  }
}

package import MarketModel

/// What keeps this and every other process from the lease.
package enum LeaseProblem: Hashable, Sendable, CustomStringConvertible {
  /// The broker refuses, with this reason.
  case refused(String)
  /// For three lease periods no process has shown that it holds the lease.
  case noLeader

  /// The problem in one line.
  package var description: String {
    switch self {
    case .refused(let words): "the lease is refused: \(words)"
    case .noLeader: "no process leads, and this one is not granted the lease"
    }
  }
}

/// Detects that no process can obtain the lease; pure.
///
/// A free lease is granted within its own period. After three of them without a leader's pulse and
/// without a grant, something keeps every process from it.
package struct StandbyWatch {
  /// How long that may last, in milliseconds.
  package static let patienceMilliseconds = 3 * leaseMilliseconds

  private var signAt: MonotonicTime?

  /// Creates a watch; time counts from the first ``problem(isHeld:refusal:at:)``.
  package init() {}

  /// Records a pulse of the leader.
  package mutating func sign(at now: MonotonicTime) { signAt = now }

  /// The current problem; call at each tick.
  ///
  /// - Parameters:
  ///   - isHeld: whether this process leads.
  ///   - refusal: the broker's reason, if it refuses.
  ///   - now: the time.
  /// - Returns: nil if this process or another one leads.
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

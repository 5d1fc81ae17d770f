/// A rule that must hold after every step.
public enum SimulationInvariant: String, Sendable, CaseIterable {
  /// A book that a page shows as live or proven was the venue's within the allowed silence.
  case truth
  /// The server's hash and the venue's checksum match the rows sent with them.
  case proof
  /// Parts of a topic have consecutive numbers.
  case sequence
  /// No more connection attempts in any window than the venue allows.
  case budget
  /// No second request for a stream while one is pending.
  case oneResync
  /// Nothing grows beyond its bound.
  case bounds
  /// Orders are conserved: what was acknowledged is on disk, and positions equal the fills.
  case orders
  /// The truth strip's sum of each level matches the simulation's own, within one cadence a
  /// stretch.
  case strip
  /// A bounded time after the last fault, the venue sends what is subscribed and everything is
  /// right again.
  case recovery
}

/// A broken rule.
public struct SimulationFinding: Sendable, Equatable, CustomStringConvertible {
  /// The rule.
  public let invariant: SimulationInvariant
  /// What was expected and what was found.
  public let evidence: String
  /// The time, in virtual milliseconds since the start.
  public let milliseconds: Int64

  /// One line.
  public var description: String { "\(invariant.rawValue) at \(milliseconds) ms: \(evidence)" }
}

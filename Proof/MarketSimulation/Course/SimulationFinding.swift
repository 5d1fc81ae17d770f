// What must hold after every step, and what is said when it does not.

/// A rule that no simulated world may break.
public enum SimulationInvariant: String, Sendable, CaseIterable {
  /// A book that a page shows as live or as proven is one that the venue had within the silence
  /// that is allowed.
  case truth
  /// The server's hash and the venue's checksum are those of the rows that come with them.
  case proof
  /// Parts of a topic come in an unbroken row.
  case sequence
  /// No more attempts to connect in any window than the venue allows.
  case budget
  /// No second request for a stream while one is on its way.
  case oneResync
  /// Nothing grows beyond its bound.
  case bounds
  /// Orders are conserved: what was acknowledged is on disk, and positions are the fills.
  case orders
  /// The truth strip's sum of each level is the simulation's own, within one cadence in each
  /// stretch.
  case strip
  /// What is wanted is what the venue sends, and everything is right again, a bounded time after
  /// the last fault.
  case recovery
}

/// A broken rule.
public struct SimulationFinding: Sendable, Equatable, CustomStringConvertible {
  /// Which rule.
  public let invariant: SimulationInvariant
  /// What was expected and what was found.
  public let evidence: String
  /// When, in virtual milliseconds since the start.
  public let milliseconds: Int64

  /// One line.
  public var description: String { "\(invariant.rawValue) at \(milliseconds) ms: \(evidence)" }
}

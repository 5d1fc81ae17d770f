// Where everything that happens is told: the trace, and the first broken rule.

/// Takes events.
final class SimulationLog {
  private(set) var trace: SimulationTrace
  private(set) var finding: SimulationFinding?

  init(keepsLines: Bool) { trace = SimulationTrace(keepsLines: keepsLines) }

  /// Takes an event; only the first broken rule counts.
  func take(_ event: SimulationEvent, at milliseconds: Int64) {
    switch event {
    case .step(let what, let number, let bytes): trace.note(milliseconds, what, number, bytes)
    case .finding(let invariant, let evidence):
      finding =
        finding
        ?? SimulationFinding(invariant: invariant, evidence: evidence, milliseconds: milliseconds)
    }
  }
}

public import PaperTrading

/// A defect of a ledger.
public enum LedgerFinding: Hashable, Sendable, CustomStringConvertible {
  case unreadableFile(String)
  case schemaChanged(String)
  case genesis
  case identity
  case gap(expected: UInt64, found: UInt64)
  case unreadableEvent(UInt64)
  /// An event's hash does not match its text and the previous hash.
  ///
  /// The event or an earlier one was changed, added or moved.
  case brokenChain(UInt64)
  case impossibleEvent(UInt64, OrderEventProblem)
  /// Events at the end are missing: at least `expected` were stored.
  case truncated(expected: UInt64, found: UInt64)
  /// The event recorded in the anchor has a different hash: the chain was recomputed.
  case rewritten(UInt64)
  case unreadableAnchor

  /// For logs and the command line.
  public var description: String {
    switch self {
    case .unreadableFile(let detail): "file: expected a whole SQLite database, found: \(detail)"
    case .schemaChanged(let name): "schema: expected \(name) as it was created, found it changed"
    case .genesis: "first entry: expected the ledger's scales, found something else"
    case .identity: "identity: expected 32 hexadecimal digits, found something else"
    case .gap(let expected, let found): "events: expected event \(expected), found \(found)"
    case .unreadableEvent(let sequence): "event \(sequence): its text was changed"
    case .brokenChain(let sequence): "event \(sequence): its hash does not follow from the chain"
    case .impossibleEvent(let sequence, let problem):
      "event \(sequence): it cannot follow the events before it (\(problem))"
    case .truncated(let expected, let found):
      "events: expected at least \(expected), found \(found); the end is missing"
    case .rewritten(let sequence):
      "event \(sequence): expected the hash that the anchor notes, found another chain"
    case .unreadableAnchor: "anchor: expected a sequence with its hash, found something else"
    }
  }
}

/// The result of a check: how much of the ledger is intact, and its defects.
public struct LedgerVerification: Hashable, Sendable {
  /// The number of intact events, counted from the first.
  public let eventCount: UInt64
  /// The hash of the last intact event or of the first text; nil if neither is readable.
  public let headHash: ChainHash?
  /// The state hash of the orders after those events.
  public let stateHash: UInt64
  /// Whether an anchor file existed to verify the end of the ledger.
  public let isAnchored: Bool
  /// The defects; empty for an intact ledger.
  public let findings: [LedgerFinding]

  /// Whether there are no findings.
  public var isIntact: Bool { findings.isEmpty }
}

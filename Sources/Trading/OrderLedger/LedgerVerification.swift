// What a check of a ledger found, in words that name the place.

public import PaperTrading

/// One thing that is wrong with a ledger.
public enum LedgerFinding: Hashable, Sendable, CustomStringConvertible {
  /// SQLite cannot read the file, or its pages contradict each other.
  case unreadableFile(String)
  /// A table or trigger is missing or was changed.
  case schemaChanged(String)
  /// The first text is missing or not what this program writes.
  case genesis
  /// The identity is missing or not what this program writes.
  case identity
  /// An event is missing, or is in the place of another.
  case gap(expected: UInt64, found: UInt64)
  /// An event's text is not what this program writes.
  case unreadableEvent(UInt64)
  /// An event's hash is not that of its text and the hash before it: it, or an earlier one, was
  /// changed, added or moved.
  case brokenChain(UInt64)
  /// An event that cannot follow the events before it.
  case impossibleEvent(UInt64, OrderEventProblem)
  /// Events at the end are missing: at least `expected` were stored once.
  case truncated(expected: UInt64, found: UInt64)
  /// The event that the anchor notes is another one now: the chain was computed anew.
  case rewritten(UInt64)
  /// The anchor file cannot be read.
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

/// The result of a check: how far the ledger is whole, and what is wrong.
public struct LedgerVerification: Hashable, Sendable {
  /// Events that were read and are whole, from the first on.
  public let eventCount: UInt64
  /// The hash of the last whole event, or of the first text; nil when there is not even that.
  public let headHash: ChainHash?
  /// The state hash of the orders after those events.
  public let stateHash: UInt64
  /// Whether the anchor file was there to tell that nothing is missing at the end.
  public let isAnchored: Bool
  /// What is wrong; empty for a whole ledger.
  public let findings: [LedgerFinding]

  /// Whether nothing is wrong.
  public var isIntact: Bool { findings.isEmpty }
}

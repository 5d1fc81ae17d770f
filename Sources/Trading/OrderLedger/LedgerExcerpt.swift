package import PaperTrading

/// Consecutive events in their stored texts, with their place in the chain.
public struct LedgerExcerpt: Hashable, Sendable {
  /// Maximum bytes of texts in an excerpt read from disk, not counting its last event.
  static let readBytes = 256 << 10

  /// The sequence number of the preceding event; 0 for the beginning of the ledger.
  public let after: UInt64
  /// The hash of the preceding event; nil if the ledger has no such event.
  public let hash: ChainHash?
  /// The texts of the events, oldest first.
  public let texts: [String]

  /// Creates an excerpt.
  public init(after: UInt64, hash: ChainHash?, texts: [String]) {
    (self.after, self.hash, self.texts) = (after, hash, texts)
  }

  /// The sequence number and hash of the last event; nil without ``hash``.
  ///
  /// The values of the preceding event if the excerpt is empty. O(length of the texts).
  public var end: (sequence: UInt64, hash: ChainHash)? {
    guard let hash else { return nil }
    return (after &+ UInt64(texts.count), texts.reduce(hash) { $0.followed(by: $1) })
  }

  /// Creates an excerpt of events that were just stored after an event with this hash.
  package init(_ events: [OrderEvent], after hash: ChainHash?) {
    self.init(
      after: (events.first?.sequence ?? 1) &- 1, hash: hash,
      texts: events.map { EventCodec.encode($0) })
  }
}

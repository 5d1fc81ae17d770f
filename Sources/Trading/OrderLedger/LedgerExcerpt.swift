// Some events of a ledger with their place in the chain, for a process that follows it.

package import PaperTrading

/// Events that follow one another, in their stored texts.
public struct LedgerExcerpt: Hashable, Sendable {
  /// How long an excerpt that is read from disk is, in bytes of texts, but for its last event.
  static let readBytes = 256 << 10

  /// The number of the event that they follow; 0 for the ledger's beginning.
  public let after: UInt64
  /// Its hash; nil where the ledger has no such event.
  public let hash: ChainHash?
  /// The texts of the events, oldest first.
  public let texts: [String]

  /// Puts an excerpt together.
  public init(after: UInt64, hash: ChainHash?, texts: [String]) {
    (self.after, self.hash, self.texts) = (after, hash, texts)
  }

  /// The number and the hash of the last event, or of the one that none follows; nil where that is
  /// not there.
  ///
  /// O(length of the texts).
  public var end: (sequence: UInt64, hash: ChainHash)? {
    guard let hash else { return nil }
    return (after &+ UInt64(texts.count), texts.reduce(hash) { $0.followed(by: $1) })
  }

  /// Events that were just stored after an event with this hash.
  package init(_ events: [OrderEvent], after hash: ChainHash?) {
    self.init(
      after: (events.first?.sequence ?? 1) &- 1, hash: hash,
      texts: events.map { EventCodec.encode($0) })
  }
}

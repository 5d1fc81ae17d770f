// Some events of a ledger with their place in the chain, for a process that follows it.

import Foundation
import GRDB
package import PaperTrading
import WireJSON

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

extension OrderLedger {
  /// The next events after one, as many as are sent at a time.
  ///
  /// Their hashes are not computed again here. O(events of the excerpt).
  ///
  /// - Parameter sequence: The event that they follow; 0 for the first ones.
  /// - Returns: The events; none, and no hash, where there is no such event.
  /// - Throws: A ``LedgerError``.
  public func excerpt(after sequence: UInt64) throws(LedgerError) -> LedgerExcerpt {
    try LedgerError.translating(path: path) {
      try database.read { database in
        let hash: ChainHash?
        if sequence == 0 {
          hash = try Self.genesisHash(database)
        } else {
          let row = try Row.fetchOne(
            database, sql: "SELECT hash FROM event WHERE sequence = ?",
            arguments: [Int64(clamping: sequence)])
          hash = row.flatMap { Data.fromDatabaseValue($0[0] as DatabaseValue) }
            .flatMap { ChainHash(bytes: Array($0)) }
        }
        guard hash != nil else { return LedgerExcerpt(after: sequence, hash: nil, texts: []) }
        let rows = try Row.fetchCursor(
          database, sql: "SELECT payload FROM event WHERE sequence > ? ORDER BY sequence",
          arguments: [Int64(clamping: sequence)])
        var texts: [String] = []
        var bytes = 0
        while bytes < LedgerExcerpt.readBytes, let row = try rows.next() {
          guard let text = String.fromDatabaseValue(row[0] as DatabaseValue) else { break }
          texts.append(text)
          bytes += text.utf8.count
        }
        return LedgerExcerpt(after: sequence, hash: hash, texts: texts)
      }
    }
  }
}

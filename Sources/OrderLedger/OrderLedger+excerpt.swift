// Reads a part of the ledger for a process that follows it.

import Foundation
import GRDB

extension OrderLedger {
  /// The next events after one, as many as are sent at a time.
  ///
  /// Their hashes are not computed again here. O(events of the excerpt).
  ///
  /// - Parameter sequence: The event that they follow; 0 for the first ones.
  /// - Returns: The events; none, and no hash, where there is no such event.
  /// - Throws: A ``LedgerError``.
  public func excerpt(after sequence: UInt64) throws(LedgerError) -> LedgerExcerpt {
    try access {
      try $0.read { database in
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

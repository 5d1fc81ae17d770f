// A ledger looked at from outside: listing, verifying and exporting change nothing, and work beside
// a running server.

import Foundation
import GRDB
import MarketModel
public import PaperTrading

/// A ledger on disk, read only.
public struct LedgerReader: Sendable {
  /// How events are exported.
  public enum Format: String, Hashable, Sendable {
    /// A header, then one event a line; the event's text is quoted in the last column.
    case csv
    /// One object a line: the hash and the event.
    case json
  }

  /// The database's path.
  public let path: String
  /// What one price unit and one quantity unit is; nil when the ledger's beginning is damaged.
  public let genesis: Genesis?
  /// All orders, oldest first, up to the first damage.
  public let history: OrderHistory
  /// What is wrong, and how far the ledger is whole.
  public let verification: LedgerVerification

  /// Reads and checks all of a ledger.
  ///
  /// O(events).
  ///
  /// Damage is no error here: ``verification`` names it. Throws when there is no ledger, or
  /// something else in its place, when it cannot be read, or when a later version made it.
  public init(path: String) throws(LedgerError) {
    guard FileManager.default.fileExists(atPath: path) else { throw .notFound(path: path) }
    let inspection = try LedgerInspector.inspect(path: path)
    if inspection.isFresh, inspection.verification.isIntact { throw .notALedger(path: path) }
    self.path = path
    genesis = inspection.genesis
    history = inspection.history
    verification = inspection.verification
  }

  /// Orders, newest first; `status` nil for all.
  public func orders(_ status: OrderStatus? = nil) -> [Order] {
    history.orders.reversed().filter { status == nil || $0.life.status == status }
  }

  /// Writes every whole event with its hash, line by line, and checks the chain once more.
  ///
  /// The first line names the chain's beginning, so that any SHA-256 tool can verify the rest: each
  /// hash is SHA-256 of the 32 bytes of the hash before, followed by the event's text.
  public func export(_ format: Format, to write: (String) -> Void) throws(LedgerError) {
    guard let genesis else { throw .damaged(path: path, verification) }
    var hash = ChainHash(genesis: genesis.payload)
    if format == .csv { write("sequence,hash,event\n") }
    write(Self.line(format, sequence: 0, hash: hash, payload: genesis.payload))
    try LedgerError.translating(path: path) {
      var configuration = Configuration()
      configuration.readonly = true
      let database = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? database.close() }
      try database.read { database in
        let rows = try Row.fetchCursor(
          database, sql: "SELECT payload FROM event WHERE sequence <= ? ORDER BY sequence",
          arguments: [Int64(history.lastSequence)])
        var sequence: UInt64 = 0
        while let row = try rows.next() {
          guard let payload = String.fromDatabaseValue(row[0] as DatabaseValue) else { continue }
          hash = hash.followed(by: payload)
          sequence += 1
          write(Self.line(format, sequence: sequence, hash: hash, payload: payload))
        }
      }
    }
    guard hash == verification.headHash else {
      throw .storage(path: path, detail: "the ledger changed while it was exported")
    }
  }

  private static func line(
    _ format: Format, sequence: UInt64, hash: ChainHash, payload: String
  ) -> String {
    switch format {
    case .csv:
      let quoted = payload.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"")
      return "\(sequence),\(hash),\"\(quoted)\"\n"
    case .json:
      return "{\"sequence\":\(sequence),\"hash\":\"\(hash)\",\"event\":\(payload)}\n"
    }
  }
}

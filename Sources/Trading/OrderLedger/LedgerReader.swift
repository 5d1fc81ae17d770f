import Foundation
import GRDB
import MarketModel
public import PaperTrading

/// A ledger on disk, read-only.
///
/// Listing, verifying and exporting change nothing and work while a server is running.
public struct LedgerReader: Sendable {
  /// An export format.
  public enum Format: String, Hashable, Sendable {
    /// A header, then one event per line; the last column is the quoted text of the event.
    case csv
    /// One object per line: the hash and the event.
    case json
  }

  /// The database's path.
  public let path: String
  /// The scales; nil if the ledger's beginning is damaged.
  public let genesis: Genesis?
  /// All orders, oldest first, up to the first damage.
  public let history: OrderHistory
  /// What is damaged, and how much of the ledger is intact.
  public let verification: LedgerVerification

  /// Reads and checks the whole ledger.
  ///
  /// O(events). Damage does not throw: ``verification`` reports it. Throws if the ledger is
  /// missing, another file is in its place, the file is unreadable, or a later version created it.
  public init(path: String) throws(LedgerError) {
    guard FileManager.default.fileExists(atPath: path) else { throw .notFound(path: path) }
    let inspection = try LedgerInspector.inspect(path: path)
    if inspection.isFresh, inspection.verification.isIntact { throw .notALedger(path: path) }
    self.path = path
    genesis = inspection.genesis
    history = inspection.history
    verification = inspection.verification
  }

  /// Orders with a status, or all if nil, newest first.
  public func orders(_ status: OrderStatus? = nil) -> [Order] {
    history.orders.reversed().filter { status == nil || $0.life.status == status }
  }

  /// Writes every intact event with its hash, line by line, and verifies the chain again.
  ///
  /// The first line contains the first hash, so any SHA-256 tool can verify the rest: each hash is
  /// SHA-256 of the 32 bytes of the previous hash followed by the event's text.
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
    case .csv: return "\(sequence),\(hash),\(CSV.quoted(payload))\n"
    case .json: return "{\"sequence\":\(sequence),\"hash\":\"\(hash)\",\"event\":\(payload)}\n"
    }
  }
}

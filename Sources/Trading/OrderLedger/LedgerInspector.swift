import Foundation
import GRDB
import MarketModel
import PaperTrading

struct LedgerInspection {
  var verification: LedgerVerification
  var history: OrderHistory
  /// nil for a database without tables or without a readable first text.
  var genesis: Genesis?
  var isFresh = false
}

/// One pass over a ledger that verifies everything: pages, tables, hashes, texts, and whether each
/// event can follow the previous ones.
struct LedgerInspector {
  private let anchor: LedgerAnchor.Reading
  private var findings: [LedgerFinding] = []
  private var history = OrderHistory()
  private var genesis: Genesis?
  private var head: ChainHash?
  private var isFresh = false

  init(anchor: LedgerAnchor.Reading) { self.anchor = anchor }

  /// Checks the whole database.
  ///
  /// O(events).
  ///
  /// Throws only for conditions that are not damage: no permission, in use, a later version,
  /// another program's database.
  static func inspect(path: String) throws(LedgerError) -> LedgerInspection {
    var inspector = LedgerInspector(anchor: LedgerAnchor(path: path + ".anchor").read())
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let database = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? database.close() }
      try database.read { try inspector.inspect($0, path: path) }
    } catch let error as DatabaseError where isDamage(error) {
      inspector.findings.append(
        .unreadableFile(error.message ?? "code \(error.extendedResultCode.rawValue)"))
    } catch { throw LedgerError(error, path: path) }
    return inspector.result
  }

  private var result: LedgerInspection {
    LedgerInspection(
      verification: LedgerVerification(
        eventCount: history.lastSequence, headHash: head, stateHash: history.stateHash,
        isAnchored: anchor != .missing, findings: findings),
      history: history, genesis: genesis, isFresh: isFresh)
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    switch error.resultCode {
    // A malformed schema or header causes SQLITE_ERROR and the codes after it while reading.
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_MISMATCH: true
    case .SQLITE_IOERR: error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
    default: false
    }
  }

  private mutating func inspect(_ database: Database, path: String) throws {
    try inspectPages(database)
    guard findings.isEmpty else { return }
    let names = try Row.fetchAll(database, sql: "SELECT name FROM sqlite_master")
      .compactMap { String.fromDatabaseValue($0[0] as DatabaseValue) }
    if !names.contains("ledger"), !names.contains("event") {
      // Another program's tables, and no sign that a ledger was ever here.
      guard anchor != .missing || LedgerSchema.areOwn(names) else {
        throw LedgerError.notALedger(path: path)
      }
      isFresh = true
      return checkAnchor(atEnd: true)
    }
    if names.contains("grdb_migrations"),
      try LedgerSchema.migrator(Genesis(priceScale: .whole, quantityScale: .whole))
        .hasBeenSuperseded(database)
    {
      throw LedgerError.newerVersion(path: path)
    }
    try inspectSchema(database, hasMigrations: names.contains("grdb_migrations"))
    guard findings.isEmpty else { return }
    try inspectGenesis(database)
    guard findings.isEmpty else { return }
    try inspectEvents(database)
    guard findings.isEmpty else { return }
    try inspectEnd(database)
  }

  private mutating func inspectPages(_ database: Database) throws {
    let answer = try Row.fetchAll(database, sql: "PRAGMA integrity_check(1)")
    let text = answer.first.flatMap { String.fromDatabaseValue($0[0] as DatabaseValue) }
    if text != "ok" { findings.append(.unreadableFile(text ?? "no answer")) }
  }

  private mutating func inspectSchema(_ database: Database, hasMigrations: Bool) throws {
    // A ledger of an earlier version gets its identity when it is next opened for writing.
    let version =
      hasMigrations
      ? try String.fetchOne(
        database, sql: "SELECT identifier FROM grdb_migrations WHERE identifier = ?",
        arguments: [LedgerSchema.identityVersion]) : nil
    let more = version == nil ? [] : LedgerSchema.identityObjects
    for object in LedgerSchema.objects + more {
      let row = try Row.fetchOne(
        database, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [object.name])
      let found = row.flatMap { String.fromDatabaseValue($0[0] as DatabaseValue) }
      if found != object.sql { findings.append(.schemaChanged(object.name)) }
    }
    if version != nil, findings.isEmpty, try LedgerIdentity.stored(in: database) == nil {
      findings.append(.identity)
    }
  }

  private mutating func inspectGenesis(_ database: Database) throws {
    let rows = try Row.fetchAll(database, sql: "SELECT payload FROM ledger")
    guard rows.count == 1, let payload = String.fromDatabaseValue(rows[0][0] as DatabaseValue),
      let genesis = Genesis(payload: payload)
    else { return findings.append(.genesis) }
    self.genesis = genesis
    head = ChainHash(genesis: payload)
    checkAnchor(atEnd: false)
  }

  private mutating func inspectEvents(_ database: Database) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT sequence, payload, hash, clientIdentifier FROM event ORDER BY sequence"
    )
    while let row = try rows.next() {
      guard let finding = take(row) else {
        checkAnchor(atEnd: false)
        continue
      }
      return findings.append(finding)
    }
  }

  private mutating func take(_ row: Row) -> LedgerFinding? {
    let expected = history.lastSequence &+ 1
    guard let found = Int64.fromDatabaseValue(row[0] as DatabaseValue), found > 0 else {
      return .unreadableEvent(expected)
    }
    guard UInt64(found) == expected else { return .gap(expected: expected, found: UInt64(found)) }
    guard let payload = String.fromDatabaseValue(row[1] as DatabaseValue),
      let data = Data.fromDatabaseValue(row[2] as DatabaseValue),
      let hash = ChainHash(bytes: Array(data))
    else { return .unreadableEvent(expected) }
    guard head?.followed(by: payload) == hash else { return .brokenChain(expected) }
    guard let event = try? EventCodec.decode(payload), event.sequence == expected,
      EventCodec.clientIdentifier(of: event)
        == String.fromDatabaseValue(row[3] as DatabaseValue)
    else { return .unreadableEvent(expected) }
    do throws(OrderEventProblem) { try history.apply(event) } catch {
      return .impossibleEvent(expected, error)
    }
    head = hash
    return nil
  }

  private mutating func inspectEnd(_ database: Database) throws {
    let row = try Row.fetchOne(
      database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'event'")
    let highest = row.flatMap { Int64.fromDatabaseValue($0[0] as DatabaseValue) } ?? 0
    let found = history.lastSequence
    if highest > 0, UInt64(highest) > found {
      findings.append(.truncated(expected: UInt64(highest), found: found))
    } else {
      checkAnchor(atEnd: true)
    }
  }

  private mutating func checkAnchor(atEnd: Bool) {
    switch anchor {
    case .missing: break
    case .unreadable: if atEnd { findings.append(.unreadableAnchor) }
    case .note(let note):
      if note.sequence == history.lastSequence, let head, note.hash != head {
        findings.append(.rewritten(note.sequence))
      } else if atEnd, note.sequence > history.lastSequence {
        findings.append(.truncated(expected: note.sequence, found: history.lastSequence))
      }
    }
  }
}

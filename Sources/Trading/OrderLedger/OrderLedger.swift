// Orders on disk. What `append` has returned from survives a crash and a power cut: SQLite waits
// for the disk (write-ahead log, synchronous FULL), and that is asserted, since GRDB and a
// configuration could each say otherwise.

import DataFiles
import Foundation
import GRDB
public import MarketModel
public import PaperTrading

/// The append-only, hash-chained store of order events; one writer at a time.
///
/// Its calls block for the disk (about 0.2 ms a commit, however many events it holds): call them
/// from an actor or a thread of their own, and append what has gathered meanwhile in one call.
public final class OrderLedger: Sendable {
  /// What to do with a ledger that is damaged.
  public enum DamagePolicy: Sendable {
    /// Leave it and throw ``LedgerError/damaged(path:_:)``.
    case refuse
    /// Rename its files and begin a new ledger; ``Opened/setAside`` tells.
    case setAside
  }

  /// A damaged ledger that was moved out of the way.
  public struct SetAside: Hashable, Sendable {
    /// Where its database is now; the other files lie beside it.
    public let path: String
    /// What is wrong with it.
    public let verification: LedgerVerification
  }

  /// An open ledger with what it held.
  public struct Opened: Sendable {
    /// The ledger, to append to.
    public let ledger: OrderLedger
    /// The recovered orders.
    public let history: OrderHistory
    /// The check that was made; intact.
    public let verification: LedgerVerification
    /// The damaged ledger that was here; nil when there was none.
    public let setAside: SetAside?
    /// Whether the ledger was made just now.
    public let isNew: Bool
  }

  /// The name that server and command line give the database in the data folder.
  public static let fileName = "orders.sqlite"

  /// The database's path.
  public let path: String
  /// What tells it from every other ledger.
  public let identity: LedgerIdentity

  private let database: SharedResource<DatabaseQueue>
  let anchor: LedgerAnchor
  private let lock: WriterLock

  init(path: String, identity: LedgerIdentity, database: DatabaseQueue, lock: WriterLock) {
    (self.path, self.identity) = (path, identity)
    self.database = SharedResource(database)
    self.lock = lock
    anchor = LedgerAnchor(path: path + ".anchor")
  }

  deinit { try? database.close { try $0.close() } }

  /// Runs a body with the open database.
  func access<Result>(
    _ body: (DatabaseQueue) throws -> Result
  ) throws(LedgerError) -> Result {
    let result = try LedgerError.translating(path: path) { try database.use(body) }
    guard let result else { throw .storage(path: path, detail: "closed") }
    return result
  }

  /// Opens a ledger, or makes one, and checks all of it.
  ///
  /// O(events).
  ///
  /// - Parameters:
  ///   - path: The database file; its folder is made if need be.
  ///   - rules: Their scales must be those of the ledger.
  ///   - now: Names a damaged ledger that is set aside.
  ///   - ifDamaged: What to do then. A ledger that cannot be read for another reason (permissions,
  ///     in use, a later version, other scales) is never set aside.
  ///   - maximumPages: An upper bound for the file in pages of 4 KiB; nil for none.
  /// - Returns: The ledger with the orders it held.
  /// - Throws: A ``LedgerError``; the files are as they were, but for a damaged ledger that was set
  ///   aside before.
  public static func open(
    at path: String, rules: TradingRules, now: Timestamp, ifDamaged: DamagePolicy = .setAside,
    maximumPages: Int? = nil
  ) throws(LedgerError) -> Opened {
    try LedgerError.translating(path: path) {
      let files = DatabaseFiles(path: path, companions: [".anchor"])
      try files.makeFolder()
      let lock = try files.lock()
      return try open(
        files, Genesis(rules), now: now, ifDamaged: ifDamaged, maximumPages: maximumPages,
        lock: lock)
    }
  }

  /// Stores events, all or none, in one commit; they are on disk when this returns.
  ///
  /// They must follow the stored ones; nothing is stored when this throws.
  ///
  /// - Returns: the hash of the last event; nil when there was none to store.
  @discardableResult
  public func append(_ events: [OrderEvent]) throws(LedgerError) -> ChainHash? {
    guard !events.isEmpty else { return nil }
    return try access {
      try $0.writeWithoutTransaction { database in
        var note: LedgerAnchor.Note?
        try database.inTransaction(.immediate) {
          note = try Self.insert(events, into: database)
          return .commit
        }
        // The events are safe; a note that could not be written only makes the anchor older.
        if let note { try? anchor.write(note) }
        return note?.hash
      }
    }
  }

  /// Moves the write-ahead log into the database and closes both; later calls throw.
  public func close() throws(LedgerError) {
    try LedgerError.translating(path: path) { try database.close { try $0.close() } }
    lock.release()
  }
}

extension OrderLedger {
  private static func insert(
    _ events: [OrderEvent], into database: Database
  ) throws -> LedgerAnchor.Note {
    let last = try Row.fetchOne(
      database, sql: "SELECT sequence, hash FROM event ORDER BY sequence DESC LIMIT 1")
    var sequence = last.map { UInt64($0[0] as Int64) } ?? 0
    var head = try last.flatMap { ChainHash(bytes: Array($0[1] as Data)) } ?? genesisHash(database)
    let statement = try database.cachedStatement(
      sql: "INSERT INTO event (sequence, clientIdentifier, payload, hash) VALUES (?, ?, ?, ?)")
    for event in events {
      guard event.sequence == sequence + 1 else {
        throw LedgerError.outOfStep(expected: sequence + 1, found: event.sequence)
      }
      let payload = EventCodec.encode(event)
      head = head.followed(by: payload)
      let name = EventCodec.clientIdentifier(of: event)
      do {
        try statement.execute(
          arguments: [Int64(event.sequence), name, payload, Data(head.bytes)])
      } catch let error as DatabaseError
        where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
      {
        throw LedgerError.duplicateClientIdentifier(name ?? "")
      }
      sequence = event.sequence
    }
    return LedgerAnchor.Note(sequence: sequence, hash: head)
  }

  private static func genesisHash(_ database: Database) throws -> ChainHash {
    let payload = try String.fetchOne(database, sql: "SELECT payload FROM ledger")
    return ChainHash(genesis: payload ?? "")
  }
}

// MARK: - Excerpts for followers

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

// MARK: - Opening

// Inspect the file, set damage aside, connect, and make sure that a commit waits for the disk.

extension OrderLedger {
  /// Writes and removes a small file beside the database: throws when a commit would find no room.
  public static func checkRoom(at path: String) throws(LedgerError) {
    try LedgerError.translating(path: path) { try DatabaseFiles(path: path).checkRoom() }
  }

  /// Opens the files under a lock that was taken.
  static func open(
    _ files: DatabaseFiles, _ genesis: Genesis, now: Timestamp, ifDamaged: DamagePolicy,
    maximumPages: Int?, lock: WriterLock
  ) throws -> Opened {
    let path = files.path
    try checkAnchor(of: files)
    var found: LedgerInspection?
    var setAside: SetAside?
    if files.exists || files.isInPlace && LedgerAnchor(path: path + ".anchor").read() != .missing {
      let inspection = try LedgerInspector.inspect(path: path)
      if inspection.verification.isIntact {
        found = inspection
      } else if ifDamaged == .refuse {
        throw LedgerError.damaged(path: path, inspection.verification)
      } else {
        setAside = SetAside(
          path: try files.setAside(at: now), verification: inspection.verification)
      }
    }
    if let stored = found?.genesis, stored != genesis {
      throw LedgerError.otherScales(expected: genesis, found: stored)
    }
    try files.makePrivate()
    let database = try connect(path, genesis, maximumPages: maximumPages)
    let inspection: LedgerInspection
    if let found, !found.isFresh {
      inspection = found
    } else {
      inspection = try LedgerInspector.inspect(path: path)
    }
    guard let head = inspection.verification.headHash, inspection.verification.isIntact else {
      throw LedgerError.damaged(path: path, inspection.verification)
    }
    guard let identity = try database.read({ try LedgerIdentity.stored(in: $0) }) else {
      throw LedgerError.storage(path: path, detail: "expected an identity, found none")
    }
    let ledger = OrderLedger(path: path, identity: identity, database: database, lock: lock)
    try? ledger.anchor.write(
      LedgerAnchor.Note(sequence: inspection.history.lastSequence, hash: head))
    return Opened(
      ledger: ledger, history: inspection.history, verification: inspection.verification,
      setAside: setAside, isNew: found?.genesis == nil)
  }

  /// Refuses a ledger whose anchor is no file, or knows more than a database that is gone.
  private static func checkAnchor(of files: DatabaseFiles) throws(LedgerError) {
    let path = files.path + ".anchor"
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw .notAFile(path: path)
    }
    guard !files.isInPlace else { return }
    switch LedgerAnchor(path: path).read() {
    case .missing: break
    case .unreadable: throw .missing(path: files.path, events: nil)
    case .note(let note):
      if note.sequence > 0 { throw .missing(path: files.path, events: note.sequence) }
    }
  }

  /// Opens the database for writing, at this version, and makes sure that a commit is on disk.
  private static func connect(
    _ path: String, _ genesis: Genesis, maximumPages: Int?
  ) throws(LedgerError) -> DatabaseQueue {
    try LedgerError.translating(path: path) {
      var configuration = Configuration()
      configuration.journalMode = .wal
      configuration.label = "order-ledger"
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { database in
        if let maximumPages {
          try database.execute(sql: "PRAGMA max_page_count = \(maximumPages)")
        }
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // Apple's disks need to be told to empty their caches; elsewhere these do nothing.
        try database.execute(sql: "PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1")
      }
      try LedgerSchema.migrator(genesis).migrate(queue)
      let (journal, synchronous) = try durability(of: queue)
      guard journal == "wal" else {
        throw LedgerError.storage(path: path, detail: "expected journal mode wal, found \(journal)")
      }
      guard synchronous == 2 else { throw LedgerError.notDurable(synchronous: synchronous) }
      return queue
    }
  }

  private static func durability(of queue: DatabaseQueue) throws -> (String, Int64) {
    try queue.writeWithoutTransaction { database in
      let journal = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "none"
      let synchronous = try Int64.fetchOne(database, sql: "PRAGMA synchronous") ?? 0
      return (journal, synchronous)
    }
  }

  /// The open connection's journal mode and its `synchronous`, 2 for FULL.
  func durability() throws -> (journal: String, synchronous: Int64) {
    try access { try Self.durability(of: $0) }
  }
}

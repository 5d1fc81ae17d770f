import DataFiles
import Foundation
import GRDB
public import MarketModel
public import PaperTrading

/// The append-only, hash-chained store of order events, with one writer at a time.
///
/// Events survive a crash and a power cut once `append` returns. SQLite waits for the disk
/// (write-ahead log, synchronous FULL); opening verifies that, because GRDB or a configuration
/// could change it.
///
/// Calls block for the disk, about 0.2 ms per commit regardless of the number of events. Call from
/// an actor or a dedicated thread, and append accumulated events in one call.
public final class OrderLedger: Sendable {
  /// How to open a damaged ledger.
  public enum DamagePolicy: Sendable {
    /// Leaves it and throws ``LedgerError/damaged(path:_:)``.
    case refuse
    /// Renames its files and begins a new ledger; ``Opened/setAside`` reports the old one.
    case setAside
  }

  /// A damaged ledger that was moved out of the way.
  public struct SetAside: Hashable, Sendable {
    /// The new path of its database; its other files are beside it.
    public let path: String
    /// The defects found.
    public let verification: LedgerVerification
  }

  /// An open ledger with its contents.
  public struct Opened: Sendable {
    /// The ledger, ready for appending.
    public let ledger: OrderLedger
    /// The recovered orders.
    public let history: OrderHistory
    /// The check made while opening; intact.
    public let verification: LedgerVerification
    /// The damaged ledger that was moved; nil if there was none.
    public let setAside: SetAside?
    /// Whether the ledger was just created.
    public let isNew: Bool
  }

  /// The file name of the database in the data folder.
  public static let fileName = "orders.sqlite"

  /// The database's path.
  public let path: String
  /// The ledger's unique identity.
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

  func access<Result>(_ body: (DatabaseQueue) throws -> Result) throws(LedgerError) -> Result {
    let result = try LedgerError.translating(path: path) { try database.use(body) }
    guard let result else { throw .storage(path: path, detail: "closed") }
    return result
  }

  /// Opens or creates a ledger and checks all of it.
  ///
  /// O(events).
  ///
  /// - Parameters:
  ///   - path: The database file; its folder is created if needed.
  ///   - rules: Their scales must match the ledger's.
  ///   - now: Used to name a damaged ledger that is set aside.
  ///   - ifDamaged: The policy for damage. A ledger that is unreadable for another reason
  ///     (permissions, in use, a later version, different scales) is never set aside.
  ///   - maximumPages: The maximum file size in pages of 4 KiB; nil for no limit.
  /// - Returns: The ledger with its orders.
  /// - Throws: A ``LedgerError``; the files are unchanged, except for a damaged ledger already set
  ///   aside.
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
  /// The events must continue the stored sequence; nothing is stored if this throws.
  ///
  /// - Returns: the hash of the last event; nil for no events.
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
        // The events are durable; if the anchor can't be written, it is merely older.
        if let note { try? anchor.write(note) }
        return note?.hash
      }
    }
  }

  /// Checkpoints the write-ahead log and closes the database; later calls throw.
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
        try statement.execute(arguments: [Int64(event.sequence), name, payload, Data(head.bytes)])
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
  /// The next events after a sequence number, up to the excerpt limit.
  ///
  /// Hashes are not recomputed. O(events of the excerpt).
  ///
  /// - Parameter sequence: The preceding event; 0 for the first ones.
  /// - Returns: The events; empty and without a hash if there is no such event.
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

extension OrderLedger {
  /// Writes and removes a small file beside the database; throws if the disk is full.
  public static func checkRoom(at path: String) throws(LedgerError) {
    try LedgerError.translating(path: path) { try DatabaseFiles(path: path).checkRoom() }
  }

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

  /// Rejects a ledger whose anchor is a folder, or whose database is missing although the anchor
  /// records events.
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

  /// Opens the database for writing, migrates it and verifies that commits are durable.
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
        // Apple's disks flush their caches only on request; elsewhere these pragmas do nothing.
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

  /// The open connection's journal mode and its `synchronous` value; 2 means FULL.
  func durability() throws -> (journal: String, synchronous: Int64) {
    try access { try Self.durability(of: $0) }
  }
}

// What happens between a path and an open ledger: inspect what is there, set damage aside, connect,
// and make sure that a commit waits for the disk.

import DataFiles
import Foundation
import GRDB
import MarketModel
import PaperTrading

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

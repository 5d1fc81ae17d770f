// LT8: every change, omission, addition or move is found, named, and never used.

import Foundation
import GRDB
import MarketModel
@testable import OrderLedger
import PaperTrading
import TestSupport
import Testing

@Suite struct `Damaged ledgers` {
  /// Edits a ledger with SQLite: guards off, guards back on.
  private func edit(_ folder: LedgerFolder, _ sql: String) throws {
    let database = try DatabaseQueue(path: folder.path)
    try database.write { database in
      let triggers = LedgerSchema.objects.filter { $0.sql.contains("TRIGGER") }
      for trigger in triggers { try database.execute(sql: "DROP TRIGGER \(trigger.name)") }
      try database.execute(sql: sql)
      for trigger in triggers { try database.execute(sql: trigger.sql) }
    }
    try database.close()
  }

  private func findings(_ folder: LedgerFolder) throws -> [LedgerFinding] {
    let error = #expect(throws: LedgerError.self) { try folder.open() }
    guard case .damaged(_, let verification) = error else {
      Issue.record("expected damage, found \(error)")
      return []
    }
    #expect(try LedgerReader(path: folder.path).verification == verification)
    return verification.findings
  }

  @Test(arguments: [
    ("UPDATE event SET payload = replace(payload, '45', '46') WHERE sequence = 7", 7),
    ("UPDATE event SET hash = zeroblob(32) WHERE sequence = 7", 7),
    (
      "UPDATE event SET payload = (SELECT payload FROM event LIMIT 1) WHERE sequence = 7",
      7
    ),
    ("UPDATE event SET payload = payload || ' ' WHERE sequence = 1", 1),
  ])
  func `a changed row is found`(sql: String, sequence: UInt64) throws {
    let folder = try LedgerFolder()
    try folder.fill()
    try edit(folder, sql)
    #expect(try findings(folder) == [.brokenChain(sequence)])
  }

  @Test func `a changed client order id is found`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    try edit(folder, "UPDATE event SET clientIdentifier = 'other' WHERE sequence = 1")
    #expect(try findings(folder) == [.unreadableEvent(1)])
  }

  @Test func `two rows that changed places are found`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    try edit(
      folder,
      """
      UPDATE event SET sequence = 100000 WHERE sequence = 5;
      UPDATE event SET sequence = 5 WHERE sequence = 6;
      UPDATE event SET sequence = 6 WHERE sequence = 100000;
      """)
    #expect(try findings(folder) == [.brokenChain(5)])
  }

  @Test func `a row that was taken out is found`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    try edit(folder, "DELETE FROM event WHERE sequence = 5")
    #expect(try findings(folder) == [.gap(expected: 5, found: 6)])
  }

  @Test(arguments: ["", "UPDATE sqlite_sequence SET seq = 4;"])
  func `rows taken off the end are found, also when SQLite's own count is set back`(
    extra: String
  ) throws {
    let folder = try LedgerFolder()
    let count = try folder.fill().lastSequence
    try edit(folder, "DELETE FROM event WHERE sequence > 4; " + extra)
    #expect(try findings(folder) == [.truncated(expected: count, found: 4)])
  }

  @Test func `a recomputed chain is detected by the anchor`() throws {
    let folder = try LedgerFolder()
    let other = try LedgerFolder()
    try folder.fill(60)
    let opened = try other.open()
    try opened.ledger.append(folder.events(90, seed: 2))
    try opened.ledger.close()
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.copyItem(atPath: other.path, toPath: folder.path)
    let count = folder.events(60).count
    #expect(try findings(folder) == [.rewritten(UInt64(count))])
  }

  @Test func `events that hash well but cannot follow are found`() throws {
    let folder = try LedgerFolder()
    let ledger = try folder.open().ledger
    let cancellation = Cancellation(reason: .requested, level: nil, available: .zero)
    let one = OrderIdentifier(number: 1)
    try ledger.append([
      OrderEvent(
        sequence: 1, time: Timestamp(milliseconds: 0), change: .cancelled(one, cancellation))
    ])
    try ledger.close()
    #expect(try findings(folder) == [.impossibleEvent(1, .unknownOrder(one))])
  }

  @Test func `missing guards and a changed beginning are found`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    let database = try DatabaseQueue(path: folder.path)
    try database.write { try $0.execute(sql: "DROP TRIGGER event_no_delete") }
    try database.close()
    #expect(try findings(folder) == [.schemaChanged("event_no_delete")])
    let second = try LedgerFolder()
    try second.fill()
    try edit(second, "UPDATE ledger SET payload = replace(payload, '6', '2')")
    #expect(try findings(second) == [.brokenChain(1)])
    try edit(second, "UPDATE ledger SET payload = 'x'")
    #expect(try findings(second) == [.genesis])
  }

  @Test func `a changed identity is found`() throws {
    for (sql, finding) in [
      ("DROP TABLE identity", LedgerFinding.schemaChanged("identity")),
      ("DROP TRIGGER identity_no_update", .schemaChanged("identity_no_update")),
      ("DROP TRIGGER identity_no_delete", .schemaChanged("identity_no_delete")),
      (
        """
        DROP TRIGGER identity_no_update;
        UPDATE identity SET value = replace(hex(zeroblob(16)), '0', 'x');
        \(LedgerSchema.identityObjects.first { $0.name == "identity_no_update" }?.sql ?? "")
        """, .identity
      ),
    ] {
      let folder = try LedgerFolder()
      try folder.fill()
      let database = try DatabaseQueue(path: folder.path)
      try database.write { try $0.execute(sql: sql) }
      try database.close()
      #expect(try findings(folder).first == finding)
    }
  }

  @Test func `a damaged anchor is found, a missing one is reported and recreated`() throws {
    let folder = try LedgerFolder()
    let history = try folder.fill()
    try Data("livetape-anchor 1 9999".utf8).write(to: URL(fileURLWithPath: folder.path + ".anchor"))
    #expect(try findings(folder) == [.unreadableAnchor])
    try FileManager.default.removeItem(atPath: folder.path + ".anchor")
    let opened = try folder.open()
    #expect(opened.history == history)
    #expect(!opened.verification.isAnchored)
    try opened.ledger.close()
    #expect(try LedgerReader(path: folder.path).verification.isAnchored)
  }

  @Test func `one torn slot of the anchor is no damage`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    let opened = try folder.open()
    try opened.ledger.append(folder.events(5, seed: 9, after: opened.history))
    try opened.ledger.close()
    let url = URL(fileURLWithPath: folder.path + ".anchor")
    let whole = try Data(contentsOf: url)
    for slot in [0, 1] {
      var torn = whole
      for index in (slot * 128 + 40)..<(slot * 128 + 128) where index < torn.count {
        torn[index] = 0
      }
      try torn.write(to: url)
      #expect(LedgerAnchor(path: url.path).read() != .unreadable, "slot \(slot)")
      #expect(try LedgerReader(path: folder.path).verification.isIntact)
    }
  }

  @Test func `a damaged ledger is set aside whole, and a new one begins`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    try edit(folder, "DELETE FROM event WHERE sequence = 5")
    let damaged = try Data(contentsOf: URL(fileURLWithPath: folder.path))
    let opened = try folder.open(.setAside)
    let setAside = try #require(opened.setAside)
    #expect(setAside.path == folder.path + ".damaged-2026-09-21T14-13-20-123Z")
    #expect(setAside.verification.findings == [.gap(expected: 5, found: 6)])
    #expect(try Data(contentsOf: URL(fileURLWithPath: setAside.path)) == damaged)
    #expect(FileManager.default.fileExists(atPath: setAside.path + ".anchor"))
    #expect(opened.history == OrderHistory())
    try opened.ledger.append(folder.events(20))
    try opened.ledger.close()
    try edit(folder, "DELETE FROM event WHERE sequence = 5")
    #expect(try folder.open(.setAside).setAside?.path == setAside.path + "-2")
    #expect(try LedgerReader(path: setAside.path).history.lastSequence == 4)
  }

  @Test(arguments: 1...repetitions(1, all: 3) as ClosedRange<UInt64>)
  func `no flipped byte is ever used`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try LedgerFolder()
    let history = try folder.fill(40)
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
    var found = 0
    for _ in 0..<120 {
      let index = Int(random.below(Int64(whole.count)))
      var changed = whole
      changed[index] ^= UInt8(1 + random.below(255))
      try changed.write(to: URL(fileURLWithPath: folder.path))
      do throws(LedgerError) {
        let reader = try LedgerReader(path: folder.path)
        if reader.verification.isIntact {
          // A byte that nothing reads.
          #expect(reader.history == history, "seed \(seed), byte \(index)")
        } else {
          found += 1
        }
      } catch { found += 1 }
      for name in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: folder.path + name)
      }
    }
    #expect(found > 15, "seed \(seed)")
  }

  @Test(arguments: [UInt64(4), 5])
  func `a truncated file is found at any length`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try LedgerFolder()
    try folder.fill(80)
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
    for _ in 0..<40 {
      let length = Int(random.below(Int64(whole.count)))
      try whole.prefix(length).write(to: URL(fileURLWithPath: folder.path))
      #expect(throws: LedgerError.self, "seed \(seed), \(length) bytes") { try folder.open() }
    }
    try whole.write(to: URL(fileURLWithPath: folder.path))
    #expect(try folder.open().verification.isIntact)
  }

  @Test func `a write-ahead log that was cut, spoiled or lost is found`() throws {
    let folder = try LedgerFolder()
    let copy = try LedgerFolder()
    let ledger = try folder.open().ledger
    let events = folder.events(80)
    for event in events { try ledger.append([event]) }
    let log = try Data(contentsOf: URL(fileURLWithPath: folder.path + "-wal"))
    var spoiled = log
    spoiled[log.count / 2] ^= 1
    for (name, wal) in [
      ("whole", log), ("cut", log.prefix(log.count - 5000)), ("spoiled", spoiled),
    ] {
      for file in ["", "-wal", "-shm", ".anchor"] {
        try? FileManager.default.removeItem(atPath: copy.path + file)
      }
      for file in ["", ".anchor"] {
        try FileManager.default.copyItem(atPath: folder.path + file, toPath: copy.path + file)
      }
      try wal.write(to: URL(fileURLWithPath: copy.path + "-wal"))
      let verification = try LedgerReader(path: copy.path).verification
      if name == "whole" {
        #expect(verification.isIntact)
      } else {
        #expect(
          verification.findings
            == [.truncated(expected: UInt64(events.count), found: verification.eventCount)],
          "\(name)")
      }
    }
    try ledger.close()
  }

  @Test func `an index that contradicts its table is found`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    // The name is in the row, in the row's text and in the index; only in the index a row number
    // follows it. With a damaged index, one name could be stored twice.
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path)))
    let name = Array("order-3".utf8)
    let place = bytes.indices.dropLast(name.count).first { index in
      let next = bytes[index + name.count]
      return bytes[index..<(index + name.count)].elementsEqual(name) && next < 0x20
    }
    bytes[try #require(place) + 6] = UInt8(ascii: "x")
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path))
    let found = try findings(folder)
    #expect(found.count == 1)
    guard case .unreadableFile = found.first else {
      Issue.record("expected an unreadable file, found \(found)")
      return
    }
  }

  @Test func `what is no database at all is set aside`() throws {
    let folder = try LedgerFolder()
    try Data("order,side\n1,buy\n".utf8).write(to: URL(fileURLWithPath: folder.path))
    let opened = try folder.open(.setAside)
    #expect(opened.setAside?.verification.findings.count == 1)
    #expect(opened.history.orders.isEmpty)
  }
}

// Orders on disk: stored, recovered, rejected.

import Foundation
import GRDB
import MarketModel
@testable import OrderLedger
import PaperTrading
import Testing

@Suite struct `Order ledger` {
  @Test func `recovery gives an equal history and state hash`() throws {
    let folder = try LedgerFolder()
    let events = folder.events(500)
    var history = OrderHistory()
    for chunk in stride(from: 0, to: events.count, by: 37) {
      let opened = try folder.open()
      #expect(opened.history == history)
      #expect(opened.verification.stateHash == history.stateHash)
      #expect(opened.setAside == nil)
      let part = Array(events[chunk..<min(chunk + 37, events.count)])
      try opened.ledger.append(part)
      for event in part { try history.apply(event) }
    }
    let opened = try folder.open()
    #expect(opened.history == history)
    #expect(opened.verification.eventCount == UInt64(events.count))
    #expect(opened.verification.isIntact)
    #expect(opened.verification.isAnchored)
  }

  @Test func `a commit waits for the disk, in a write-ahead log`() throws {
    let folder = try LedgerFolder()
    let durability = try folder.open().ledger.durability()
    #expect(durability.synchronous == 2, "2 is FULL")
    #expect(durability.journal == "wal")
    #expect(try folder.open().ledger.durability().synchronous == 2, "also when it is opened again")
  }

  @Test func `events that do not follow are refused, and nothing of the batch is stored`() throws {
    let folder = try LedgerFolder()
    let events = folder.events(50)
    let ledger = try folder.open().ledger
    try ledger.append([])
    try ledger.append(Array(events[..<5]))
    #expect(throws: LedgerError.outOfStep(expected: 6, found: 5)) {
      try ledger.append(Array(events[4..<9]))
    }
    #expect(throws: LedgerError.outOfStep(expected: 8, found: 9)) {
      try ledger.append(Array(events[5..<7] + events[8..<9]))
    }
    try ledger.append(Array(events[5...]))
    try ledger.close()
    #expect(try folder.open().verification.eventCount == UInt64(events.count))
  }

  @Test func `closing under six readers waits for them, and later calls throw`() throws {
    let folder = try LedgerFolder()
    let events = folder.events(300)
    for _ in 0..<20 {
      let ledger = try folder.open().ledger
      if try ledger.excerpt(after: 0).texts.isEmpty { try ledger.append(events) }
      DispatchQueue.concurrentPerform(iterations: 7) { reader in
        if reader == 3 { try? ledger.close() }
        for sequence in UInt64(0)..<20 { _ = try? ledger.excerpt(after: sequence) }
      }
      #expect(throws: LedgerError.self) { try ledger.excerpt(after: 0) }
      #expect(throws: LedgerError.self) { try ledger.append(events) }
      try ledger.close()
    }
    #expect(try folder.open().verification.eventCount == UInt64(events.count))
  }

  @Test func `one client order id is stored once, whatever asks`() throws {
    let folder = try LedgerFolder()
    let name = try #require(ClientOrderIdentifier("click-1"))
    func accepted(_ number: UInt64) -> OrderEvent {
      let request = OrderRequest(
        clientIdentifier: name, symbol: folder.rules.symbol, side: .buy,
        kind: .limit(Price(units: 10_000)), quantity: Quantity(units: 1))
      let placement = Placement(
        identifier: OrderIdentifier(number: number), request: request, arrival: nil)
      return OrderEvent(
        sequence: number, time: Timestamp(milliseconds: 1), change: .accepted(placement))
    }
    let ledger = try folder.open().ledger
    try ledger.append([accepted(1)])
    #expect(throws: LedgerError.duplicateClientIdentifier("click-1")) {
      try ledger.append([accepted(2)])
    }
    try ledger.close()
    #expect(try folder.open().history.orders.count == 1)
  }

  @Test func `SQLite refuses to change, delete or squeeze in an event`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    let database = try DatabaseQueue(path: folder.path)
    for sql in [
      "UPDATE event SET payload = 'x' WHERE sequence = 3", "DELETE FROM event WHERE sequence = 3",
      "DELETE FROM ledger", "UPDATE ledger SET payload = 'x'",
      "INSERT INTO event (sequence, payload, hash) VALUES (9999, 'x', zeroblob(32))",
      "INSERT OR REPLACE INTO event (sequence, payload, hash) VALUES (2, 'x', zeroblob(32))",
    ] {
      #expect(throws: DatabaseError.self, "\(sql)") {
        try database.write { try $0.execute(sql: sql) }
      }
    }
    try database.close()
    #expect(try folder.open().verification.isIntact)
  }

  @Test func `a second writer is refused, a reader is not`() throws {
    let folder = try LedgerFolder()
    let ledger = try folder.open().ledger
    #expect(throws: LedgerError.inUse(path: folder.path)) { try folder.open() }
    let events = folder.events(50)
    try ledger.append(events)
    let reader = try LedgerReader(path: folder.path)
    #expect(reader.verification.isIntact)
    #expect(reader.verification.eventCount == UInt64(events.count))
    try ledger.close()
  }

  @Test func `other scales are refused and the ledger stays where it is`() throws {
    let folder = try LedgerFolder()
    let history = try folder.fill()
    let other = try #require(
      TradingRules(
        symbol: folder.rules.symbol, priceScale: Scale(clamping: 2), tick: Price(units: 1),
        maximumPrice: Price(units: 1000), quantityScale: .whole, lot: Quantity(units: 1),
        maximumQuantity: Quantity(units: 1000)))
    #expect(
      throws: LedgerError.otherScales(
        expected: Genesis(other), found: Genesis(folder.rules))
    ) {
      try OrderLedger.open(at: folder.path, rules: other, now: Timestamp(milliseconds: 0))
    }
    #expect(try folder.open().history == history)
  }

  @Test(arguments: 1...7)
  func `a ledger of an earlier version opens with its orders, and continues`(version: Int) throws {
    let folder = try LedgerFolder()
    let history = try folder.fill()
    let database = try DatabaseQueue(path: folder.path)
    try database.write {
      try $0.execute(
        sql: (version < 3 ? "DROP TABLE identity; " : "")
          + "DELETE FROM grdb_migrations WHERE identifier > '\(version + 1)'")
    }
    try database.close()
    // Reading changes nothing: the ledger has no identity before it is opened for writing.
    #expect(try LedgerReader(path: folder.path).verification.isIntact)
    #expect((try LedgerIdentity.stored(at: folder.path) == nil) == (version < 3))
    let opened = try folder.open()
    #expect(opened.history == history && opened.verification.isIntact && !opened.isNew)
    #expect(try LedgerIdentity.stored(at: folder.path) == opened.ledger.identity)
    try opened.ledger.append(folder.events(20, seed: 2, after: opened.history))
    try opened.ledger.close()
    #expect(try folder.open().verification.isIntact)
  }

  @Test func `a ledger has an identity of its own, which it keeps and its copies share`() throws {
    let folder = try LedgerFolder()
    let other = try LedgerFolder()
    #expect(try LedgerIdentity.stored(at: folder.path) == nil, "there is no ledger yet")
    let opened = try folder.open()
    #expect(opened.isNew)
    let identity = opened.ledger.identity
    #expect(try LedgerIdentity.stored(at: folder.path) == identity, "also while it is written")
    try opened.ledger.append(folder.events(5))
    try opened.ledger.close()
    try FileManager.default.copyItem(atPath: folder.path, toPath: folder.path + "2")
    #expect(try LedgerIdentity.stored(at: folder.path + "2") == identity)
    let again = try folder.open()
    #expect(again.ledger.identity == identity && !again.isNew)
    #expect(try other.open().ledger.identity != identity)
    #expect(LedgerIdentity(identity.description) == identity)
    for text in [
      "", "0", identity.description.uppercased() + "A", "g" + identity.description.dropFirst(),
    ] {
      #expect(LedgerIdentity(text) == nil)
    }
  }

  @Test func `a ledger of a later version is refused and stays where it is`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    let database = try DatabaseQueue(path: folder.path)
    try database.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99 later')")
    }
    try database.close()
    #expect(throws: LedgerError.newerVersion(path: folder.path)) { try folder.open(.setAside) }
    #expect(throws: LedgerError.newerVersion(path: folder.path)) {
      try LedgerReader(path: folder.path)
    }
  }

  @Test func `a database that was made and never written to becomes a ledger`() throws {
    let folder = try LedgerFolder()
    let database = try DatabasePool(path: folder.path)
    try database.close()
    #expect(try folder.open().verification.eventCount == 0)
    try Data().write(to: URL(fileURLWithPath: folder.path + "2"))
    let empty = try OrderLedger.open(
      at: folder.path + "2", rules: folder.rules, now: Timestamp(milliseconds: 0))
    #expect(empty.setAside == nil)
  }

  @Test func `a full disk is a clear error, and what was stored stays`() throws {
    let folder = try LedgerFolder()
    let events = folder.events(4000)
    let ledger = try folder.open(maximumPages: 20).ledger
    var stored = 0
    var failure: LedgerError?
    for start in stride(from: 0, to: events.count, by: 20) {
      let part = Array(events[start..<min(start + 20, events.count)])
      do throws(LedgerError) { try ledger.append(part) } catch {
        failure = error
        break
      }
      stored += part.count
    }
    #expect(failure == .diskFull(path: folder.path))
    #expect(failure?.userMessage.description.contains("the disk is full") == true)
    #expect(stored > 0)
    try ledger.close()
    let opened = try folder.open()
    #expect(opened.verification.eventCount == UInt64(stored))
    try opened.ledger.append(Array(events[stored...]))
  }

  @Test func `a folder that can't be written is a clear error`() throws {
    let folder = try LedgerFolder()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: folder.folder)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.folder)
    }
    let (text, status) = try CrashWriter.run(["open", folder.path])
    guard status != CrashWriter.mayWriteAnywhere else { return }
    #expect(status == 1)
    #expect(text.contains("not writable"))
    #expect(text.contains("the data folder is not writable. Nothing was ordered."))
    #expect(
      throws: LedgerError.notWritable(
        path: "/dev/null/x/orders.sqlite", detail: "the folder /dev/null/x cannot be made")
    ) {
      try OrderLedger.open(
        at: "/dev/null/x/orders.sqlite", rules: folder.rules, now: Timestamp(milliseconds: 0))
    }
  }

  @Test(arguments: ["", ".anchor"])
  func `a folder with the name of the ledger or its anchor is reported as such, and left there`(
    name: String
  ) throws {
    let folder = try LedgerFolder()
    if !name.isEmpty { try folder.fill() }
    let path = folder.path + name
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: LedgerError.notAFile(path: path)) { try folder.open() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    try FileManager.default.removeItem(atPath: path)
    #expect(try folder.open().isNew == name.isEmpty)
  }

  @Test func `a database that is gone is missed, and no new one takes its place`() throws {
    let folder = try LedgerFolder()
    let history = try folder.fill()
    let kept = folder.path + ".kept"
    try FileManager.default.moveItem(atPath: folder.path, toPath: kept)
    let missing = LedgerError.missing(path: folder.path, events: history.lastSequence)
    #expect(throws: missing) { try folder.open(.setAside) }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(missing.description.contains("event \(history.lastSequence)"))
    try FileManager.default.moveItem(atPath: kept, toPath: folder.path)
    #expect(try folder.open().history == history, "restored")
    try FileManager.default.removeItem(atPath: folder.path)
    try Data("?".utf8).write(to: URL(fileURLWithPath: folder.path + ".anchor"))
    #expect(throws: LedgerError.missing(path: folder.path, events: nil)) { try folder.open() }
  }

  @Test
  func `a ledger without events that is gone is begun again, and so is one without an anchor`()
    throws
  {
    let folder = try LedgerFolder()
    try folder.open().ledger.close()
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(try folder.open().isNew)
    let other = try LedgerFolder()
    try other.fill()
    for name in ["", ".anchor"] { try FileManager.default.removeItem(atPath: other.path + name) }
    #expect(try other.open().isNew)
  }

  @Test func `a file that can't be written is a clear error and is not set aside`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    for (name, mode) in [("", 0o444), (".lock", 0o666), (".anchor", 0o444)] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder.path + name)
    }
    let (text, status) = try CrashWriter.run(["open", folder.path])
    guard status != CrashWriter.mayWriteAnywhere else { return }
    #expect(text.contains("not writable"), "\(text)")
    #expect(FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `every error has a text for logs and one for users, without paths in the latter`() {
    let verification = LedgerVerification(
      eventCount: 0, headHash: nil, stateHash: 0, isAnchored: true, findings: [.genesis])
    let scales = Genesis(priceScale: .whole, quantityScale: .whole)
    let errors: [LedgerError] = [
      .notFound(path: "/p"), .notWritable(path: "/p", detail: "d"), .diskFull(path: "/p"),
      .inUse(path: "/p"), .damaged(path: "/p", verification), .newerVersion(path: "/p"),
      .otherScales(expected: scales, found: scales), .outOfStep(expected: 1, found: 2),
      .duplicateClientIdentifier("a"), .notDurable(synchronous: 1),
      .storage(path: "/p", detail: "d"), .missing(path: "/p", events: 7),
      .missing(path: "/p", events: nil), .notAFile(path: "/p"),
    ]
    for error in errors {
      #expect(error.description.hasPrefix("ledger") || error.description.hasPrefix("/p"))
      #expect(
        !error.userMessage.description.isEmpty && !error.userMessage.description.contains("/p"))
    }
  }
}

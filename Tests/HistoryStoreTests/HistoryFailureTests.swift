// A disk that is full, not ours or damaged: the caller continues, the status gives the reason, and
// the store retries.

import ChartModel
import Foundation
import GRDB
@testable import HistoryStore
import MarketModel
import TestSupport
import Testing

@Suite struct HistoryFailureTests {
  static let all = minutes(from: SetClock.start.milliseconds, 3000)

  private func damaged(_ folder: HistoryFolder) throws -> [String] {
    try folder.names().filter {
      $0.hasPrefix("history.sqlite.damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
  }

  @Test("A full disk is said once; what is there can be read, and what could not be written waits")
  func full() throws {
    let folder = try HistoryFolder()
    let said = SaidStatuses()
    let store = folder.open(maximumPages: 16, onChange: said.add)
    store.record(Self.all.prefix(100).map { record($0) })
    store.flush()
    #expect(store.status.failure == nil && store.status.writingSince == SetClock.start)
    store.record(Self.all.dropFirst(100).map { record($0) })
    store.flush()
    store.flush()
    #expect(store.status.failure == .diskFull)
    #expect(store.status.writingSince == nil)
    #expect(store.status.userMessage?.contains("disk is full") == true)
    #expect(said.all.map(\.failure) == [nil, .diskFull], "said once, not at each attempt")
    #expect(try store.candles(bitcoin, .minute, limit: 9999).candles == Array(Self.all.prefix(100)))
    #expect(store.status.droppedCount == 0)
  }

  @Test("A folder that can't be created is reported; once it can, queued data is written")
  func noFolder() throws {
    let parent = try HistoryFolder()
    let folder = parent.folder + "/data"
    #expect(FileManager.default.createFile(atPath: folder, contents: Data("x".utf8)))
    let said = SaidStatuses()
    let store = HistoryStore(folder: folder, now: { SetClock.start }, onChange: said.add)
    store.record(Self.all.map { record($0) })
    store.flush()
    guard case .notWritable = store.status.failure else {
      Issue.record("\(store.status)")
      return
    }
    #expect(store.status.userMessage?.contains("not writable") == true)
    #expect(throws: HistoryStoreError.self) { try store.candles(bitcoin, .minute, limit: 1) }
    try FileManager.default.removeItem(atPath: folder)
    store.flush()
    #expect(store.status.failure == nil)
    #expect(try store.candles(bitcoin, .minute, limit: 9999).candles == Self.all)
    #expect(said.all.count == 2 && said.all.last?.failure == nil)
  }

  @Test("While nothing can be written a bounded number waits, and the dropped ones are counted")
  func dropped() throws {
    let parent = try HistoryFolder()
    let folder = parent.folder + "/data"
    #expect(FileManager.default.createFile(atPath: folder, contents: Data("x".utf8)))
    var limits = HistoryLimits()
    limits.maximumWaiting = 2000
    let store = HistoryStore(folder: folder, limits: limits, now: { SetClock.start })
    for start in stride(from: 0, to: 3000, by: 100) {
      store.record(Self.all[start..<start + 100].map { record($0) })
    }
    store.flush()
    #expect(store.status.failure != nil)
    try FileManager.default.removeItem(atPath: folder)
    store.flush()
    #expect(store.status.droppedCount == 1000)
    #expect(
      try store.candles(bitcoin, .minute, limit: 9999).candles == Array(Self.all.suffix(2000)))
  }

  @Test("A folder without write permission is reported")
  func readOnly() throws {
    let folder = try HistoryFolder()
    chmod(folder.folder, 0o555)
    defer { chmod(folder.folder, 0o755) }
    let process = try Process.product("history-crash-writer", ["open", folder.folder])
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.runWithinPatience()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // 2: this superuser can't drop its privileges, so nothing can be tested.
    if process.terminationStatus == 2 { return }
    #expect(said.contains("not writable"), "\(said)")
    #expect(try folder.names() == [])
  }

  @Test(
    "What is no database is set aside with its bytes, and a new history begins", arguments: 0..<4)
  func garbage(kind: Int) throws {
    let folder = try HistoryFolder()
    let bytes: Data
    if kind == 0 {
      bytes = Data(repeating: 0x41, count: 10_000)
    } else {
      let store = folder.open()
      store.record(Self.all.map { record($0) })
      store.close()
      var whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
      switch kind {
      case 1: whole = whole.prefix(20_000)
      case 2:
        whole.replaceSubrange(8192..<(whole.count - 4096), with: Data(count: whole.count - 12_288))
      default: whole.replaceSubrange(0..<16, with: Data(repeating: 1, count: 16))
      }
      bytes = whole
    }
    try bytes.write(to: URL(fileURLWithPath: folder.path))
    let store = folder.open()
    store.record([record(Self.all[0])])
    store.flush()
    // Damage inside is found when it is read.
    _ = try? store.candles(bitcoin, .minute, limit: 9999)
    store.flush()
    let name = try #require(store.status.setAside, "kind \(kind): \(store.status)")
    #expect(store.status.failure == nil)
    #expect(store.status.userMessage?.contains(name) == true)
    #expect(try damaged(folder) == [name])
    #expect(name == "history.sqlite.damaged-2026-11-23T00-00-00-000Z")
    store.record([record(Self.all[1])])
    store.flush()
    #expect(try store.candles(bitcoin, .minute, limit: 9).candles.last == Self.all[1])
  }

  @Test("A deleted data folder is recreated, and later data is stored")
  func deleted() throws {
    let folder = try HistoryFolder()
    let store = folder.open()
    store.record([record(Self.all[0])])
    store.flush()
    try FileManager.default.removeItem(atPath: folder.folder)
    store.record([record(Self.all[1])])
    store.flush()
    #expect(store.status.failure == nil && FileManager.default.fileExists(atPath: folder.path))
    #expect(try store.candles(bitcoin, .minute, limit: 9).candles == [Self.all[1]])
    store.close()
    #expect(try folder.open().candles(bitcoin, .minute, limit: 9).candles == [Self.all[1]])
  }

  @Test("A file whose tables were changed is set aside")
  func otherTables() throws {
    let folder = try HistoryFolder()
    folder.open().close()
    let database = try DatabaseQueue(path: folder.path)
    try database.write { try $0.execute(sql: "DROP TABLE candle; CREATE TABLE candle (x)") }
    try database.close()
    let store = folder.open()
    store.flush()
    #expect(store.status.setAside != nil && store.status.failure == nil)
  }

  @Test("Rows that are no candles are left out, and the others are given")
  func strangeRows() throws {
    let folder = try HistoryFolder()
    let store = folder.open()
    store.record(Self.all.prefix(4).map { record($0) })
    store.close()
    let database = try DatabaseQueue(path: folder.path)
    try database.write { database in
      let rows = try Int64.fetchAll(database, sql: "SELECT start FROM candle ORDER BY start")
      let changes = ["low = 9", "source = 7", "start = 9223372036854775807"]
      for (row, change) in zip(rows, changes) {
        try database.execute(sql: "UPDATE candle SET \(change) WHERE start = ?", arguments: [row])
      }
    }
    try database.close()
    #expect(try folder.open().candles(bitcoin, .minute, limit: 9).candles == [Self.all[3]])
  }

  @Test(
    "A newer version's file and another program's are left as they are", arguments: [false, true])
  func notOurs(isNewer: Bool) throws {
    let folder = try HistoryFolder()
    if isNewer { folder.open().close() }
    let database = try DatabaseQueue(path: folder.path)
    try database.write { database in
      try database.execute(
        sql: isNewer
          ? "INSERT INTO grdb_migrations VALUES ('2 later')" : "CREATE TABLE addresses (name TEXT)")
    }
    try database.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path))
    let store = folder.open()
    store.record([record(Self.all[0])])
    store.flush()
    let expected = isNewer ? HistoryStoreError.newerVersion : .notAHistory
    #expect(store.status.failure == expected)
    #expect(throws: expected) { try store.candles(bitcoin, .minute, limit: 1) }
    store.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == bytes)
    #expect(try damaged(folder) == [])
  }

  @Test("A folder in the database's place is reported as such, and left there")
  func isFolder() throws {
    let folder = try HistoryFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
    let store = folder.open()
    store.record([record(Self.all[0])])
    store.flush()
    #expect(store.status.failure == .notWritable("it is no plain file"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("A second writer is reported, and takes over when the first one has gone")
  func inUse() throws {
    let folder = try HistoryFolder()
    let first = folder.open()
    first.record([record(Self.all[0])])
    first.flush()
    let second = folder.open()
    second.record([record(Self.all[1])])
    second.flush()
    #expect(second.status.failure == .inUse)
    first.close()
    second.flush()
    #expect(second.status.failure == nil)
    #expect(try second.candles(bitcoin, .minute, limit: 9).candles == Array(Self.all.prefix(2)))
  }

  @Test("Every failure has a text for users, without paths")
  func words() {
    let all: [HistoryStoreError] = [
      .notWritable("/x"), .diskFull, .inUse, .notAHistory, .newerVersion, .damaged("/x"),
      .storage("/x"), .closed,
    ]
    #expect(Set(all.map(\.userMessage)).count == all.count)
    #expect(all.allSatisfy { !$0.userMessage.contains("/") && $0.userMessage.hasSuffix(".") })
  }

  @Test("The next attempt comes after 5 s, then after twice as long, up to a minute")
  func delays() {
    var delay = RetryDelay()
    #expect((0..<6).map { _ in delay.next() } == [5, 10, 20, 40, 60, 60])
  }
}

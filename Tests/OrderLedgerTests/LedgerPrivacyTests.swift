// An order history is readable by its owner only.

import DataFiles
import Foundation
import MarketModel
@testable import OrderLedger
import PaperTrading
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct `Other users of the machine` {
  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
  }

  private func files(in folder: LedgerFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.folder).sorted()
      .map { folder.folder + "/" + $0 }
  }

  @Test func `a new history is its owner's, with all that lies beside it`() throws {
    let folder = try LedgerFolder()
    let path = folder.folder + "/inner/orders.sqlite"
    let opened = try OrderLedger.open(
      at: path, rules: folder.rules, now: Timestamp(milliseconds: 0))
    try opened.ledger.append(folder.events(20))
    #expect(try mode(folder.folder + "/inner") == 0o700)
    for name in ["", "-wal", "-shm", ".anchor", ".lock"] {
      #expect(try mode(path + name) == 0o600, "\(name)")
    }
    try opened.ledger.close()
  }

  @Test func `a history that others could read is closed to them`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    for file in try files(in: folder) {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.folder)
    let opened = try folder.open()
    try opened.ledger.append(folder.events(5, seed: 9, after: opened.history))
    for file in try files(in: folder) where !file.hasSuffix(".lock") {
      #expect(try mode(file) == 0o600, "\(file)")
    }
    #expect(try mode(folder.folder) == 0o700)
    try opened.ledger.close()
  }

  @Test func `a database that this process has locked stays locked`() throws {
    let folder = try LedgerFolder()
    try folder.fill()
    let database = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path))
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    #expect(fcntl(database.fileDescriptor, F_SETLK, &lock) == 0)
    #expect(try CrashWriter.run(["held", folder.path]).said == "held\n")
    try DatabaseFiles(path: folder.path).makePrivate()
    #expect(try CrashWriter.run(["held", folder.path]).said == "held\n")
    try database.close()
  }

  @Test func `a folder with other things in it stays as it is`() throws {
    let folder = try LedgerFolder()
    try Data().write(to: URL(fileURLWithPath: folder.folder + "/letter.txt"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.folder)
    let opened = try folder.open()
    #expect(try mode(folder.folder) == 0o755)
    #expect(try mode(folder.path) == 0o600)
    try opened.ledger.close()
  }
}

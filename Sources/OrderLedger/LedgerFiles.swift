// The ledger's files as files: one writer at a time, and damage moved out of the way under a new
// name.

import Foundation
import MarketModel
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The database and what lies beside it.
struct LedgerFiles {
  let path: String

  /// The database, SQLite's own two files, and the anchor.
  private var paths: [String] { ["", "-wal", "-shm", ".anchor"].map { path + $0 } }

  /// Whether there is a database with anything in it.
  var exists: Bool {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return (size ?? 0) > 0
  }

  /// Makes the folder if need be, for nobody but its owner.
  func makeFolder() throws(LedgerError) {
    let folder = folder
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .notWritable(path: path, detail: "the folder \(folder) cannot be made")
    }
  }

  /// Keeps what is there from the eyes of other users, and a new database with it; SQLite's own two
  /// files take after the database.
  ///
  /// A folder with anything else in it is left as it is: it may be shared on purpose.
  func makePrivate() throws(LedgerError) {
    // A database that is there is not opened: closing it would end SQLite's locks in this process.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      closeDescriptor(descriptor)
    } else {
      guard errno == EEXIST, access(path, R_OK | W_OK) == 0 else { throw systemError }
    }
    let manager = FileManager.default
    for file in paths where manager.fileExists(atPath: file) { chmod(file, 0o600) }
    let name = URL(fileURLWithPath: path).lastPathComponent
    let others = try? manager.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(name) }
    if others == [] { chmod(folder, 0o700) }
  }

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Writes and removes a small file beside the database: a ledger that can be opened but not
  /// written is none.
  func checkRoom() throws(LedgerError) {
    try makeFolder()
    let probe = path + ".probe"
    defer { unlink(probe) }
    let descriptor = creat(probe, 0o600)
    guard descriptor >= 0 else { throw systemError }
    defer { closeDescriptor(descriptor) }
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count == bytes.count, fsync(descriptor) == 0 else { throw systemError }
  }

  private var systemError: LedgerError {
    if errno == ENOSPC || errno == EDQUOT { return .diskFull(path: path) }
    return .notWritable(path: path, detail: String(cString: strerror(errno)))
  }

  /// Takes the writer's lock, which ends with the process; gives its descriptor.
  func lock() throws(LedgerError) -> Int32 {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw systemError }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .inUse(path: path)
    }
    return descriptor
  }

  /// Gives the lock back while the descriptor stays open.
  static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

  /// Renames all files, "orders.sqlite" to "orders.sqlite.damaged-2026-11-21T04-38-00-000Z"; gives
  /// the database's new path.
  func setAside(at time: Timestamp) throws(LedgerError) -> String {
    let stamp = time.description.map { $0 == ":" || $0 == "." ? "-" : $0 }
    let base = "\(path).damaged-\(String(stamp))"
    let manager = FileManager.default
    let names = [base] + (2...99).map { "\(base)-\($0)" }
    guard let target = names.first(where: { !manager.fileExists(atPath: $0) }) else {
      throw .notWritable(path: path, detail: "no name is free to set the damaged ledger aside")
    }
    for file in paths where manager.fileExists(atPath: file) {
      do {
        try manager.moveItem(atPath: file, toPath: target + file.dropFirst(path.count))
      } catch {
        throw .notWritable(path: path, detail: "cannot set aside \(file)")
      }
    }
    return target
  }
}

/// The system's `close`, under a name that no method hides.
func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

// The history's files as files: one writer at a time, for nobody's eyes but the owner's, and damage
// moved out of the way under a new name.

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
struct HistoryFiles: Sendable {
  let path: String

  /// The database and SQLite's own two files.
  private var paths: [String] { ["", "-wal", "-shm"].map { path + $0 } }

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Whether there is a database with anything in it.
  var exists: Bool { bytes(path) > 0 }

  /// Whether the database has a name, empty or not.
  var isInPlace: Bool { FileManager.default.fileExists(atPath: path) }

  /// What the files take.
  var bytes: Int64 { paths.reduce(0) { $0 + bytes($1) } }

  private func bytes(_ path: String) -> Int64 {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? 0
  }

  /// Makes the folder if need be, for nobody but its owner.
  func makeFolder() throws(HistoryStoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch { throw .notWritable("the folder cannot be made") }
  }

  /// Keeps what is there from the eyes of other users, and a new database with it; SQLite's own two
  /// files take after the database.
  func makePrivate() throws(HistoryStoreError) {
    // A database that is there is not opened: closing it would end SQLite's locks in this process.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      closeFile(descriptor)
    } else {
      guard errno == EEXIST, access(path, R_OK | W_OK) == 0 else { throw systemError }
    }
    for file in paths where FileManager.default.fileExists(atPath: file) { chmod(file, 0o600) }
  }

  /// Takes the writer's lock, which ends with the process; gives its descriptor.
  func lock() throws(HistoryStoreError) -> Int32 {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw systemError }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      closeFile(descriptor)
      throw .inUse
    }
    return descriptor
  }

  private var systemError: HistoryStoreError {
    if errno == ENOSPC || errno == EDQUOT { return .diskFull }
    return .notWritable(String(cString: strerror(errno)))
  }

  /// Renames all files, "history.sqlite" to "history.sqlite.damaged-2026-11-21T04-38-00-000Z", and
  /// gives the database's new name.
  func setAside(at time: Timestamp) throws(HistoryStoreError) -> String {
    let stamp = time.description.map { $0 == ":" || $0 == "." ? "-" : $0 }
    let base = "\(path).damaged-\(String(stamp))"
    let manager = FileManager.default
    let names = [base] + (2...99).map { "\(base)-\($0)" }
    guard let target = names.first(where: { !manager.fileExists(atPath: $0) }) else {
      throw .notWritable("no name is free to set the damaged file aside")
    }
    for file in paths where manager.fileExists(atPath: file) {
      do {
        try manager.moveItem(atPath: file, toPath: target + file.dropFirst(path.count))
      } catch { throw .notWritable("cannot set the damaged file aside") }
    }
    return URL(fileURLWithPath: target).lastPathComponent
  }
}

/// The system's `close`, under a name that no method hides.
func closeFile(_ descriptor: Int32) { close(descriptor) }

// An SQLite database and the files beside it as files: one writer at a time, for nobody's eyes but
// the owner's, and damage moved out of the way under a new name.

import Foundation
public import MarketModel
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A database and what lies beside it.
public struct DatabaseFiles: Sendable {
  /// The database's path.
  public let path: String
  /// What lies beside it besides SQLite's own two files: how their names end.
  private let companions: [String]

  /// Names the files; touches nothing.
  public init(path: String, companions: [String] = []) {
    (self.path, self.companions) = (path, companions)
  }

  private var paths: [String] { (["", "-wal", "-shm"] + companions).map { path + $0 } }

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Whether there is a database with anything in it.
  public var exists: Bool { bytes(path) > 0 }

  /// Whether the database has a name, empty or not.
  public var isInPlace: Bool { FileManager.default.fileExists(atPath: path) }

  /// What the files take.
  public var bytes: Int64 { paths.reduce(0) { $0 + bytes($1) } }

  private func bytes(_ path: String) -> Int64 {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? 0
  }

  /// Makes the folder if need be, for nobody but its owner.
  public func makeFolder() throws(DataFileError) { try PrivateFolder.make(folder) }

  /// Takes the writer's lock.
  ///
  /// What has the database's name and is no file is refused: SQLite would call a folder a fault of
  /// the disk.
  public func lock() throws(DataFileError) -> WriterLock {
    var facts = stat()
    guard stat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFREG else { throw .notPlain }
    return try WriterLock.take(besides: path)
  }

  /// Keeps what is there from the eyes of other users, and a new database with it; SQLite's own two
  /// files take after the database.
  ///
  /// A folder with anything else in it is left as it is: it may be shared on purpose.
  public func makePrivate() throws(DataFileError) {
    // A database that is there is not opened: closing it would end SQLite's locks in this process.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else {
      guard errno == EEXIST, access(path, R_OK | W_OK) == 0 else { throw .last }
    }
    let manager = FileManager.default
    for file in paths where manager.fileExists(atPath: file) { chmod(file, 0o600) }
    let name = URL(fileURLWithPath: path).lastPathComponent
    let others = try? manager.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(name) }
    if others == [] { chmod(folder, 0o700) }
  }

  /// Writes and removes a small file beside the database: one that can be opened but not written is
  /// none.
  public func checkRoom() throws(DataFileError) {
    try makeFolder()
    let probe = path + ".probe"
    defer { unlink(probe) }
    let descriptor = creat(probe, 0o600)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count == bytes.count, fsync(descriptor) == 0 else { throw .last }
  }

  /// Renames all files as ``PrivateFolder/nameAside(of:at:)`` says; gives the database's new path.
  public func setAside(at time: Timestamp) throws(DataFileError) -> String {
    let manager = FileManager.default
    guard let target = PrivateFolder.nameAside(of: path, at: time) else {
      throw .notWritable("no name is free to set the damaged file aside")
    }
    for file in paths where manager.fileExists(atPath: file) {
      do {
        try manager.moveItem(atPath: file, toPath: target + file.dropFirst(path.count))
      } catch { throw .notWritable("cannot set aside \(file)") }
    }
    return target
  }
}

import Foundation
public import MarketModel
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The files of an SQLite database, private to their owner.
public struct DatabaseFiles: Sendable {
  /// The database's path.
  public let path: String
  /// The suffixes of further files besides SQLite's own two.
  private let companions: [String]

  /// Creates the description; accesses no file.
  public init(path: String, companions: [String] = []) {
    (self.path, self.companions) = (path, companions)
  }

  private var paths: [String] { (["", "-wal", "-shm"] + companions).map { path + $0 } }

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Whether the database exists and is not empty.
  public var exists: Bool { bytes(path) > 0 }

  /// Whether the database's file exists, empty or not.
  public var isInPlace: Bool { FileManager.default.fileExists(atPath: path) }

  /// The total size of the files.
  public var bytes: Int64 { paths.reduce(0) { $0 + bytes($1) } }

  private func bytes(_ path: String) -> Int64 {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? 0
  }

  /// Creates the folder if needed, for its owner only.
  public func makeFolder() throws(DataFileError) { try PrivateFolder.make(folder) }

  /// Acquires the writer's lock; rejects anything but a regular file, which SQLite would misreport.
  public func lock() throws(DataFileError) -> WriterLock {
    var facts = stat()
    guard stat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFREG else { throw .notPlain }
    return try WriterLock.take(besides: path)
  }

  /// Makes the files private and creates a missing database; SQLite's own files copy its
  /// permissions.
  ///
  /// A folder with other files keeps its permissions: it may be shared on purpose.
  public func makePrivate() throws(DataFileError) {
    // Does not open an existing database: closing it would release SQLite's locks in this process.
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

  /// Checks that files can be written, with a small temporary file beside the database.
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

  /// Renames all files by ``PrivateFolder/nameAside(of:at:)``; returns the database's new path.
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

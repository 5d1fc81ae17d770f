import DataFiles
import Foundation
import MarketModel
import NIOConcurrencyHelpers
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A private file in the data folder: read within a bound, replaced as a whole, one writer at a
/// time.
final class KeptDisk: Sendable {
  private let folder: String
  private let path: String
  private let writerLock = NIOLockedValueBox<WriterLock?>(nil)

  init(folder: String, name: String) {
    self.folder = folder
    path = URL(fileURLWithPath: folder).appendingPathComponent(name).path
  }

  /// The bytes of the file; nil if it is missing.
  ///
  /// Throws if it is unreadable, not a regular file, or longer than `limit`.
  func read(atMost limit: Int) throws(DataFileError) -> [UInt8]? {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .last
    }
    defer { close(descriptor) }
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    guard facts?[.type] as? FileAttributeType == .typeRegular else {
      throw DataFileError.notPlain
    }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let room = bytes.count - count
      let part = bytes.withUnsafeMutableBytes { buffer in
        Foundation.read(descriptor, buffer.baseAddress?.advanced(by: count), room)
      }
      if part == 0 { break }
      guard part > 0 else {
        if errno == EINTR { continue }
        throw .last
      }
      count += part
    }
    // A file that is too long fails to decode.
    return Array(bytes.prefix(count))
  }

  /// Takes the writer's lock, which ends with the process; returns the reason if it can't, naming
  /// `things`.
  func lock(_ things: Sentence) -> Sentence? {
    do throws(DataFileError) {
      try PrivateFolder.make(folder)
      let lock = try WriterLock.take(besides: path)
      writerLock.withLockedValue { $0 = lock }
      return nil
    } catch .inUse {
      return """
        Another server keeps the \(things) of this folder. Changes here last until this one ends.
        """
    } catch {
      return "The \(things) can't be kept: \(error.detail). Changes last until the server ends."
    }
  }

  func unlock() { writerLock.withLockedValue { $0 = nil } }

  /// Writes a new file beside the old one and renames it once it is on disk.
  func replace(with bytes: [UInt8]) throws(DataFileError) {
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = Foundation.open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last }
    do throws(DataFileError) {
      defer { close(descriptor) }
      try KeptDisk.write(bytes, to: descriptor)
      guard fsync(descriptor) == 0 else { throw .last }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let error = DataFileError.last
      unlink(temporary)
      throw error
    }
    // Makes the rename durable.
    let directory = Foundation.open(folder, O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32
  ) throws(DataFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      rest = rest.dropFirst(count)
    }
  }

  /// Renames the file to "NAME.damaged-2026-11-21T04-38-00-000Z"; returns its new name, or nil on
  /// failure.
  func setAside(at time: Timestamp) -> String? {
    guard let target = PrivateFolder.nameAside(of: path, at: time), rename(path, target) == 0
    else { return nil }
    return URL(fileURLWithPath: target).lastPathComponent
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The exclusive lock for writing a file; ends with ``release()``, this object or the process.
public final class WriterLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Acquires the lock of a file, "PATH.lock", which stays on disk.
  ///
  /// Throws ``DataFileError/inUse`` if any other lock, also of this process, has it.
  public static func take(besides path: String) throws(DataFileError) -> WriterLock {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .inUse
    }
    return WriterLock(descriptor: descriptor)
  }

  /// Releases the lock.
  public func release() { _ = flock(descriptor, LOCK_UN) }
}

// One process writes a file at a time.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The right to write a file; it ends with ``release()``, with this object, or with the process.
public final class WriterLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Takes the lock of a file, which lies beside it as "PATH.lock" and stays there.
  ///
  /// Throws ``DataFileError/inUse`` when another process, or another lock of this one, has it.
  public static func take(besides path: String) throws(DataFileError) -> WriterLock {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .inUse
    }
    return WriterLock(descriptor: descriptor)
  }

  /// Lets others write from now on.
  public func release() { _ = flock(descriptor, LOCK_UN) }
}

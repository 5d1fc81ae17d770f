import Foundation
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Why a file of the data folder can't be used.
public enum DataFileError: Error, Hashable, Sendable {
  /// The disk or the user's quota is full.
  case diskFull
  case inUse
  /// It can't be read or written; has the system's reason.
  case notWritable(String)

  /// The path is not a regular file.
  public static let notPlain = DataFileError.notWritable("it is no plain file")

  /// The error of the last system call (`errno`).
  public static var last: DataFileError {
    if errno == ENOSPC || errno == EDQUOT { return .diskFull }
    return .notWritable(String(cString: strerror(errno)))
  }

  /// The reason for a sentence, without a full stop.
  public var detail: String {
    switch self {
    case .diskFull: String(cString: strerror(ENOSPC))
    case .inUse: "another process writes it"
    case .notWritable(let detail): detail
    }
  }
}

// Why a file of the data folder can't be used; each store says it in its own words.

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
  /// No room is left, or none for this user.
  case diskFull
  /// Another process writes here.
  case inUse
  /// It can't be read or written; why, in the system's words.
  case notWritable(String)

  /// A folder, a device or the like has the file's name.
  public static let notPlain = DataFileError.notWritable("it is no plain file")

  /// What the system said last (`errno`).
  public static var last: DataFileError {
    if errno == ENOSPC || errno == EDQUOT { return .diskFull }
    return .notWritable(String(cString: strerror(errno)))
  }

  /// In words for a sentence, without a full stop.
  public var detail: String {
    switch self {
    case .diskFull: String(cString: strerror(ENOSPC))
    case .inUse: "another process writes it"
    case .notWritable(let detail): detail
    }
  }
}

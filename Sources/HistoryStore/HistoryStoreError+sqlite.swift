// SQLite's result codes in the history's own words.

import DataFiles
import GRDB

extension HistoryStoreError {
  /// The error for whatever a database closure threw.
  init(_ error: any Error) {
    if let error = error as? HistoryStoreError {
      self = error
      return
    }
    if let error = error as? DataFileError {
      self = HistoryStoreError(error)
      return
    }
    guard let error = error as? DatabaseError else {
      self = .storage("\(error)")
      return
    }
    let detail = "\(error.extendedResultCode.rawValue) \(error.message ?? "")"
    switch error.resultCode {
    case .SQLITE_FULL: self = .diskFull
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      self = .notWritable(detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .inUse
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_MISMATCH:
      self = .damaged(detail)
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ:
      self = .damaged(detail)
    default: self = .storage(detail)
    }
  }

  private init(_ error: DataFileError) {
    switch error {
    case .diskFull: self = .diskFull
    case .inUse: self = .inUse
    case .notWritable(let detail): self = .notWritable(detail)
    }
  }

  /// Runs a body and turns whatever it throws into a history's error.
  static func translating<Result>(
    _ body: () throws -> Result
  ) throws(HistoryStoreError) -> Result {
    do { return try body() } catch { throw HistoryStoreError(error) }
  }
}

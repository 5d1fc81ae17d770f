// What SQLite and the file system say in the ledger's own words.

import DataFiles
import GRDB

extension LedgerError {
  /// The ledger's error for whatever a database closure threw.
  init(_ error: any Error, path: String) {
    if let error = error as? LedgerError {
      self = error
      return
    }
    if let error = error as? DataFileError {
      self = LedgerError(error, path: path)
      return
    }
    guard let error = error as? DatabaseError else {
      self = .storage(path: path, detail: "\(error)")
      return
    }
    let detail = "\(error.extendedResultCode.rawValue) \(error.message ?? "")"
    switch error.resultCode {
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      self = .notWritable(path: path, detail: detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .inUse(path: path)
    default: self = .storage(path: path, detail: detail)
    }
  }

  private init(_ error: DataFileError, path: String) {
    if error == .notPlain {
      self = .notAFile(path: path)
      return
    }
    switch error {
    case .diskFull: self = .diskFull(path: path)
    case .inUse: self = .inUse(path: path)
    case .notWritable(let detail): self = .notWritable(path: path, detail: detail)
    }
  }

  /// Runs a body and turns whatever it throws into a ledger error.
  static func translating<Result>(
    path: String, _ body: () throws -> Result
  ) throws(LedgerError) -> Result {
    do { return try body() } catch { throw LedgerError(error, path: path) }
  }
}

import DataFiles
import GRDB

/// Why history is not written or read; live prices continue.
public enum HistoryStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or its folder is not writable; the detail is for logs.
  case notWritable(String)
  case diskFull
  case inUse
  /// The file belongs to another program.
  case notAHistory
  /// A later version of this program created the file.
  case newerVersion
  /// The file is damaged and set aside.
  case damaged(String)
  /// Any other error of SQLite or the system; the detail is for logs.
  case storage(String)
  case closed

  /// For logs.
  public var description: String {
    switch self {
    case .notWritable(let detail): "history: not writable: \(detail)"
    case .diskFull: "history: disk full"
    case .inUse: "history: in use by another process"
    case .notAHistory: "history: the file is not a history"
    case .newerVersion: "history: made by a later version"
    case .damaged(let detail): "history: damaged: \(detail)"
    case .storage(let detail): "history: \(detail)"
    case .closed: "history: closed"
    }
  }

  /// Text for the user: what happened and what to do, without paths.
  public var userMessage: String {
    switch self {
    case .notWritable: "History isn't kept: the data folder is not writable."
    case .diskFull: "History isn't kept: the disk is full. Free some space."
    case .inUse: "History isn't kept here: another Livetape keeps it in the same data folder."
    case .notAHistory: "History isn't kept: the file in the data folder belongs to another program."
    case .newerVersion: "History isn't kept: a newer Livetape made the file. Use that version."
    case .damaged: "The kept history is damaged and is set aside."
    case .storage: "History isn't kept: the disk reports an error."
    case .closed: "History isn't kept: Livetape is closing."
    }
  }
}

// MARK: - SQLite

extension HistoryStoreError {
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
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: self = .notWritable(detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .inUse
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_MISMATCH: self = .damaged(detail)
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

  static func translating<Result>(_ body: () throws -> Result) throws(HistoryStoreError) -> Result {
    do { return try body() } catch { throw HistoryStoreError(error) }
  }
}

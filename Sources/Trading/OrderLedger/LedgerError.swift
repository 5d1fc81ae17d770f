import DataFiles
import GRDB
public import MarketModel

/// Why a ledger operation failed; nothing was stored.
public enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
  case notFound(path: String)
  case notALedger(path: String)
  case notWritable(path: String, detail: String)
  /// The ledger or its anchor is a folder, a device or another special file.
  case notAFile(path: String)
  /// The database is missing although its anchor records events: how many, if readable.
  case missing(path: String, events: UInt64?)
  case diskFull(path: String)
  case inUse(path: String)
  case damaged(path: String, LedgerVerification)
  /// The damaged ledger was renamed to this path; the next start begins a new one.
  case setAside(path: String, LedgerVerification)
  case newerVersion(path: String)
  case otherScales(expected: Genesis, found: Genesis)
  case outOfStep(expected: UInt64, found: UInt64)
  case duplicateClientIdentifier(String)
  /// SQLite does not wait for the disk, so an order could be lost.
  case notDurable(synchronous: Int64)
  case storage(path: String, detail: String)

  /// For logs.
  public var description: String {
    switch self {
    case .notFound(let path): "ledger \(path): not found"
    case .notALedger(let path): "\(path) is not a ledger"
    case .notWritable(let path, let detail): "ledger \(path): not writable: \(detail)"
    case .notAFile(let path): "\(path) is not a file"
    case .missing(let path, let events):
      "ledger \(path): missing, though its anchor notes "
        + (events.map { "event \($0)" } ?? "one") + "; restore it, or move \(path).anchor away"
    case .diskFull(let path): "ledger \(path): disk full"
    case .inUse(let path): "ledger \(path): in use by another process"
    case .damaged(let path, let verification):
      "ledger \(path): damaged: "
        + verification.findings.map(\.description).joined(separator: "; ")
    case .setAside(let path, let verification):
      "ledger: damaged and set aside as \(path): "
        + verification.findings.map(\.description).joined(separator: "; ")
    case .newerVersion(let path): "ledger \(path): made by a later version"
    case .otherScales(let expected, let found):
      "ledger: expected \(expected.payload), found \(found.payload)"
    case .outOfStep(let expected, let found):
      "ledger: expected event \(expected), found \(found)"
    case .duplicateClientIdentifier(let name): "ledger: client order id \(name) is stored already"
    case .notDurable(let found): "ledger: expected synchronous 2 (FULL), found \(found)"
    case .storage(let path, let detail): "ledger \(path): \(detail)"
    }
  }

  /// The error and what to do about it, as text for the user, without paths.
  public var userMessage: Sentence {
    switch self {
    case .notFound: "There is no order history here yet."
    case .notALedger:
      "The file in the data folder is not an order history. Choose another data folder."
    case .notWritable:
      "Orders can't be saved: the data folder is not writable. Nothing was ordered."
    case .notAFile:
      "Orders can't be saved: a folder has the name of a file of the order history. Move it away."
    case .missing:
      "The order history is missing from the data folder. Restore it; until then no order is taken."
    case .diskFull: "Orders can't be saved: the disk is full. Nothing was ordered. Free some space."
    case .inUse: "Another Livetape uses this order history. Stop it, or choose another data folder."
    case .damaged:
      "The order history is damaged and is not used. “livetape ledger verify” says where."
    case .setAside(let path, _):
      """
      The order history was damaged. It was kept as “\(path.split(separator: "/").last ?? "")” \
      and is not used. No order is taken until Livetape is started again, with a new history.
      """
    case .newerVersion: "A newer Livetape made this order history. Use that version to open it."
    case .otherScales: "This order history belongs to an instrument with other decimals."
    case .outOfStep, .duplicateClientIdentifier:
      "The order was not saved: the order history changed meanwhile. Reload before trying again."
    case .notDurable: "Orders can't be saved safely on this disk. Nothing was ordered."
    case .storage: "Orders can't be saved: the disk reports an error. Nothing was ordered."
    }
  }
}

// MARK: - SQLite and the file system

extension LedgerError {
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

  static func translating<Result>(
    path: String, _ body: () throws -> Result
  ) throws(LedgerError) -> Result {
    do { return try body() } catch { throw LedgerError(error, path: path) }
  }
}

// What can stop the ledger, for logs and for the ticket.

import DataFiles
import GRDB

/// Why the ledger could not do what was asked; nothing was stored then.
public enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no ledger at this path.
  case notFound(path: String)
  /// What is at this path is no ledger: an empty file, or another program's database.
  case notALedger(path: String)
  /// The file or its folder cannot be written.
  case notWritable(path: String, detail: String)
  /// The ledger or its anchor is a folder, a device or the like.
  case notAFile(path: String)
  /// The database is gone, and its anchor says that events were stored: how many, where that can
  /// be read.
  case missing(path: String, events: UInt64?)
  /// No room is left.
  case diskFull(path: String)
  /// Another process writes this ledger.
  case inUse(path: String)
  /// The ledger is damaged and was left where it is.
  case damaged(path: String, LedgerVerification)
  /// The ledger was damaged and has been renamed to this path; a new one begins at the next start.
  case setAside(path: String, LedgerVerification)
  /// A later version of this program made the ledger.
  case newerVersion(path: String)
  /// The ledger's numbers have other scales than the rules.
  case otherScales(expected: Genesis, found: Genesis)
  /// The events do not follow the stored ones.
  case outOfStep(expected: UInt64, found: UInt64)
  /// An order with this device's name is stored already.
  case duplicateClientIdentifier(String)
  /// SQLite does not wait for the disk: an order could be lost.
  case notDurable(synchronous: Int64)
  /// Anything else that SQLite or the system says.
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

  /// For people: what stopped, and what to do.
  ///
  /// Without paths.
  public var userMessage: String {
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
      "The order history was damaged. It was kept as “\(path.split(separator: "/").last ?? "")” "
        + "and is not used. No order is taken until Livetape is started again, with a new history."
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

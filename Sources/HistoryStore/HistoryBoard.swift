// What any thread may look at while the writer works: the open database and the status.

import Foundation
import GRDB

/// The connection and the status, behind a lock.
///
/// @unchecked: everything that changes is behind the lock.
final class HistoryBoard: @unchecked Sendable {
  private let lock = NSLock()
  private var current = HistoryStoreStatus()
  private var pool: DatabasePool?

  /// The status.
  var status: HistoryStoreStatus { lock.withLock { current } }

  /// The open database; nil before it is opened and while it can't be.
  var database: DatabasePool? {
    get { lock.withLock { pool } }
    set { lock.withLock { pool = newValue } }
  }

  /// Changes the status; gives the new one when it says something new but for the bytes.
  func change(_ body: (inout HistoryStoreStatus) -> Void) -> HistoryStoreStatus? {
    lock.withLock {
      var old = current
      body(&current)
      old.bytes = current.bytes
      return old == current ? nil : current
    }
  }
}

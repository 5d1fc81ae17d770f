// What any thread may read while the writer works: the open database and the status.

import DataFiles
import Foundation
import GRDB

/// The connection and the status.
///
/// @unchecked: the status is behind the lock.
final class HistoryBoard: @unchecked Sendable {
  /// The database; closed before it is opened and while it can't be.
  ///
  /// Only the writer closes it.
  let database = SharedResource<DatabasePool>()
  private let lock = NSLock()
  private var current = HistoryStoreStatus()

  /// The status.
  var status: HistoryStoreStatus { lock.withLock { current } }

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

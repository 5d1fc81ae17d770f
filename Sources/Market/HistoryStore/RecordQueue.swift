import Foundation

/// A bounded queue from any thread to the writer; drops and counts the oldest when full.
///
/// @unchecked: all mutable state is behind the lock.
final class RecordQueue: @unchecked Sendable {
  enum Wake {
    /// Already notified.
    case none
    /// Write in about a second.
    case soon
    /// Write now: a full commit waits.
    case now
  }

  static let commitSize = 2000

  private let maximum: Int
  private let lock = NSLock()
  private var batches: [[CandleRecord]] = []
  private var count = 0
  private var dropped: UInt64 = 0
  private var wasToldSoon = false
  private var wasToldNow = false
  private var isClosed = false

  init(maximum: Int) { self.maximum = max(Self.commitSize, maximum) }

  var droppedCount: UInt64 { lock.withLock { dropped } }

  func add(_ records: [CandleRecord]) -> Wake {
    lock.withLock {
      guard !isClosed, !records.isEmpty else { return .none }
      for start in stride(from: 0, to: records.count, by: Self.commitSize) {
        let end = min(start + Self.commitSize, records.count)
        batches.append(Array(records[start..<end]))
      }
      count += records.count
      makeRoom()
      if count >= Self.commitSize, !wasToldNow {
        wasToldNow = true
        return .now
      }
      if wasToldSoon || wasToldNow { return .none }
      wasToldSoon = true
      return .soon
    }
  }

  /// Takes at most one commit; the next ``add(_:)`` notifies the writer again.
  func take() -> [CandleRecord] {
    lock.withLock {
      (wasToldSoon, wasToldNow) = (false, false)
      var taken = 0
      var records: [CandleRecord] = []
      while taken < batches.count,
        records.isEmpty || records.count + batches[taken].count <= Self.commitSize
      {
        records += batches[taken]
        taken += 1
      }
      batches.removeFirst(taken)
      count -= records.count
      return records
    }
  }

  func putBack(_ records: [CandleRecord]) {
    lock.withLock {
      guard !records.isEmpty else { return }
      batches.insert(records, at: 0)
      count += records.count
      makeRoom()
    }
  }

  func close() { lock.withLock { isClosed = true } }

  private func makeRoom() {
    var gone = 0
    while count > maximum, gone < batches.count - 1 {
      count -= batches[gone].count
      dropped += UInt64(batches[gone].count)
      gone += 1
    }
    batches.removeFirst(gone)
  }
}

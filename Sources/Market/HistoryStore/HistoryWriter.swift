import DataFiles
import Dispatch
import Foundation
import GRDB
import MarketModel

/// Writes on a background queue, in groups.
///
/// @unchecked: mutable state is only used on ``queue``, or is behind its own lock.
final class HistoryWriter: @unchecked Sendable {
  let board = HistoryBoard()

  private let files: DatabaseFiles
  private let limits: HistoryLimits
  private let maximumPages: Int?
  private let now: @Sendable () -> Timestamp
  private let onChange: @Sendable (HistoryStoreStatus) -> Void
  private let queue = DispatchQueue(label: "livetape.history", qos: .utility)
  private let waiting: RecordQueue

  private var lock: WriterLock?
  private var retry = RetryDelay()
  private var isBackingOff = false
  private var isClosed = false
  private var nextPruning = DispatchTime.now()

  init(
    files: DatabaseFiles, limits: HistoryLimits, maximumPages: Int?,
    now: @escaping @Sendable () -> Timestamp,
    onChange: @escaping @Sendable (HistoryStoreStatus) -> Void
  ) {
    (self.files, self.limits, self.maximumPages) = (files, limits, maximumPages)
    (self.now, self.onChange) = (now, onChange)
    waiting = RecordQueue(maximum: limits.maximumWaiting)
  }

  deinit { closeDatabase() }

  func start() { queue.async { self.drain() } }

  func record(_ records: [CandleRecord]) {
    switch waiting.add(records) {
    case .none: break
    case .soon: queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.drain() }
    case .now: queue.async { [weak self] in self?.drain() }
    }
  }

  /// Writes the queue now, even during a back-off.
  func flush() { queue.sync { drain(isForced: true) } }

  func close() {
    waiting.close()
    queue.sync {
      guard !isClosed else { return }
      drain(isForced: true)
      isClosed = true
      // The pool closes its readers last, and they can't checkpoint the log.
      _ = try? board.database.current?.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      closeDatabase()
      unlock()
      publish {
        $0.failure = .closed
        $0.writingSince = nil
      }
    }
  }

  /// Reads on the calling thread, concurrently with writing.
  func read<Result>(_ body: (Database) throws -> Result) throws(HistoryStoreError) -> Result {
    // Opening may be in progress, at the start and after damage.
    if board.database.current == nil, board.status.failure == nil { queue.sync { drain() } }
    weak var used: DatabasePool?
    do throws(HistoryStoreError) {
      let result = try HistoryStoreError.translating {
        try board.database.use { database in
          used = database
          return try database.read(body)
        }
      }
      if let result { return result }
    } catch {
      if case .damaged = error {
        queue.async { [weak self, weak used] in
          guard let self, let used, board.database.current === used else { return }
          setAside(error)
          drain()
        }
      }
      throw error
    }
    throw board.status.failure ?? .closed
  }

  /// Writes the whole queue; on ``queue``.
  private func drain(isForced: Bool = false) {
    guard !isClosed, isForced || !isBackingOff else { return }
    // Sets a damaged file aside and tries a new one, once; repeated damage is the disk's.
    for attempt in 0..<2 {
      do throws(HistoryStoreError) {
        try open()
        try writeWaiting()
        return succeeded()
      } catch {
        guard attempt == 0, case .damaged = error, setAside(error) else { return failed(error) }
      }
    }
  }

  private func writeWaiting() throws(HistoryStoreError) {
    guard let database = board.database.current else { return }
    while true {
      let records = waiting.take()
      guard !records.isEmpty else { break }
      do throws(HistoryStoreError) {
        let refused = try HistoryStoreError.translating {
          try database.write { database in
            var table = KeptCandleTable(database)
            return try table.write(records)
          }
        }
        if refused > 0 { publish { $0.refusedCount += UInt64(refused) } }
      } catch {
        waiting.putBack(records)
        throw error
      }
    }
    try prune(database)
  }

  private func prune(_ database: DatabasePool) throws(HistoryStoreError) {
    let pruning = HistoryPruning(limits: limits)
    try HistoryStoreError.translating {
      if DispatchTime.now() >= nextPruning {
        try pruning.pruneByAge(database, now: now())
        nextPruning = .now() + .seconds(3600)
      }
      try pruning.pruneBySize(database)
    }
  }

  private func succeeded() {
    retry = RetryDelay()
    isBackingOff = false
    let time = now()
    publish {
      if $0.writingSince == nil { $0.writingSince = time }
      $0.failure = nil
    }
  }

  private func failed(_ error: HistoryStoreError) {
    publish {
      $0.failure = error
      $0.writingSince = nil
    }
    if board.database.current == nil { unlock() }
    guard !isBackingOff else { return }
    isBackingOff = true
    queue.asyncAfter(deadline: .now() + .seconds(retry.next())) { [weak self] in
      guard let self, isBackingOff else { return }
      isBackingOff = false
      drain()
    }
  }

  private func unlock() { lock = nil }

  private func publish(_ body: (inout HistoryStoreStatus) -> Void) {
    let (bytes, dropped) = (files.bytes, waiting.droppedCount)
    let news = board.change { status in
      body(&status)
      (status.bytes, status.droppedCount) = (bytes, dropped)
    }
    if let news { onChange(news) }
  }
}

extension HistoryWriter {
  private func open() throws(HistoryStoreError) {
    if board.database.current != nil {
      if files.isInPlace { return }
      // The file was deleted; anything written to it would be lost.
      closeDatabase()
      unlock()
    }
    try HistoryStoreError.translating {
      try files.makeFolder()
      if lock == nil { lock = try files.lock() }
      if files.exists { try inspect() }
      try files.makePrivate()
    }
    board.database.open(try connect())
  }

  private func closeDatabase() { board.database.close { try? $0.close() } }

  /// Checks the file before changing it: it may belong to another program.
  private func inspect() throws(HistoryStoreError) {
    try HistoryStoreError.translating {
      var configuration = Configuration()
      configuration.readonly = true
      let database = try DatabaseQueue(path: files.path, configuration: configuration)
      defer { try? database.close() }
      try database.read { try HistorySchema.check($0) }
    }
  }

  private func connect() throws(HistoryStoreError) -> DatabasePool {
    try HistoryStoreError.translating {
      var configuration = Configuration()
      configuration.label = "history"
      configuration.maximumReaderCount = 2
      configuration.busyMode = .timeout(2)
      let maximumPages = maximumPages
      configuration.prepareDatabase { database in
        guard !database.configuration.readonly else { return }
        // Before there are tables, so that deleted candles free space incrementally.
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        try database.execute(sql: "PRAGMA journal_size_limit = 16000000")
        if let maximumPages {
          try database.execute(sql: "PRAGMA max_page_count = \(maximumPages)")
        }
      }
      let pool = try DatabasePool(path: files.path, configuration: configuration)
      try HistorySchema.migrator.migrate(pool)
      return pool
    }
  }

  /// Renames a damaged file; false if that fails.
  @discardableResult
  private func setAside(_ error: HistoryStoreError) -> Bool {
    closeDatabase()
    guard let path = try? files.setAside(at: now()) else { return false }
    publish { $0.setAside = URL(fileURLWithPath: path).lastPathComponent }
    return true
  }
}

/// The time until the next attempt: 5 s, doubling up to 60 s.
struct RetryDelay {
  private var seconds = 5

  mutating func next() -> Int {
    defer { seconds = min(2 * seconds, 60) }
    return seconds
  }
}

/// @unchecked: the status is behind the lock.
final class HistoryBoard: @unchecked Sendable {
  /// Closed before it is opened and during failures; only the writer closes it.
  let database = SharedResource<DatabasePool>()
  private let lock = NSLock()
  private var current = HistoryStoreStatus()

  var status: HistoryStoreStatus { lock.withLock { current } }

  /// Changes the status; returns it if anything but the bytes changed.
  func change(_ body: (inout HistoryStoreStatus) -> Void) -> HistoryStoreStatus? {
    lock.withLock {
      var old = current
      body(&current)
      old.bytes = current.bytes
      return old == current ? nil : current
    }
  }
}

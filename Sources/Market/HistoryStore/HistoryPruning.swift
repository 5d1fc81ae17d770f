import GRDB
import MarketModel

struct HistoryPruning {
  let limits: HistoryLimits

  private static let order: [CandleInterval] = [
    .minute, .second, .fiveSeconds, .fifteenSeconds, .fiveMinutes, .fifteenMinutes, .hour,
    .fourHours, .day, .week,
  ]

  /// Deletes old seconds and minutes.
  ///
  /// Their age counts from the earlier of the clock and the newest candle, so neither a clock that
  /// jumps ahead nor a candle with an impossible time deletes anything.
  func pruneByAge(_ pool: DatabasePool, now: Timestamp) throws {
    try pool.write { database in
      let instruments = try Self.instruments(database)
      var newest = Int64.min
      for interval in CandleInterval.allCases {
        newest = max(newest, try Self.extent(interval, instruments, database)?.newest ?? .min)
      }
      guard newest > .min else { return }
      let horizon = min(newest, now.milliseconds / 1000)
      for interval in CandleInterval.allCases where interval.seconds <= 60 {
        let kept = interval == .minute ? limits.minutesKept : limits.secondsKept
        try Self.delete(interval, before: horizon - kept / 1000, instruments, database)
      }
    }
  }

  /// If the limit is exceeded, deletes the oldest candles until a tenth of it is free.
  func pruneBySize(_ pool: DatabasePool) throws {
    guard try pool.write(Self.usedBytes) > limits.maximumBytes else { return }
    let target = limits.maximumBytes / 10 * 9
    var isDone = false
    while !isDone {
      isDone = try pool.write { database in
        let instruments = try Self.instruments(database)
        for interval in Self.order {
          guard let extent = try Self.extent(interval, instruments, database) else { continue }
          let step = max(interval.seconds * 60, (extent.newest - extent.oldest) / 64)
          try Self.delete(interval, before: extent.oldest + step, instruments, database)
          return try Self.usedBytes(database) <= target
        }
        return true
      }
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA incremental_vacuum") }
    }
  }

  private static func usedBytes(_ database: Database) throws -> Int64 {
    let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    let all = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
    return size * (all - free)
  }

  private static func instruments(_ database: Database) throws -> [Int64] {
    try Int64.fetchAll(database, sql: "SELECT id FROM instrument")
  }

  private static func extent(
    _ interval: CandleInterval, _ instruments: [Int64], _ database: Database
  ) throws -> (oldest: Int64, newest: Int64)? {
    let statements = try ["min", "max"].map { function in
      try database.cachedStatement(
        sql: "SELECT \(function)(start) FROM candle WHERE instrument = ? AND interval = ?")
    }
    var (oldest, newest) = (Int64.max, Int64.min)
    for instrument in instruments {
      let arguments: StatementArguments = [instrument, interval.seconds]
      if let first = try Int64.fetchOne(statements[0], arguments: arguments) {
        oldest = min(oldest, first)
      }
      if let last = try Int64.fetchOne(statements[1], arguments: arguments) {
        newest = max(newest, last)
      }
    }
    return oldest <= newest ? (oldest, newest) : nil
  }

  private static func delete(
    _ interval: CandleInterval, before start: Int64, _ instruments: [Int64], _ database: Database
  ) throws {
    let statement = try database.cachedStatement(
      sql: "DELETE FROM candle WHERE instrument = ? AND interval = ? AND start < ?")
    for instrument in instruments {
      try statement.execute(arguments: [instrument, interval.seconds, start])
    }
  }
}

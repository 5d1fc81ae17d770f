import Foundation
import GRDB
public import MarketModel

/// Reads a data folder's stored history without changing it or blocking a writer.
public struct HistoryArchive: Sendable {
  /// How long it waits for a writer's checkpoint, in seconds.
  static let patienceSeconds: Double = 5

  private let database: DatabaseQueue

  /// Opens the history of a data folder without creating anything; nil if it has none.
  public init?(folder: String) throws(HistoryStoreError) {
    let path = URL(fileURLWithPath: folder).appendingPathComponent(HistoryStore.fileName).path
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    database = try HistoryStoreError.translating {
      var configuration = Configuration()
      configuration.label = "history archive"
      configuration.readonly = true
      configuration.busyMode = .timeout(HistoryArchive.patienceSeconds)
      let database = try DatabaseQueue(path: path, configuration: configuration)
      try database.read { database in
        try HistorySchema.check(database)
        guard try database.tableExists("candle") else { throw HistoryStoreError.notAHistory }
      }
      return database
    }
  }

  /// An instrument's candles of an interval, as ``HistoryStore/candles(_:_:from:before:limit:)``.
  public func candles(
    _ instrument: InstrumentKey, _ interval: CandleInterval, from: Int64? = nil,
    before: Int64? = nil, limit: Int
  ) throws(HistoryStoreError) -> KeptCandles {
    try HistoryStoreError.translating {
      try database.read { database in
        try KeptCandleTable.candles(
          instrument, interval, from: from, before: before, limit: limit, in: database)
      }
    }
  }
}

extension HistoryStoreError {
  /// Text for users that read another Livetape's history: why it can't be read.
  public var readingMessage: String {
    switch self {
    case .notWritable: "the kept history can't be opened: it may not be read by this user"
    case .diskFull: "the kept history can't be read: the disk is full"
    case .inUse: "the kept history is busy: another Livetape is putting it in order; try again"
    case .notAHistory: "the file in the folder is not a kept history"
    case .newerVersion: "a newer Livetape made the kept history; use that version"
    case .damaged: "the kept history is damaged; it is set aside when a server starts with it"
    case .storage(let detail): "the kept history can't be read: \(detail)"
    case .closed: "the kept history was closed"
    }
  }
}

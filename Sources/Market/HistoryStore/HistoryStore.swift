import DataFiles
import Foundation
public import MarketModel

/// Stores the candles of all instruments in an SQLite file.
///
/// Records are written asynchronously, in order, about once a second. A killed process leaves a
/// prefix of them; a power cut may lose the last seconds, never the file (write-ahead log,
/// synchronous NORMAL).
///
/// A later version of a candle replaces the earlier one, with two exceptions: a complete one from
/// the venue is replaced only by another such or by one compared with the venue's; one that was
/// compared only by another that was compared.
public final class HistoryStore: Sendable {
  /// The database's name in the data folder.
  public static let fileName = "history.sqlite"

  /// The database's path.
  public let path: String
  /// Its limits.
  public let limits: HistoryLimits

  private let writer: HistoryWriter

  /// Opens or creates the history of a data folder, private to its owner, in the background.
  ///
  /// Never fails: ``status`` has the reason why nothing is stored, and opening is retried after
  /// 5 s, doubling up to 60 s. A damaged file is renamed and replaced. `now` is the wall clock.
  /// `onChange` is called on a background thread when ``status`` changes, except for the bytes; it
  /// must not call ``flush()`` or ``close()``.
  public convenience init(
    folder: String, limits: HistoryLimits = HistoryLimits(),
    now: @escaping @Sendable () -> Timestamp,
    onChange: @escaping @Sendable (HistoryStoreStatus) -> Void = { _ in }
  ) {
    self.init(folder: folder, limits: limits, maximumPages: nil, now: now, onChange: onChange)
  }

  init(
    folder: String, limits: HistoryLimits, maximumPages: Int?,
    now: @escaping @Sendable () -> Timestamp,
    onChange: @escaping @Sendable (HistoryStoreStatus) -> Void
  ) {
    path = URL(fileURLWithPath: folder).appendingPathComponent(Self.fileName).path
    self.limits = limits
    writer = HistoryWriter(
      files: DatabaseFiles(path: path), limits: limits, maximumPages: maximumPages, now: now,
      onChange: onChange)
    writer.start()
  }

  /// The current status; from any thread.
  public var status: HistoryStoreStatus { writer.board.status }

  /// Queues candles for writing, from any thread; ignored after ``close()``.
  public func record(_ records: [CandleRecord]) { writer.record(records) }

  /// An instrument's candles of an interval, oldest first; none if it is unknown.
  ///
  /// `from` and `before` limit their starts, in milliseconds since 1970. `limit` counts from the
  /// latest back, at most 1,100,000, two years of minutes. O(log stored + limit). Reads
  /// concurrently with writes and blocks for the disk. May lack the last second. Throws as in
  /// ``status``.
  public func candles(
    _ instrument: InstrumentKey, _ interval: CandleInterval, from: Int64? = nil,
    before: Int64? = nil, limit: Int
  ) throws(HistoryStoreError) -> KeptCandles {
    try writer.read { database in
      try KeptCandleTable.candles(
        instrument, interval, from: from, before: before, limit: limit, in: database)
    }
  }

  /// The end of the stored candles of an interval, milliseconds since 1970; nil without any.
  public func endOfHistory(
    _ instrument: InstrumentKey, _ interval: CandleInterval
  ) throws(HistoryStoreError) -> Int64? {
    try writer.read { try KeptCandleTable.end(instrument, interval, in: $0) }
  }

  /// Writes the queue and returns when done or failed; ``status`` has the result.
  public func flush() { writer.flush() }

  /// Writes the queue and closes the file for good.
  public func close() { writer.close() }
}

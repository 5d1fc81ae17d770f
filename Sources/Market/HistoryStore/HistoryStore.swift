// Candles on disk. What is recorded is written behind the stream, in order, about once a second; a
// process that is killed leaves a prefix of it. A power cut may cost the last seconds, never the
// file (write-ahead log, synchronous NORMAL).

import DataFiles
import Foundation
public import MarketModel

/// The kept history of all instruments, in a file of its own.
///
/// A later word about a candle replaces the earlier one, with two exceptions: one that the venue
/// gave whole is replaced only by such another or by one compared with the venue's; one that was
/// compared only by another that was compared.
public final class HistoryStore: Sendable {
  /// The database's name in the data folder.
  public static let fileName = "history.sqlite"

  /// The database's path.
  public let path: String
  /// Its bounds.
  public let limits: HistoryLimits

  private let writer: HistoryWriter

  /// Opens the history of a data folder behind the caller's back, or makes one.
  ///
  /// Never fails: ``status`` says why nothing is kept, and it is tried again after 5 s, then after
  /// twice as long, up to 60 s. A damaged file is renamed, and a new one begins.
  ///
  /// - Parameters:
  ///   - folder: The data folder; made if need be, for nobody but its owner.
  ///   - limits: The bounds.
  ///   - now: The wall clock: names a damaged file, and says what is too old.
  ///   - onChange: Called when ``status`` says something new but for the bytes, on a thread of its
  ///     own; it must not call ``flush()`` or ``close()``.
  public convenience init(
    folder: String, limits: HistoryLimits = HistoryLimits(),
    now: @escaping @Sendable () -> Timestamp,
    onChange: @escaping @Sendable (HistoryStoreStatus) -> Void = { _ in }
  ) {
    self.init(
      folder: folder, limits: limits, maximumPages: nil, now: now, onChange: onChange)
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

  /// What it says of itself; from any thread.
  public var status: HistoryStoreStatus { writer.board.status }

  /// Takes candles to be written; returns at once, from any thread.
  ///
  /// Nothing happens once it is closed.
  public func record(_ records: [CandleRecord]) { writer.record(records) }

  /// An instrument's candles of an interval, oldest first.
  ///
  /// O(log kept + limit). Reads while others write; blocks for the disk. What was recorded in the
  /// last second may not be in it yet.
  ///
  /// - Parameters:
  ///   - instrument: Whose candles.
  ///   - interval: Their length.
  ///   - from: The first start wanted, milliseconds since 1970; nil for the earliest.
  ///   - before: Only candles that start before this; nil for the latest.
  ///   - limit: The most candles, from the latest back; at most 1,100,000, two years of minutes.
  /// - Returns: The candles; none when the instrument is unknown.
  /// - Throws: Why nothing can be read, which is also what ``status`` says.
  public func candles(
    _ instrument: InstrumentKey, _ interval: CandleInterval, from: Int64? = nil,
    before: Int64? = nil, limit: Int
  ) throws(HistoryStoreError) -> KeptCandles {
    try writer.read { database in
      try KeptCandleTable.candles(
        instrument, interval, from: from, before: before, limit: limit, in: database)
    }
  }

  /// Where an instrument's kept candles of an interval end, milliseconds since 1970; nil when there
  /// is none.
  public func endOfHistory(
    _ instrument: InstrumentKey, _ interval: CandleInterval
  ) throws(HistoryStoreError) -> Int64? {
    try writer.read { try KeptCandleTable.end(instrument, interval, in: $0) }
  }

  /// Writes what waits and returns when that is done or has failed; ``status`` says which.
  public func flush() { writer.flush() }

  /// Writes what waits and closes the file; it can't be used after.
  public func close() { writer.close() }
}

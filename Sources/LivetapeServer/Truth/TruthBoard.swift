// The truth of all instruments that pages look at, or have looked at.

import MarketModel
import MarketStreams

/// Keeps one record for each instrument.
package struct TruthBoard: Equatable, Sendable {
  /// The most instruments; the one that changed longest ago goes first.
  static let maximumInstruments = 128
  /// No more often than this is anything kept, in milliseconds.
  static let keepEvery: Int64 = 5000
  /// So often is kept how long a level has held, in milliseconds.
  static let countEvery: Int64 = 60_000
  /// Books are looked at four times a second; what a longer pause was like nobody saw, in
  /// milliseconds.
  static let longestPause: Int64 = 2000

  var records: [InstrumentKey: TruthRecord] = [:]
  /// When the file of it was written: what the server did not see since, it can't vouch for.
  var keptAt: Int64 = 0
  private var isChanged = false
  /// When all books that are open were looked at last; nil when that can't be said.
  private var lookedAt: Int64?

  /// Begins without knowing anything.
  package init() {}

  /// Notes a level and says whether it is new; another origin begins anew.
  ///
  /// While a clock that was set back has not caught up, what is new is as of the latest look: what
  /// was seen before it stays.
  mutating func note(
    _ level: TruthLevel, of instrument: InstrumentKey, from origin: DataOrigin, cause: String?,
    at now: Int64
  ) -> Bool {
    if records[instrument]?.origin != origin {
      // What nobody looks at needs no record.
      if level == .unwatched { return false }
      records[instrument] = nil
      makeRoom()
    }
    let isNew = records[instrument, default: TruthRecord(origin: origin)]
      .note(level, cause: cause, at: max(now, lookedAt ?? now))
    isChanged = isChanged || isNew
    return isNew
  }

  /// All books that are open have just been noted; a clock that was set back says nothing new.
  mutating func look(at now: Int64) { lookedAt = max(lookedAt ?? now, now) }

  /// After a pause in which nobody looked that time counts as not watched: the machine slept, the
  /// process stood still, or the clock was set ahead.
  mutating func passOver(at now: Int64) {
    guard let lookedAt, now - lookedAt > TruthBoard.longestPause else { return }
    self.lookedAt = nil
    for (key, record) in records {
      guard let last = record.spans.last, last.level != .unwatched else { continue }
      records[key]?.note(.unwatched, at: lookedAt)
      isChanged = true
    }
  }

  /// A copy to write to the disk; nil while there is nothing to write yet.
  mutating func toKeep(at now: Int64) -> TruthBoard? {
    // A clock that was set back must not keep it from the disk.
    let age = now < keptAt ? .max : now - keptAt
    let isWatched = records.values.contains { record in
      record.spans.last.map { $0.level != .unwatched } ?? false
    }
    guard age >= TruthBoard.keepEvery, isChanged || (isWatched && age >= TruthBoard.countEvery)
    else { return nil }
    isChanged = false
    keptAt = now
    return counted(to: now)
  }

  /// A copy in which nobody looks any more.
  func closed(at now: Int64) -> TruthBoard {
    var copy = self
    for (key, record) in records {
      guard let last = record.spans.last, last.level != .unwatched else { continue }
      copy.records[key]?.note(.unwatched, at: now)
    }
    copy.keptAt = now
    copy.isChanged = false
    return copy
  }

  /// A copy whose days are counted up to now.
  private func counted(to now: Int64) -> TruthBoard {
    var copy = self
    for key in records.keys { copy.records[key]?.count(to: now) }
    return copy
  }

  private mutating func makeRoom() {
    guard records.count >= TruthBoard.maximumInstruments else { return }
    let oldest = records.min { one, other in
      (one.value.spans.last?.since ?? 0, one.key.text)
        < (other.value.spans.last?.since ?? 0, other.key.text)
    }
    if let oldest { records[oldest.key] = nil }
  }
}

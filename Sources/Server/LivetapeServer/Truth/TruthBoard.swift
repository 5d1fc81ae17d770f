// The truth of all instruments that pages look at, or have looked at.

import MarketModel
import MarketStreams
import WireJSON

/// Keeps one record for each instrument.
package struct TruthBoard: Equatable, Sendable {
  /// The most instruments; the one that changed longest ago goes first.
  static let maximumInstruments = 128
  /// No more often than this is anything kept, in milliseconds.
  private static let keepEvery: Int64 = 5000
  /// So often is kept how long a level has held, in milliseconds.
  private static let countEvery: Int64 = 60_000
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

// MARK: - JSON

// `{"version":1,"keptAt":1790000000000,"records":[["kraken/BTC/USD","simulated",
// [[1789999990000,"proven",null]],[1789948800000,1790000000000,2,[10000,0,0,0,0,0,0]]]]}`.
// A day is its start, the time it is counted to, its resyncs, and milliseconds by level. The file
// may have been changed by hand, so it is validated as a whole.

extension TruthBoard: KeptValue {
  static let fileName = "truth.json"
  static let things = "records of what was right"
  static let maximumBytes = 16 << 20
  /// As many of the newest spans are kept.
  private static let maximumKeptSpans = 100
  private static let version: Int64 = 1
  /// Times fit without a sum that overflows.
  private static let times: ClosedRange<Int64> = 0...(1 << 52)

  var json: [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.member("version", TruthBoard.version)
    writer.member("keptAt", keptAt)
    writer.key("records")
    writer.beginArray()
    for (key, record) in records.sorted(by: { $0.key.text < $1.key.text }) {
      guard let day = record.day else { continue }
      writer.beginArray()
      writer.string(key.text)
      writer.string(record.origin.rawValue)
      writer.arrays(record.spans.suffix(TruthBoard.maximumKeptSpans)) { $1.writeMembers(to: &$0) }
      TruthBoard.write(day, to: &writer)
      writer.endArray()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private static func write(_ day: TruthDay, to writer: inout JSONWriter) {
    writer.beginArray()
    for number in [day.begins, day.countedTo, Int64(day.resyncs)] { writer.integer(number) }
    writer.array(TruthLevel.allCases) { $0.integer(day[$1]) }
    writer.endArray()
  }

  /// Reads what ``json`` wrote; since then nothing was shown.
  init(decoding bytes: Span<UInt8>) throws(JSONError) {
    guard bytes.count <= TruthBoard.maximumBytes else {
      throw JSONError(.tooLong, at: TruthBoard.maximumBytes)
    }
    var cursor = JSONCursor()
    var seen = KeySet()
    var board = TruthBoard()
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      if JSONText.equals(bytes, key, "version") {
        try seen.insert(1, at: key.lowerBound)
        guard try cursor.integer(bytes) == TruthBoard.version else {
          throw JSONError(.numberOutOfRange, at: key.lowerBound)
        }
      } else if JSONText.equals(bytes, key, "keptAt") {
        try seen.insert(2, at: key.lowerBound)
        board.keptAt = try TruthBoard.time(bytes, &cursor)
      } else if JSONText.equals(bytes, key, "records") {
        try seen.insert(4, at: key.lowerBound)
        board.records = try TruthBoard.records(bytes, &cursor)
      } else {
        throw JSONError(.unexpectedCharacter, at: key.lowerBound)
      }
    }
    try cursor.finish(bytes)
    try seen.require(7, at: 0)
    self = board.closed(at: board.keptAt)
  }

  private static func records(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [InstrumentKey: TruthRecord] {
    var records: [InstrumentKey: TruthRecord] = [:]
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      let start = cursor.offset
      guard records.count < maximumInstruments else { throw JSONError(.tooLong, at: start) }
      var inner = true
      try cursor.beginArray(bytes)
      try next(bytes, &cursor, &inner)
      let key = InstrumentKey(text: try cursor.text(bytes, maximumBytes: Symbol.maximumBytes + 16))
      try next(bytes, &cursor, &inner)
      let origin = DataOrigin(rawValue: try cursor.text(bytes, maximumBytes: 16))
      try next(bytes, &cursor, &inner)
      let spans = try spans(bytes, &cursor)
      try next(bytes, &cursor, &inner)
      let day = try day(bytes, &cursor)
      try end(bytes, &cursor, &inner)
      guard let key, let origin, records[key] == nil,
        let record = TruthRecord(origin: origin, spans: spans, day: day)
      else { throw JSONError(.wrongType, at: start) }
      records[key] = record
    }
    return records
  }

  private static func spans(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [TruthSpan] {
    try cursor.list(bytes, atMost: maximumKeptSpans) { (cursor) throws(JSONError) in
      var inner = true
      try cursor.beginArray(bytes)
      try next(bytes, &cursor, &inner)
      let since = try time(bytes, &cursor)
      try next(bytes, &cursor, &inner)
      let start = cursor.offset
      let level = TruthLevel(rawValue: try cursor.text(bytes, maximumBytes: 16))
      try next(bytes, &cursor, &inner)
      let isBare = try cursor.takeNullIfPresent(bytes)
      // A scalar that is escaped takes six bytes.
      let cause =
        isBare ? nil : try cursor.text(bytes, maximumBytes: 6 * TruthRecord.maximumCause)
      try end(bytes, &cursor, &inner)
      guard let level else { throw JSONError(.wrongType, at: start) }
      return TruthSpan(since: since, level: level, cause: cause)
    }
  }

  private static func day(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> TruthDay {
    let start = cursor.offset
    var outer = true
    try cursor.beginArray(bytes)
    try next(bytes, &cursor, &outer)
    let begins = try time(bytes, &cursor)
    try next(bytes, &cursor, &outer)
    let countedTo = try time(bytes, &cursor)
    try next(bytes, &cursor, &outer)
    let resyncs = try time(bytes, &cursor)
    try next(bytes, &cursor, &outer)
    var milliseconds: [TruthLevel: Int64] = [:]
    var inner = true
    try cursor.beginArray(bytes)
    for level in TruthLevel.allCases {
      try next(bytes, &cursor, &inner)
      milliseconds[level] = try time(bytes, &cursor)
    }
    try end(bytes, &cursor, &inner)
    try end(bytes, &cursor, &outer)
    let day = TruthDay(
      begins: begins, countedTo: countedTo, resyncs: Int(resyncs), milliseconds: milliseconds)
    guard let day else { throw JSONError(.wrongType, at: start) }
    return day
  }

  private static func time(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Int64 {
    let start = cursor.offset
    let number = try cursor.integer(bytes)
    guard times.contains(number) else { throw JSONError(.numberOutOfRange, at: start) }
    return number
  }

  private static func next(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ first: inout Bool
  ) throws(JSONError) {
    guard try cursor.nextElement(bytes, first: &first) else {
      throw JSONError(.wrongType, at: cursor.offset)
    }
  }

  private static func end(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ first: inout Bool
  ) throws(JSONError) {
    guard try !cursor.nextElement(bytes, first: &first) else {
      throw JSONError(.tooLong, at: cursor.offset)
    }
  }
}

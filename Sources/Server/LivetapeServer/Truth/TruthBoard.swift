import MarketModel
import MarketStreams
import WireJSON

/// The book integrity records of all instruments that pages show or have shown.
package struct TruthBoard: Equatable, Sendable {
  /// The maximum number of instruments; the one with the oldest change is dropped first.
  static let maximumInstruments = 128
  /// The minimum interval between writes, in milliseconds.
  private static let keepEvery: Int64 = 5000
  /// The interval at which durations are written, in milliseconds.
  private static let countEvery: Int64 = 60_000
  /// Books are checked four times a second; what happened in a longer pause is unknown, in
  /// milliseconds.
  static let longestPause: Int64 = 2000

  var records: [InstrumentKey: TruthRecord] = [:]
  /// When its file was written; what happened since is unknown.
  var keptAt: Int64 = 0
  private var isChanged = false
  /// When all open books were last checked; nil if unknown.
  private var lookedAt: Int64?

  /// Creates an empty board.
  package init() {}

  /// Records a level; returns whether it is new.
  ///
  /// Another origin starts a new record.
  ///
  /// While a clock that was set back has not caught up, changes get the time of the latest check,
  /// so that earlier records stay.
  mutating func note(
    _ level: TruthLevel, of instrument: InstrumentKey, from origin: DataOrigin, cause: Sentence?,
    at now: Int64
  ) -> Bool {
    if records[instrument]?.origin != origin {
      // An unwatched instrument needs no record.
      if level == .unwatched { return false }
      records[instrument] = nil
      makeRoom()
    }
    let isNew = records[instrument, default: TruthRecord(origin: origin)]
      .note(level, cause: cause, at: max(now, lookedAt ?? now))
    isChanged = isChanged || isNew
    return isNew
  }

  /// Records that all open books were just checked; ignores a clock that was set back.
  mutating func look(at now: Int64) { lookedAt = max(lookedAt ?? now, now) }

  /// Counts a pause without checks as unwatched: the machine slept, the process was stopped, or the
  /// clock was set ahead.
  mutating func passOver(at now: Int64) {
    guard let lookedAt, now - lookedAt > TruthBoard.longestPause else { return }
    self.lookedAt = nil
    for (key, record) in records {
      guard let last = record.spans.last, last.level != .unwatched else { continue }
      records[key]?.note(.unwatched, at: lookedAt)
      isChanged = true
    }
  }

  /// A copy to write; nil if no write is due.
  mutating func toKeep(at now: Int64) -> TruthBoard? {
    // A clock that was set back must not prevent writing.
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

  /// A copy in which all books are unwatched.
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

// Format:
//     {"version":1,"keptAt":1790000000000,"records":[["kraken/BTC/USD","simulated",
//      [[1789999990000,"proven",null]],[1789948800000,1790000000000,2,[10000,0,0,0,0,0,0]]]]}
// A day is its start, the time it is counted to, its resyncs, and milliseconds by level. The file
// may have been edited by hand, so it is validated as a whole.

extension TruthBoard: KeptValue {
  static let fileName = "truth.json"
  static let things: Sentence = "records of what was right"
  static let maximumBytes = 16 << 20
  /// The maximum number of stored spans, newest last.
  private static let maximumKeptSpans = 100
  private static let version: Int64 = 1
  /// Times whose sums can't overflow.
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

  /// Reads what ``json`` wrote; the time since then is unwatched.
  init(decoding bytes: Span<UInt8>) throws(JSONError) {
    guard bytes.count <= TruthBoard.maximumBytes else {
      throw JSONError(.tooLong, at: TruthBoard.maximumBytes)
    }
    var cursor = JSONCursor()
    var board = TruthBoard()
    try cursor.object(bytes, required: ["version", "keptAt", "records"]) {
      (key, cursor) throws(JSONError) in
      switch key {
      case "version":
        guard try cursor.integer(bytes) == TruthBoard.version else {
          throw JSONError(.numberOutOfRange, at: key.range.lowerBound)
        }
      case "keptAt": board.keptAt = try TruthBoard.time(bytes, &cursor)
      case "records": board.records = try TruthBoard.records(bytes, &cursor)
      default: throw JSONError(.unexpectedCharacter, at: key.range.lowerBound)
      }
    }
    try cursor.finish(bytes)
    self = board.closed(at: board.keptAt)
  }

  private static func records(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> [InstrumentKey: TruthRecord] {
    var records: [InstrumentKey: TruthRecord] = [:]
    try cursor.elements(bytes) { (cursor) throws(JSONError) in
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
      let cause = isBare ? nil : try cursor.sentence(bytes)
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

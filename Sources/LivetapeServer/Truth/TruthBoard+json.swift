// The truth as one JSON text, as the server keeps it:
// `{"version":1,"keptAt":1790000000000,"records":[["kraken/BTC/USD","simulated",
// [[1789999990000,"proven",null]],[1789948800000,1790000000000,2,[10000,0,0,0,0,0,0]]]]}`. A day is
// its beginning, how far it is counted, its resyncs, and milliseconds in the order of the levels.
// What is read may have been written by anybody, so it is checked as a whole.

import MarketModel
import MarketStreams
import WireJSON

extension TruthBoard: KeptValue {
  static let fileName = "truth.json"
  static let things = "records of what was right"
  static let maximumBytes = 16 << 20
  /// As many of the newest spans are kept.
  static let maximumKeptSpans = 100
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

  /// Reads what ``json`` wrote; from when it was written nobody has looked.
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

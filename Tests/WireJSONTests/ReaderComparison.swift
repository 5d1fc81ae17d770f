// The results of the reader and the plain one on the same text, here and in Fuzz: the values, their
// ends, or the error and its offset.

import MarketModel
import WireJSON

/// The fast reader's expectations, kept from text to text.
struct ReaderComparison {
  /// Of all objects at once, which is worse than in any decoder.
  private var order = KeyOrder()
  /// The same for a decoder that reads few keys.
  private var someKeys = KeyOrder(reading: ReaderComparison.names)
  private static let names: [StaticString] = ["data", "price", "id", "a", "timestamp"]

  /// The first difference between the two; nil if they agree.
  mutating func difference(_ bytes: Span<UInt8>) -> String? {
    var quick = Trace()
    var cursor = JSONCursor()
    let quickError = Self.error { () throws(JSONError) in
      try Self.read(bytes, &cursor, &order, &quick, depth: 0)
      try cursor.finish(bytes)
    }
    var plain = Trace()
    var reader = PlainJSONReader()
    let plainError = Self.error { () throws(JSONError) in
      try Self.read(bytes, &reader, &plain, depth: 0)
      try reader.finish(bytes)
    }
    guard quickError == plainError, quick == plain,
      quickError != nil || cursor.offset == reader.offset
    else { return "read: \(String(describing: quickError)), \(String(describing: plainError))" }
    return skipDifference(bytes) ?? memberDifference(bytes)
  }

  private func skipDifference(_ bytes: Span<UInt8>) -> String? {
    var (cursor, reader) = (JSONCursor(), PlainJSONReader())
    let quick = Self.error { () throws(JSONError) in try cursor.skipValue(bytes) }
    let plain = Self.error { () throws(JSONError) in try reader.skipValue(bytes) }
    guard quick == plain, quick != nil || cursor.offset == reader.offset else {
      return "skipped: \(String(describing: quick)), \(String(describing: plain))"
    }
    return nil
  }

  /// Members of the outermost object, of which a decoder reads some.
  private mutating func memberDifference(_ bytes: Span<UInt8>) -> String? {
    var (quick, plain) = (Trace(), Trace())
    var cursor = JSONCursor()
    let quickError = Self.error { () throws(JSONError) in
      var (place, key) = (KeyPlace(someKeys), 0..<0)
      while try cursor.nextCode(bytes, &someKeys, &place, range: &key) != nil {
        quick.add(key.lowerBound)
        try cursor.skipValue(bytes)
      }
    }
    var reader = PlainJSONReader()
    let plainError = Self.error { () throws(JSONError) in
      try reader.begin(UInt8(ascii: "{"), bytes)
      var first = true
      while let key = try reader.nextKey(bytes, first: &first) {
        if Self.names.contains(where: { JSONText.equals(bytes, key, $0) }) {
          plain.add(key.lowerBound)
        }
        try reader.skipValue(bytes)
      }
    }
    guard quickError == plainError, quick == plain,
      quickError != nil || cursor.offset == reader.offset
    else { return "members: \(String(describing: quickError)), \(String(describing: plainError))" }
    return nil
  }

  /// What was read, as a number.
  private struct Trace: Equatable {
    private var hash = FNV1a()

    mutating func add(_ number: Int) { hash.combine(Int64(number)) }

    mutating func add(_ number: Int64) { hash.combine(number) }

    static func == (left: Trace, right: Trace) -> Bool { left.hash.value == right.hash.value }
  }

  private static func error(_ read: () throws(JSONError) -> Void) -> JSONError? {
    do throws(JSONError) { try read() } catch { return error }
    return nil
  }

  private static func read(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ order: inout KeyOrder,
    _ trace: inout Trace, depth: Int
  ) throws(JSONError) {
    let byte = try cursor.peek(bytes)
    if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["), depth >= JSONCursor.maximumDepth {
      throw JSONError(.tooDeep, at: cursor.offset)
    }
    switch byte {
    case UInt8(ascii: "{"):
      var (place, key) = (KeyPlace(order, variant: depth & 3), 0..<0)
      while let code = try cursor.nextCode(bytes, &order, &place, range: &key) {
        trace.add(Int64(truncatingIfNeeded: code))
        trace.add(key.lowerBound)
        try read(bytes, &cursor, &order, &trace, depth: depth + 1)
      }
    case UInt8(ascii: "["):
      try cursor.beginArray(bytes)
      var first = true
      while try cursor.nextElement(bytes, first: &first) {
        try read(bytes, &cursor, &order, &trace, depth: depth + 1)
      }
    case UInt8(ascii: "\""):
      var (start, range) = (cursor, 0..<0)
      let code = try cursor.shortString(bytes, &range)
      trace.add((try? start.timestamp(bytes))?.nanoseconds ?? -1)
      trace.add(Int64(truncatingIfNeeded: code))
      trace.add(range.lowerBound)
      trace.add(range.upperBound)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let places = UInt8(cursor.offset % 10)
      if places == 0 {
        trace.add(try cursor.integer(bytes))
      } else {
        trace.add(try cursor.units(bytes, scale: Scale(clamping: places)))
      }
    default: try cursor.skipValue(bytes)
    }
  }

  private static func read(
    _ bytes: Span<UInt8>, _ reader: inout PlainJSONReader, _ trace: inout Trace, depth: Int
  ) throws(JSONError) {
    let byte = try reader.peek(bytes)
    if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["), depth >= JSONCursor.maximumDepth {
      throw JSONError(.tooDeep, at: reader.offset)
    }
    var first = true
    switch byte {
    case UInt8(ascii: "{"):
      reader.offset += 1
      while let key = try reader.nextKey(bytes, first: &first) {
        trace.add(Int64(truncatingIfNeeded: code(bytes, key)))
        trace.add(key.lowerBound)
        try read(bytes, &reader, &trace, depth: depth + 1)
      }
    case UInt8(ascii: "["):
      reader.offset += 1
      while try reader.nextElement(bytes, first: &first) {
        try read(bytes, &reader, &trace, depth: depth + 1)
      }
    case UInt8(ascii: "\""):
      let range = try reader.string(bytes)
      trace.add(Timestamp(iso8601: bytes.extracting(range))?.nanoseconds ?? -1)
      trace.add(Int64(truncatingIfNeeded: code(bytes, range)))
      trace.add(range.lowerBound)
      trace.add(range.upperBound)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let places = UInt8(reader.offset % 10)
      trace.add(try reader.units(bytes, scale: Scale(clamping: places)))
    default: try reader.skipValue(bytes)
    }
  }

  private static func code(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    if range.count > 8 { return 0 }
    var code: UInt64 = 0
    for index in range.reversed() { code = code << 8 | UInt64(bytes[index]) }
    return code
  }

  private static let alphabet =
    Array("{}[]\":,0123456789.eE+-truefalsn \\u\t\u{1}é€😀\u{7f}".utf8) + [0xff, 0xc0]

  /// Changes a text in one to five random places.
  static func change(_ text: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0...random.below(4) {
      if text.isEmpty { return text = [0x31] }
      let place = Int(random.below(Int64(text.count)))
      let byte = alphabet[Int(random.below(Int64(alphabet.count)))]
      switch random.below(5) {
      case 0: text[place] = byte
      case 1: text.insert(byte, at: place)
      case 2: text.remove(at: place)
      case 3: text.removeLast(text.count - place - 1)
      default:
        let end = min(text.count, place + 1 + Int(random.below(40)))
        text.insert(contentsOf: Array(text[place..<end]), at: place)
      }
    }
  }
}

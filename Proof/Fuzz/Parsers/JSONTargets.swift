// The JSON scanner: skipping and reading a value agree, the fast paths for numbers and keys agree
// with the careful ones, and written text reads back equal.

import MarketModel
import WireJSON

let targets: [String: Target] = [
  "json": { scan($0, checksValues: false) },
  "json-values": { scan($0, checksValues: true) },
  "decimal": decimal,
  "json-plain": comparePlainly,
]

/// Reads the text and 31 random changes of it with the reader and the plain one, byte by byte.
///
/// The reader learns its expectations from the same texts: no state is kept between inputs.
@Sendable private func comparePlainly(_ bytes: Span<UInt8>) {
  var seed = FNV1a()
  for index in 0..<bytes.count { seed.combine(byte: bytes[index]) }
  var random = SplitMix64(seed: seed.value)
  var readers = ReaderComparison()
  let original = bytes.withUnsafeBufferPointer { Array($0) }
  var text = original
  for round in 0..<32 {
    if let difference = text.withUnsafeBufferPointer({
      readers.difference(Span(_unsafeElements: $0))
    }) {
      fail("\(difference) in round \(round): \(String(decoding: text, as: UTF8.self))")
    }
    text = original
    ReaderComparison.change(&text, &random)
  }
}

/// Skips and reads the same value; a separate target checks the values, which takes far longer.
private func scan(_ bytes: Span<UInt8>, checksValues: Bool) {
  var skipping = JSONCursor()
  var refusal: JSONError?
  do throws(JSONError) { try skipping.skipValue(bytes) } catch { refusal = error }
  var reading = JSONCursor()
  do throws(JSONError) {
    try read(bytes, &reading, checksValues, depth: 0)
    guard refusal == nil, reading.offset == skipping.offset else {
      fail(
        "read to \(reading.offset), skipped to \(skipping.offset): \(String(describing: refusal))")
    }
    try reading.finish(bytes)
  } catch {
    if error.found(in: bytes).utf8.count > 1000 { fail("evidence without a bound") }
    if refusal == nil, error.reason != .numberOutOfRange, error.reason != .trailingCharacters {
      fail("skipped, but not read: \(error)")
    }
  }
}

private func read(
  _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ checksValues: Bool, depth: Int
) throws(JSONError) {
  let byte = try cursor.peek(bytes)
  let opens = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  if opens, depth >= JSONCursor.maximumDepth { throw JSONError(.tooDeep, at: cursor.offset) }
  var first = true
  switch byte {
  case UInt8(ascii: "{"):
    try cursor.beginObject(bytes)
    while try readKey(bytes, &cursor, &first) {
      try read(bytes, &cursor, checksValues, depth: depth + 1)
    }
  case UInt8(ascii: "["):
    try cursor.beginArray(bytes)
    while try cursor.nextElement(bytes, first: &first) {
      try read(bytes, &cursor, checksValues, depth: depth + 1)
    }
  case UInt8(ascii: "\""):
    let range = try cursor.string(bytes)
    if checksValues { checkString(bytes, range) }
  case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try cursor.boolean(bytes)
  case UInt8(ascii: "n"): try cursor.takeNull(bytes)
  default:
    if checksValues {
      try readNumber(bytes, &cursor)
    } else {
      _ = try cursor.decimal(bytes)
    }
  }
}

/// The next key by both paths; false at the end of the object.
private func readKey(
  _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ first: inout Bool
) throws(JSONError) -> Bool {
  var fast = cursor
  var fastFirst = first
  var fastRange = 0..<0
  var code: UInt64?
  var fastError: JSONError?
  do throws(JSONError) {
    code = try fast.nextCode(bytes, first: &fastFirst, range: &fastRange)
  } catch { fastError = error }
  let key: Range<Int>?
  do throws(JSONError) {
    key = try cursor.nextKey(bytes, first: &first)
  } catch {
    guard fastError == error else { fail("a key: \(error), \(String(describing: fastError))") }
    throw error
  }
  guard fastError == nil, fast.offset == cursor.offset, fastFirst == first else {
    fail("the fast way of a key goes elsewhere")
  }
  guard let key else {
    if code != nil { fail("a key behind the end") }
    return false
  }
  guard key == fastRange, code == JSONCursor.keyCode(bytes, key) else { fail("a key's code") }
  return true
}

/// A string, given between its quotes, round-trips through its text.
private func checkString(_ bytes: Span<UInt8>, _ range: Range<Int>) {
  var time = JSONCursor(offset: range.lowerBound - 1)
  _ = try? time.timestamp(bytes)
  let text = JSONText.decode(bytes, range)
  var writer = JSONWriter()
  writer.string(text)
  let written = ContiguousArray(writer.bytes)
  var again = JSONCursor()
  guard let copy = try? again.text(written.span, maximumBytes: .max), copy == text,
    again.offset == written.count
  else { fail("a string that changes when it is written") }
}

private func readNumber(_ bytes: Span<UInt8>, _ cursor: inout JSONCursor) throws(JSONError) {
  let start = cursor
  var careful = start
  var value: FixedDecimal?
  do throws(JSONError) { value = try careful.decimal(bytes) } catch {}
  for digits: UInt8 in [0, 1, 8, 18] {
    var fast = start
    let scale = Scale(clamping: digits)
    let units = try? fast.units(bytes, scale: scale)
    guard units == value?.exactly(at: scale)?.units else {
      fail("\(String(describing: units)) units of \(String(describing: value)) at \(digits)")
    }
    if units != nil, fast.offset != careful.offset { fail("a number of another length") }
  }
  guard let value else {
    try cursor.skipValue(bytes)
    throw JSONError(.numberOutOfRange, at: start.offset)
  }
  check(value)
  var unsigned = start
  if let number = try? unsigned.unsignedInteger(bytes), unsigned.offset == careful.offset,
    value != FixedDecimal(units: Int64(clamping: number), scale: .whole)
  {
    fail("\(number) is not \(value)")
  }
  cursor = careful
}

/// A decimal has one text and round-trips through it.
private func check(_ value: FixedDecimal) {
  let text = ContiguousArray(value.description.utf8)
  guard FixedDecimal(ascii: text.span) == value else { fail("\(value) changes when it is written") }
}

/// Numbers and times outside of JSON, as in URLs, headers and text fields.
@Sendable private func decimal(_ bytes: Span<UInt8>) {
  if let value = FixedDecimal(ascii: bytes) { check(value) }
  if let time = Timestamp(iso8601: bytes) {
    // The last leap second of the last readable year is in the following year.
    let again = Timestamp(iso8601: time.description)
    if again == nil
      ? !time.description.hasPrefix("2201-") : again?.milliseconds != time.milliseconds
    {
      fail("\(time) changes when it is written")
    }
  }
}

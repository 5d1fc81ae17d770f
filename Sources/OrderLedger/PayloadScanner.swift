// Reads the one spelling that the codec writes. Anything else is damage, so there is nothing to be
// lenient about.

/// A payload that is not what the codec writes.
struct MalformedPayload: Error, Hashable {
  /// Bytes that were read before the defect.
  let offset: Int
}

/// A cursor over a payload's bytes.
struct PayloadScanner {
  /// More than twice the longest event.
  static let maximumBytes = 2048

  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) { bytes = Array(text.utf8.prefix(PayloadScanner.maximumBytes)) }

  /// The error for the place that was reached.
  var malformed: MalformedPayload { MalformedPayload(offset: offset) }

  /// Moves behind a text, or throws.
  mutating func expect(_ text: String) throws(MalformedPayload) {
    guard skip(text) else { throw malformed }
  }

  /// Moves behind a text if it stands here.
  mutating func skip(_ text: String) -> Bool {
    let end = offset + text.utf8.count
    guard end <= bytes.count, bytes[offset..<end].elementsEqual(text.utf8) else { return false }
    offset = end
    return true
  }

  /// Throws unless all was read.
  func expectEnd() throws(MalformedPayload) {
    guard offset == bytes.count else { throw malformed }
  }

  /// A whole number in its one spelling: no plus, no leading zero, no minus zero.
  mutating func integer() throws(MalformedPayload) -> Int64 {
    let text = digits(allowingMinus: true)
    guard let value = Int64(text), String(value) == text else { throw malformed }
    return value
  }

  /// A whole number from 0 on.
  mutating func unsigned() throws(MalformedPayload) -> UInt64 {
    let text = digits(allowingMinus: false)
    guard let value = UInt64(text), String(value) == text else { throw malformed }
    return value
  }

  /// Up to eight numbers in brackets.
  mutating func integers() throws(MalformedPayload) -> [Int64] {
    try expect("[")
    if skip("]") { return [] }
    var values = [try integer()]
    while values.count < 8, skip(",") { values.append(try integer()) }
    try expect("]")
    return values
  }

  /// A text in quotes; what is written here never needs an escape.
  mutating func string() throws(MalformedPayload) -> String {
    try expect("\"")
    let rest = bytes[offset...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "\"")),
      rest[..<end].allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") })
    else { throw malformed }
    let text = String(decoding: rest[..<end], as: UTF8.self)
    offset = end + 1
    return text
  }

  private mutating func digits(allowingMinus: Bool) -> String {
    let start = offset
    if allowingMinus, offset < bytes.count, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    while offset < bytes.count, bytes[offset] >= UInt8(ascii: "0"),
      bytes[offset] <= UInt8(ascii: "9")
    { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }
}

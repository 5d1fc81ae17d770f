import MarketModel
import WireJSON

/// The reference of the fast JSON reader, as simple as possible, byte by byte; used here and in
/// Fuzz.
///
/// A position in a JSON text; errors and their offsets are those of ``JSONCursor``.
struct PlainJSONReader {
  var offset = 0

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  mutating func peek(_ bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte > 0x20 { return byte }
      guard Self.isBlank(byte) else { throw JSONError(.unexpectedCharacter, at: offset) }
      offset += 1
    }
    throw JSONError(.truncated, at: offset)
  }

  mutating func take(_ expected: UInt8, _ bytes: Span<UInt8>) throws(JSONError) {
    guard try peek(bytes) == expected else { throw JSONError(.unexpectedCharacter, at: offset) }
    offset += 1
  }

  mutating func finish(_ bytes: Span<UInt8>) throws(JSONError) {
    while offset < bytes.count {
      guard Self.isBlank(bytes[offset]) else { throw JSONError(.trailingCharacters, at: offset) }
      offset += 1
    }
  }

  mutating func begin(_ opening: UInt8, _ bytes: Span<UInt8>) throws(JSONError) {
    guard try peek(bytes) == opening else { throw JSONError(.wrongType, at: offset) }
    offset += 1
  }

  /// The next key, with its colon consumed; nil at the end of the object.
  mutating func nextKey(_ bytes: Span<UInt8>, first: inout Bool) throws(JSONError) -> Range<Int>? {
    let next = try peek(bytes)
    if next == UInt8(ascii: "}") {
      offset += 1
      return nil
    }
    if !first {
      guard next == UInt8(ascii: ",") else { throw JSONError(.unexpectedCharacter, at: offset) }
      offset += 1
    }
    first = false
    let key = try string(bytes)
    try take(UInt8(ascii: ":"), bytes)
    return key
  }

  mutating func nextElement(_ bytes: Span<UInt8>, first: inout Bool) throws(JSONError) -> Bool {
    let next = try peek(bytes)
    if next == UInt8(ascii: "]") {
      offset += 1
      return false
    }
    if !first {
      guard next == UInt8(ascii: ",") else { throw JSONError(.unexpectedCharacter, at: offset) }
      offset += 1
      guard try peek(bytes) != UInt8(ascii: "]") else {
        throw JSONError(.unexpectedCharacter, at: offset)
      }
    }
    first = false
    return true
  }

  mutating func skipValue(_ bytes: Span<UInt8>, depth: Int = 0) throws(JSONError) {
    let byte = try peek(bytes)
    if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["), depth >= JSONCursor.maximumDepth {
      throw JSONError(.tooDeep, at: offset)
    }
    var first = true
    switch byte {
    case UInt8(ascii: "{"):
      offset += 1
      while try nextKey(bytes, first: &first) != nil { try skipValue(bytes, depth: depth + 1) }
    case UInt8(ascii: "["):
      offset += 1
      while try nextElement(bytes, first: &first) { try skipValue(bytes, depth: depth + 1) }
    case UInt8(ascii: "\""): _ = try string(bytes)
    case UInt8(ascii: "t"): try literal("true", bytes)
    case UInt8(ascii: "f"): try literal("false", bytes)
    case UInt8(ascii: "n"): try literal("null", bytes)
    default: try skipNumber(bytes)
    }
  }

  mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
    try begin(UInt8(ascii: "\""), bytes)
    let start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return start..<(offset - 1)
      case UInt8(ascii: "\\"): try skipEscape(bytes)
      case 0x20..<0x80: offset += 1
      case 0x80...:
        let length = Self.lengthOfCharacter(bytes, offset)
        guard length > 0 else { throw JSONError(.badString, at: offset) }
        offset += length
      default: throw JSONError(.badString, at: offset)
      }
    }
    throw JSONError(.truncated, at: offset)
  }

  private mutating func skipEscape(_ bytes: Span<UInt8>) throws(JSONError) {
    guard offset + 1 < bytes.count else { throw JSONError(.truncated, at: offset) }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
    case UInt8(ascii: "u"):
      guard offset + 6 <= bytes.count else { throw JSONError(.truncated, at: offset) }
      for index in (offset + 2)..<(offset + 6) {
        switch bytes[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          continue
        default: throw JSONError(.badString, at: offset)
        }
      }
      offset += 6
    default: throw JSONError(.badString, at: offset)
    }
  }

  /// Bytes of the well-formed UTF-8 sequence at `start`; 0 for a malformed one.
  private static func lengthOfCharacter(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    let lead = bytes[start]
    let length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    guard lead >= 0xc2, lead <= 0xf4, start + length <= bytes.count else { return 0 }
    var scalar = UInt32(lead) & (0x7f >> UInt32(length))
    for index in (start + 1)..<(start + length) {
      guard bytes[index] & 0xc0 == 0x80 else { return 0 }
      scalar = scalar << 6 | UInt32(bytes[index] & 0x3f)
    }
    let isShort = length == 3 && scalar < 0x800 || length == 4 && scalar < 0x10000
    return isShort || Unicode.Scalar(scalar) == nil ? 0 : length
  }

  private mutating func literal(_ expected: String, _ bytes: Span<UInt8>) throws(JSONError) {
    for byte in expected.utf8 {
      guard offset < bytes.count else { throw JSONError(.truncated, at: offset) }
      guard bytes[offset] == byte else { throw JSONError(.unexpectedCharacter, at: offset) }
      offset += 1
    }
  }

  private mutating func skipNumber(_ bytes: Span<UInt8>) throws(JSONError) {
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    let start = offset
    try skipDigits(bytes)
    if bytes[start] == UInt8(ascii: "0"), offset > start + 1 {
      throw JSONError(.unexpectedCharacter, at: start)
    }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      try skipDigits(bytes)
    }
    guard offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return }
    offset += 1
    if offset < bytes.count,
      bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+")
    {
      offset += 1
    }
    try skipDigits(bytes)
  }

  private mutating func skipDigits(_ bytes: Span<UInt8>) throws(JSONError) {
    let start = offset
    while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
      offset += 1
    }
    guard offset > start else {
      throw JSONError(offset < bytes.count ? .unexpectedCharacter : .truncated, at: offset)
    }
  }

  mutating func units(_ bytes: Span<UInt8>, scale: Scale) throws(JSONError) -> Int64 {
    let before = offset
    let first = try peek(bytes)
    guard first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { throw JSONError(.wrongType, at: offset) }
    let start = offset
    guard let value = DecimalParser.parse(bytes, from: &offset) else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    guard let exact = value.exactly(at: scale) else {
      throw JSONError(.numberOutOfRange, at: before)
    }
    return exact.units
  }
}

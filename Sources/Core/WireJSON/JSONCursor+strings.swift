public import MarketModel

extension JSONCursor {
  /// The next string as an RFC 3339 time.
  @inlinable @inline(__always)
  public mutating func timestamp(_ bytes: Span<UInt8>) throws(JSONError) -> Timestamp {
    try JSONCursor.time(bytes, try string(bytes))
  }

  @usableFromInline
  static func time(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONError) -> Timestamp {
    if let time = usualTime(bytes, range) { return time }
    guard let time = Timestamp(iso8601: bytes.extracting(range)) else {
      throw JSONError(.wrongType, at: range.lowerBound)
    }
    return time
  }

  /// A valid time as most venues send it: "2026-01-05T00:00:01.892Z", 1 to 6 decimals; else nil.
  @inline(__always)
  private static func usualTime(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Timestamp? {
    let start = range.lowerBound
    let fraction = TextBlock.word(bytes, start &+ 19)
    let decimals = digitCount(fraction &>> 8)
    // Digits become 0...9, and the characters between them 0.
    let date = TextBlock.word(bytes, start) ^ 0x2d30_302d_3030_3030
    let middle = TextBlock.word(bytes, start &+ 8) ^ 0x3030_3a30_3054_3030
    let second = TextBlock.word(bytes, start &+ 16) & 0xff_ffff ^ 0x30_303a
    let others = date & 0xff00_00ff_0000_0000 | middle & 0xff00_00ff_0000 | second & 0xff
    guard range.count == 21 &+ decimals, decimals > 0, decimals < 7, others == 0,
      nonDigits(date ^ 0x3030_3030_3030_3030) | nonDigits(middle ^ 0x3030_3030_3030_3030)
        | nonDigits(second ^ 0x3030_3030_3030_3030) == 0,
      fraction & 0xff == 0x2e, fraction &>> UInt64(decimals &* 8 &+ 8) & 0xff == 0x5a
    else { return nil }
    let nanoseconds = value(of: fraction &>> 8, decimals) &* smallPower(9 &- decimals)
    return Timestamp(
      date: (pair(date, 0) &* 100 &+ pair(date, 2), pair(date, 5), pair(middle, 0)),
      time: (pair(middle, 3), pair(middle, 6), pair(second, 1)), nanoseconds: nanoseconds)
  }

  /// The value of two digits, 0...9, at a byte of a word.
  @inline(__always)
  private static func pair(_ word: UInt64, _ byte: UInt64) -> Int64 {
    let pair = word &>> (byte &* 8)
    return Int64(truncatingIfNeeded: (pair & 0xff) &* 10 &+ pair &>> 8 & 0xff)
  }

  /// The offset behind the escape or multi-byte character at `offset`; throws if malformed.
  static func endOfUnusualCharacter(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Int {
    let byte = bytes[offset]
    if byte == UInt8(ascii: "\\") { return try endOfEscape(bytes, offset) }
    guard byte >= 0x80 else { throw JSONError(.badString, at: offset) }
    let length = UTF8Sequence.length(bytes, at: offset)
    guard length > 0 else { throw JSONError(.badString, at: offset) }
    return offset &+ length
  }

  private static func endOfEscape(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Int {
    guard offset + 1 < bytes.count else { throw JSONError(.truncated, at: offset) }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return offset &+ 2
    case UInt8(ascii: "u"):
      guard offset + 6 <= bytes.count else { throw JSONError(.truncated, at: offset) }
      guard JSONText.hexadecimal(bytes, offset + 2) != nil else {
        throw JSONError(.badString, at: offset)
      }
      return offset &+ 6
    default: throw JSONError(.badString, at: offset)
    }
  }
}

/// Well-formed UTF-8, by table 3-7 of the Unicode standard.
enum UTF8Sequence {
  /// The length of the well-formed sequence at `start`, which must be inside `bytes`; else 0.
  static func length(_ bytes: Span<UInt8>, at start: Int) -> Int {
    let lead = bytes[start]
    let (length, low, high): (Int, UInt8, UInt8) =
      switch lead {
      case 0xc2...0xdf: (2, 0x80, 0xbf)
      case 0xe0: (3, 0xa0, 0xbf)
      case 0xed: (3, 0x80, 0x9f)
      case 0xe1...0xef: (3, 0x80, 0xbf)
      case 0xf0: (4, 0x90, 0xbf)
      case 0xf1...0xf3: (4, 0x80, 0xbf)
      case 0xf4: (4, 0x80, 0x8f)
      default: (0, 0, 0)
      }
    guard length > 0, start + length <= bytes.count else { return 0 }
    guard bytes[start + 1] >= low, bytes[start + 1] <= high else { return 0 }
    for index in (start + 2)..<max(start + 2, start + length) {
      guard bytes[index] & 0xc0 == 0x80 else { return 0 }
    }
    return length
  }
}

/// Decodes the validated raw bytes of a string.
public enum JSONText {
  /// Decodes escapes; a lone surrogate becomes U+FFFD.
  public static func decode(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound else {
        decoded.append(bytes[index])
        index += 1
        continue
      }
      index += decodeEscape(bytes, index, range.upperBound, &decoded)
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Whether the raw bytes of a range equal this ASCII text.
  @inlinable
  public static func equals(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString
  ) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    let expected = text.utf8Start
    for index in 0..<range.count where bytes[range.lowerBound &+ index] != expected[index] {
      return false
    }
    return true
  }

  static func hexadecimal(_ bytes: Span<UInt8>, _ start: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in start..<(start + 4) {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 0x57)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 0x37)
      default: return nil
      }
    }
    return value
  }

  private static func decodeEscape(
    _ bytes: Span<UInt8>, _ index: Int, _ end: Int, _ decoded: inout [UInt8]
  ) -> Int {
    switch bytes[index + 1] {
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0c)
    case UInt8(ascii: "n"): decoded.append(0x0a)
    case UInt8(ascii: "r"): decoded.append(0x0d)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"): return decodeUnicode(bytes, index, end, &decoded)
    default: decoded.append(bytes[index + 1])
    }
    return 2
  }

  private static func decodeUnicode(
    _ bytes: Span<UInt8>, _ index: Int, _ end: Int, _ decoded: inout [UInt8]
  ) -> Int {
    guard index + 6 <= end else {
      append(0xfffd, to: &decoded)
      return end - index
    }
    let high = hexadecimal(bytes, index + 2) ?? 0xfffd
    if (0xd800..<0xdc00).contains(high), index + 12 <= end,
      bytes[index + 6] == UInt8(ascii: "\\"), bytes[index + 7] == UInt8(ascii: "u"),
      let low = hexadecimal(bytes, index + 8), (0xdc00..<0xe000).contains(low)
    {
      append(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00), to: &decoded)
      return 12
    }
    append(high, to: &decoded)
    return 6
  }

  private static func append(_ value: UInt32, to decoded: inout [UInt8]) {
    let scalar = Unicode.Scalar(value) ?? "\u{fffd}"
    decoded.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
  }
}

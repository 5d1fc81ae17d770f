extension JSONCursor {
  /// Validates and skips one value of any type.
  @inlinable @inline(__always)
  public mutating func skipValue(_ bytes: Span<UInt8>) throws(JSONError) {
    offset = try JSONCursor.endOfValue(bytes, offset)
  }

  @usableFromInline @inline(never)
  static func endOfValue(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Int {
    var end = endOfPlainString(bytes, offset)
    if end < 0 { end = endOfPlainNumber(bytes, offset) }
    return end >= 0 ? end : try endOfAnyValue(bytes, offset)
  }

  /// The offset behind a string of plain characters at `offset`; -1 for all else.
  @inline(__always)
  static func endOfPlainString(_ bytes: Span<UInt8>, _ offset: Int) -> Int {
    guard TextBlock.byte(bytes, offset) == UInt8(ascii: "\"") else { return -1 }
    var start = offset &+ 1
    var end = TextBlock.plainEnd(bytes, start)
    while end == start &+ 32 {
      start = end
      end = TextBlock.plainEnd(bytes, start)
    }
    return TextBlock.byte(bytes, end) == UInt8(ascii: "\"") ? end &+ 1 : -1
  }

  /// The offset behind a number of at most seven digits before and 15 behind a point, without sign
  /// and exponent; -1 for all else.
  @inline(__always)
  private static func endOfPlainNumber(_ bytes: Span<UInt8>, _ offset: Int) -> Int {
    var word = TextBlock.word(bytes, offset)
    var count = digitCount(word)
    guard count > 0, count < 8, word & 0xff != 0x30 || count == 1 else { return -1 }
    var end = offset &+ count
    if word &>> UInt64(count &* 8) & 0xff == 0x2e {
      let start = end &+ 1
      word = TextBlock.word(bytes, start)
      count = digitCount(word)
      end = start &+ count
      if count == 8 {
        word = TextBlock.word(bytes, end)
        count = digitCount(word)
        end &+= count
      }
      if end == start || count == 8 { return -1 }
    }
    let next = word &>> UInt64(count &* 8) & 0xff
    return next | 0x20 == 0x65 ? -1 : end
  }

  /// The end of a string of at most seven plain characters, found faster than with 32 bytes; else
  /// -1.
  @inline(__always)
  static func shortStringEnd(_ bytes: Span<UInt8>, _ offset: Int) -> Int {
    guard TextBlock.byte(bytes, offset) == UInt8(ascii: "\"") else { return -1 }
    let word = TextBlock.word(bytes, offset &+ 1)
    let special = TextBlock.specialBytes(word)
    // The lowest set bit is the top bit of the first byte that is not plain.
    guard special & (0 &- special) & TextBlock.bytes(word, equal: 0x22) != 0 else { return -1 }
    return offset &+ 1 &+ special.trailingZeroBitCount &>> 3
  }

  /// Whether a string of `length` plain characters is at `offset`; false for texts under 32 bytes.
  @inline(__always)
  static func isPlainString(_ bytes: Span<UInt8>, _ offset: Int, length: Int) -> Bool {
    let start = offset &+ 1
    guard length >= 0, length < 31, bytes.count >= 32, TextBlock.holds(bytes, start, length &+ 1)
    else { return false }
    let quote: UInt64 = 1 &<< UInt64(length)
    return TextBlock.specialUpToEnd(bytes, start) & (quote &<< 1 &- 1) == quote
      && bytes[unchecked: start &+ length] == UInt8(ascii: "\"")
      && TextBlock.byte(bytes, offset) == UInt8(ascii: "\"")
  }

  /// One loop for all levels, with each level's kind as a bit.
  @inline(never)
  private static func endOfAnyValue(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Int {
    var cursor = JSONCursor(offset: offset)
    /// The lowest bit is set if the innermost container is an object.
    var kinds: UInt64 = 0
    var depth = 0
    while true {
      let byte = try cursor.peek(bytes)
      if byte == UInt8(ascii: "\"") {
        try cursor.skipString(bytes)
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        guard depth < maximumDepth else { throw JSONError(.tooDeep, at: cursor.offset) }
        cursor.offset &+= 1
        let isObject = byte == UInt8(ascii: "{")
        // The codes of `}` and `]` are those of `{` and `[` plus 2.
        if try cursor.peek(bytes) == byte &+ 2 {
          cursor.offset &+= 1
        } else {
          kinds = kinds &<< 1 | (isObject ? 1 : 0)
          depth &+= 1
          if isObject { try cursor.skipKey(bytes) }
          continue
        }
      } else {
        cursor.offset = try endOfScalar(bytes, cursor.offset, byte)
      }
      // What follows the value, and each container that ends there.
      while true {
        if depth == 0 { return cursor.offset }
        let isObject = kinds & 1 == 1
        let next = try cursor.peek(bytes)
        if next == UInt8(ascii: ",") {
          cursor.offset &+= 1
          if isObject {
            try cursor.skipKey(bytes)
          } else if try cursor.peek(bytes) == UInt8(ascii: "]") {
            throw JSONError(.unexpectedCharacter, at: cursor.offset)
          }
          break
        }
        guard next == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw JSONError(.unexpectedCharacter, at: cursor.offset)
        }
        cursor.offset &+= 1
        kinds &>>= 1
        depth &-= 1
      }
    }
  }

  @inline(__always)
  private mutating func skipKey(_ bytes: Span<UInt8>) throws(JSONError) {
    try skipString(bytes)
    try take(UInt8(ascii: ":"), bytes)
  }

  @inline(__always)
  private mutating func skipString(_ bytes: Span<UInt8>) throws(JSONError) {
    let short = JSONCursor.shortStringEnd(bytes, offset)
    if short >= 0 {
      offset = short &+ 1
      return
    }
    let end = JSONCursor.endOfPlainString(bytes, offset)
    offset = end >= 0 ? end : try JSONCursor.string(bytes, offset).upperBound &+ 1
  }

  @inline(__always)
  private static func endOfScalar(
    _ bytes: Span<UInt8>, _ offset: Int, _ byte: UInt8
  ) throws(JSONError) -> Int {
    let end = endOfPlainNumber(bytes, offset)
    if end >= 0 { return end }
    switch byte {
    case UInt8(ascii: "t"): return try endOfLiteral(bytes, offset, "true")
    case UInt8(ascii: "f"): return try endOfLiteral(bytes, offset, "false")
    case UInt8(ascii: "n"): return try endOfLiteral(bytes, offset, "null")
    default: return try endOfNumber(bytes, offset)
    }
  }
}

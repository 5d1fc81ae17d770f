// Values that a decoder does not read: checked like all others, and left behind.

extension JSONCursor {
  /// Checks and skips one value of any type.
  @inlinable @inline(__always)
  public mutating func skipValue(_ bytes: Span<UInt8>) throws(JSONError) {
    offset = try JSONCursor.endOfValue(bytes, offset)
  }

  /// Behind the value at `offset`, or behind blanks there.
  @usableFromInline @inline(never)
  static func endOfValue(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Int {
    if TextBlock.byte(bytes, offset) == UInt8(ascii: "\"") {
      let end = TextBlock.plainEnd(bytes, offset &+ 1)
      if TextBlock.byte(bytes, end) == UInt8(ascii: "\"") { return end &+ 1 }
    }
    return try endOfAnyValue(bytes, offset)
  }

  /// One loop for all levels; what a level is, object or array, is a bit of a number.
  @inline(never)
  private static func endOfAnyValue(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Int {
    var cursor = JSONCursor(offset: offset)
    /// The lowest bit is set where the innermost container is an object.
    var kinds: UInt64 = 0
    var depth = 0
    while true {
      // A value.
      let byte = try cursor.peek(bytes)
      switch byte {
      case UInt8(ascii: "\""): _ = try cursor.string(bytes)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < maximumDepth else { throw JSONError(.tooDeep, at: cursor.offset) }
        cursor.offset &+= 1
        let isObject = byte == UInt8(ascii: "{")
        // `}` and `]` are two behind `{` and `[`.
        if try cursor.peek(bytes) == byte &+ 2 {
          cursor.offset &+= 1
          break
        }
        kinds = kinds &<< 1 | (isObject ? 1 : 0)
        depth &+= 1
        if isObject {
          _ = try cursor.string(bytes)
          try cursor.take(UInt8(ascii: ":"), bytes)
        }
        continue
      case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try cursor.boolean(bytes)
      case UInt8(ascii: "n"): try cursor.takeNull(bytes)
      default: cursor.offset = try endOfNumber(bytes, cursor.offset)
      }
      // What comes behind it, and behind each container that it ends.
      while true {
        if depth == 0 { return cursor.offset }
        let isObject = kinds & 1 == 1
        let next = try cursor.peek(bytes)
        if next == UInt8(ascii: ",") {
          cursor.offset &+= 1
          if isObject {
            _ = try cursor.string(bytes)
            try cursor.take(UInt8(ascii: ":"), bytes)
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
}

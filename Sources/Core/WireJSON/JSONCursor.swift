/// A pull reader over one JSON message: no tree, no strings, no allocation.
///
/// Anything other than the requested value throws an error with its offset and never traps. After
/// an error the whole message must be rejected.
public struct JSONCursor: Sendable {
  /// The limit of nested arrays and objects.
  public static let maximumDepth = 32

  /// Bytes from the start of the message.
  public var offset: Int

  /// Starts at `offset`.
  @inlinable
  public init(offset: Int = 0) { self.offset = offset }

  /// Skips blanks and returns the next byte without consuming it; throws at the end of the text.
  @inlinable @inline(__always)
  public mutating func peek(_ bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
    let byte = TextBlock.byte(bytes, offset)
    if byte > 0x20 { return byte }
    offset = try JSONCursor.endOfBlanks(bytes, offset)
    return TextBlock.byte(bytes, offset)
  }

  /// The end of the blanks at `offset`; compact texts only call it at their end.
  @usableFromInline @inline(never)
  static func endOfBlanks(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> Int {
    var offset = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte > 0x20 { return offset }
      guard isBlank(byte) else { throw JSONError(.unexpectedCharacter, at: offset) }
      offset &+= 1
    }
    throw JSONError(.truncated, at: offset)
  }

  @inlinable @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  /// Consumes `expected`, after blanks.
  @inlinable @inline(__always)
  public mutating func take(_ expected: UInt8, _ bytes: Span<UInt8>) throws(JSONError) {
    guard try peek(bytes) == expected else { throw JSONError(.unexpectedCharacter, at: offset) }
    offset &+= 1
  }

  /// Throws unless only blanks are left.
  @inlinable
  public mutating func finish(_ bytes: Span<UInt8>) throws(JSONError) {
    while offset < bytes.count {
      guard JSONCursor.isBlank(bytes[offset]) else {
        throw JSONError(.trailingCharacters, at: offset)
      }
      offset &+= 1
    }
  }
}

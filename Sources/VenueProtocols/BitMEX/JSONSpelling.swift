// Text that a venue sends again and again between its values: compared as one or two numbers
// instead of being read.

import WireJSON

/// Text of 1 to 16 bytes that is known to the program.
struct JSONSpelling: Hashable, Sendable {
  /// The first eight bytes, the first lowest; zeros behind a shorter text.
  let first: UInt64
  /// The other bytes in the same way.
  let second: UInt64
  /// In bytes.
  let length: Int

  /// `length` must be the number of bytes that are not 0.
  @inline(__always)
  init(_ length: Int, _ first: UInt64, _ second: UInt64 = 0) {
    self.first = first
    self.second = second
    self.length = length
  }
}

extension JSONCursor {
  /// Takes exactly this text if it comes next, no blanks before it; says whether it did.
  ///
  /// Always false near the end: within 16 bytes of it, or 8 for a text of at most 8.
  @inline(__always)
  mutating func takes(_ text: JSONSpelling, _ bytes: Span<UInt8>) -> Bool {
    if text.length <= 8 {
      guard offset >= 0, offset <= bytes.count &- 8 else { return false }
      let rest = JSONCursor.eightBytes(bytes, offset) ^ text.first
      guard rest &<< UInt64(64 &- text.length &* 8) == 0 else { return false }
    } else {
      guard offset >= 0, offset <= bytes.count &- 16,
        JSONCursor.eightBytes(bytes, offset) == text.first
      else { return false }
      let rest = JSONCursor.eightBytes(bytes, offset &+ 8) ^ text.second
      guard rest &<< UInt64(128 &- text.length &* 8) == 0 else { return false }
    }
    offset &+= text.length
    return true
  }

  /// Takes `byte` if it comes next, no blanks before it; says whether it did.
  @inline(__always)
  mutating func takes(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard offset >= 0, offset < bytes.count, bytes[offset] == byte else { return false }
    offset &+= 1
    return true
  }
}

/// At most 24 bytes to compare a text with, the first byte lowest, zero behind the last.
@usableFromInline
struct TextPattern: Sendable {
  @usableFromInline let low: UInt64
  @usableFromInline let middle: UInt64
  @usableFromInline let high: UInt64
  @usableFromInline let lowMask: UInt64
  @usableFromInline let middleMask: UInt64
  @usableFromInline let highMask: UInt64
  @usableFromInline let length: Int

  /// The bytes at `range`, which must be inside the text; nil for more than 24.
  @usableFromInline
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard range.count <= 24 else { return nil }
    length = range.count
    lowMask = Self.mask(length)
    middleMask = Self.mask(length - 8)
    highMask = Self.mask(length - 16)
    let start = range.lowerBound
    low = TextBlock.word(bytes, start) & lowMask
    middle = TextBlock.word(bytes, start + 8) & middleMask
    high = TextBlock.word(bytes, start + 16) & highMask
  }

  private static func mask(_ length: Int) -> UInt64 {
    length >= 8 ? .max : (1 << UInt64(max(length, 0) * 8)) - 1
  }

  /// Whether these bytes are at `offset`; false also if fewer than eight, 16 or 24 bytes are left.
  @inlinable @inline(__always)
  func matches(_ bytes: Span<UInt8>, _ offset: Int) -> Bool {
    guard TextBlock.holds(bytes, offset, 8) else { return false }
    var difference = (TextBlock.load(bytes, offset) ^ low) & lowMask
    if length > 8 {
      guard TextBlock.holds(bytes, offset, 16) else { return false }
      difference |= (TextBlock.load(bytes, offset &+ 8) ^ middle) & middleMask
      if length > 16 {
        guard TextBlock.holds(bytes, offset, 24) else { return false }
        difference |= (TextBlock.load(bytes, offset &+ 16) ^ high) & highMask
      }
    }
    return difference == 0
  }
}

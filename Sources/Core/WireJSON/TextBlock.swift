#if canImport(CWireJSON)
  public import CWireJSON
#endif

/// The reader's only unsafe loads: one, eight or 32 bytes of a text, checked against its end.
@usableFromInline
enum TextBlock {
  /// The byte at `offset`; outside the text 0, which no JSON text contains.
  @inlinable @inline(__always)
  static func byte(_ bytes: Span<UInt8>, _ offset: Int) -> UInt8 {
    guard UInt(bitPattern: offset) < UInt(bitPattern: bytes.count) else { return 0 }
    return bytes[unchecked: offset]
  }

  @inlinable @inline(__always)
  static func holds(_ bytes: Span<UInt8>, _ offset: Int, _ length: Int) -> Bool {
    offset >= 0 && length <= bytes.count &- offset
  }

  /// Eight bytes from `offset` on, the first lowest, zero beyond the end.
  @inlinable @inline(__always)
  static func word(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
    if holds(bytes, offset, 8) { return load(bytes, offset) }
    return lastWord(bytes, offset)
  }

  /// As ``word(_:_:)`` with fewer than eight bytes left.
  @inlinable @inline(__always)
  static func lastWord(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
    let start = bytes.count &- 8
    guard start >= 0, offset >= start, offset < bytes.count else {
      return shortWord(bytes, offset)
    }
    return load(bytes, start) &>> UInt64((offset &- start) &* 8)
  }

  @usableFromInline @inline(never)
  static func shortWord(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
    guard offset >= 0 else { return 0 }
    var word: UInt64 = 0
    var index = bytes.count
    while index > offset {
      index &-= 1
      word = word &<< 8 | UInt64(bytes[index])
    }
    return word
  }

  /// The eight bytes at `offset`, all of which must be inside the text.
  @inlinable @inline(__always)
  static func load(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
    assert(holds(bytes, offset, 8))
    return UInt64(
      littleEndian: bytes.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The first byte within 32 from `offset` (0...count) that is not plain: a quote, backslash,
  /// control character, non-ASCII byte or the end.
  @inlinable @inline(__always)
  static func plainEnd(_ bytes: Span<UInt8>, _ offset: Int) -> Int {
    guard bytes.count >= 32 else { return plainEndByWords(bytes, offset) }
    let start = bytes.count &- 32
    if offset <= start { return offset &+ special(bytes, offset).trailingZeroBitCount }
    // Near the end the block starts earlier, and bytes before `offset` are shifted out.
    return offset &+ (special(bytes, start) &>> UInt64(offset &- start)).trailingZeroBitCount
  }

  /// As ``special(_:_:)`` at any offset inside a text of at least 32 bytes; 0 beyond its end.
  ///
  /// Without a branch, since the distance to the end is unpredictable.
  @inlinable @inline(__always)
  static func specialUpToEnd(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
    let start = min(offset, bytes.count &- 32)
    return (special(bytes, start) & 0xffff_ffff) &>> UInt64(offset &- start)
  }

  /// A bit for each byte that is not plain of the 32 at `offset`, which must be inside; bit 32 is
  /// set.
  @inlinable @inline(__always)
  static func special(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
    assert(holds(bytes, offset, 32))
    #if canImport(CWireJSON) && (arch(x86_64) || arch(arm64))
      return bytes.withUnsafeBufferPointer { text in
        UInt64(wire_json_special32(text.baseAddress.unsafelyUnwrapped + offset)) | 1 &<< 32
      }
    #else
      var bits: UInt64 = 1 &<< 32
      for index in 0..<4 {
        // Gathers the top bits of eight bytes; a borrow only affects those behind the first.
        let special = specialBytes(load(bytes, offset &+ index &* 8)) &>> 7
        bits |= ((special &* 0x0102_0408_1020_4080) &>> 56) &<< UInt64(index &* 8)
      }
      return bits
    #endif
  }

  /// As ``plainEnd(_:_:)``, eight bytes at a time, for short texts and other processors.
  @usableFromInline @inline(never)
  static func plainEndByWords(_ bytes: Span<UInt8>, _ offset: Int) -> Int {
    var end = offset
    while end < bytes.count, end &- offset < 32 {
      let special = specialBytes(word(bytes, end))
      if special != 0 { return min(end &+ special.trailingZeroBitCount &>> 3, bytes.count) }
      end &+= 8
    }
    return end
  }

  /// The top bits of bytes that are not plain; the lowest is right, a borrow may affect others.
  @inlinable @inline(__always)
  static func specialBytes(_ word: UInt64) -> UInt64 {
    let control = (word &- repeated(0x20)) & ~word & repeated(0x80)
    return bytes(word, equal: 0x22) | bytes(word, equal: 0x5c) | control | word & repeated(0x80)
  }

  /// The top bits of the bytes equal to `byte`; the lowest set bit is right.
  @inlinable @inline(__always)
  static func bytes(_ word: UInt64, equal byte: UInt64) -> UInt64 {
    let turned = word ^ repeated(byte)
    return (turned &- repeated(1)) & ~turned & repeated(0x80)
  }

  @inlinable @inline(__always)
  static func repeated(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
}

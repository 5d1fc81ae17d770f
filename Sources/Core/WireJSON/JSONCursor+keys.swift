extension JSONCursor {
  /// A key of at most eight bytes as one number, the first byte lowest; 0 when longer.
  ///
  /// Two keys are equal exactly when their codes are equal and not 0; escaped keys count as
  /// different.
  @inlinable @inline(__always)
  public static func keyCode(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    let length = range.upperBound &- range.lowerBound
    guard length > 0, length <= 8 else { return 0 }
    let unused = UInt64(8 &- length) &* 8
    return (TextBlock.word(bytes, range.lowerBound) &<< unused) &>> unused
  }

  /// Consumes the next string and returns its code as in ``keyCode(_:_:)``, and its range.
  @inlinable @inline(__always)
  public mutating func shortString(
    _ bytes: Span<UInt8>, _ range: inout Range<Int>
  ) throws(JSONError) -> UInt64 {
    let short = try JSONCursor.shortString(bytes, offset)
    range = Range(uncheckedBounds: (short.start, short.end))
    offset = short.end &+ 1
    return short.code
  }

  /// As ``shortString(_:_:)``; nil for `null`.
  @inlinable @inline(__always)
  public mutating func shortStringOrNull(
    _ bytes: Span<UInt8>, _ range: inout Range<Int>
  ) throws(JSONError) -> UInt64? {
    let next = TextBlock.byte(bytes, offset)
    if next != UInt8(ascii: "\""), try takeNullIfPresent(bytes) { return nil }
    return try shortString(bytes, &range)
  }

  @usableFromInline
  struct ShortString {
    @usableFromInline let code: UInt64
    @usableFromInline let start: Int
    @usableFromInline let end: Int
  }

  @usableFromInline @inline(never)
  static func shortString(_ bytes: Span<UInt8>, _ offset: Int) throws(JSONError) -> ShortString {
    if TextBlock.byte(bytes, offset) == UInt8(ascii: "\"") {
      let word = TextBlock.word(bytes, offset &+ 1)
      let special = TextBlock.specialBytes(word)
      // The lowest set bit is the top bit of the byte that ends the string.
      let lowest = special & (0 &- special)
      if lowest & TextBlock.bytes(word, equal: 0x22) != 0 {
        return ShortString(
          code: word & ((lowest &>> 7) &- 1), start: offset &+ 1,
          end: offset &+ 1 &+ special.trailingZeroBitCount &>> 3)
      }
    }
    return try longString(bytes, offset)
  }

  /// For strings of eight bytes and more, and after blanks.
  @inline(never)
  private static func longString(
    _ bytes: Span<UInt8>, _ offset: Int
  ) throws(JSONError) -> ShortString {
    let range = try string(bytes, offset)
    return ShortString(code: keyCode(bytes, range), start: range.lowerBound, end: range.upperBound)
  }

  /// Consumes the next key and returns its code, 0 if too long; nil at the object's end.
  @inlinable @inline(__always)
  public mutating func nextCode(
    _ bytes: Span<UInt8>, first: inout Bool, range: inout Range<Int>
  ) throws(JSONError) -> UInt64? {
    guard let key = try nextKey(bytes, first: &first) else { return nil }
    range = key
    return JSONCursor.keyCode(bytes, key)
  }

  /// As ``nextCode(_:first:range:)`` from a new ``KeyPlace`` before `{` on; fast for usual orders.
  ///
  /// `order` should be shared by all objects of a kind. It never changes the result.
  @inlinable @inline(always)
  public mutating func nextCode(
    _ bytes: Span<UInt8>, _ order: inout KeyOrder, _ place: inout KeyPlace,
    range: inout Range<Int>
  ) throws(JSONError) -> UInt64? {
    if place.expected < 0 {
      let skipped = try order.skipMembers(bytes, offset, place)
      offset = skipped.end
      place = skipped.place
    }
    let index = place.expected
    if index >= 0, index < order.keys.count, order.keys[index].pattern.matches(bytes, offset) {
      place = KeyPlace(latest: index, expected: order.keys[index].follower)
      let end = offset &+ order.keys[index].pattern.length
      range = Range(uncheckedBounds: (offset &+ 2, end &- 2))
      offset = end
      return order.keys[index].code
    }
    if place.latest >= 0, TextBlock.byte(bytes, offset) == UInt8(ascii: "}") {
      offset &+= 1
      return nil
    }
    let found = try order.find(bytes, offset, place)
    offset = found.end
    guard found.isKey else { return nil }
    place = found.place
    range = found.range
    return found.code
  }
}

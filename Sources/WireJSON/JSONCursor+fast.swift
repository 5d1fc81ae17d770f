// The three things that a hot decoder does all day: recognise a short key, skip a plain string,
// read a short number. Each handles the common spelling here and leaves the rest to the careful
// code.

public import MarketModel

extension JSONCursor {
  /// The bytes of a key of at most eight bytes as one number, the first byte lowest; 0 when longer.
  ///
  /// Two keys are equal exactly when their codes are equal and not 0. A key spelled with escapes
  /// has the code of its raw spelling, so it is a different key: no venue writes keys so.
  @inlinable @inline(__always)
  public static func keyCode(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    let length = range.upperBound &- range.lowerBound
    guard length > 0, length <= 8 else { return 0 }
    if range.lowerBound &+ 8 <= bytes.count {
      let word = eightBytes(bytes, range.lowerBound)
      return length == 8 ? word : word & ((1 &<< UInt64(length &* 8)) &- 1)
    }
    var code: UInt64 = 0
    var index = range.upperBound
    while index > range.lowerBound {
      index &-= 1
      code = code &<< 8 | UInt64(bytes[index])
    }
    return code
  }

  /// Takes the next string and gives its code as ``keyCode(_:_:)`` does, and its range in `range`.
  @inlinable @inline(__always)
  public mutating func shortString(
    _ bytes: Span<UInt8>, _ range: inout Range<Int>
  ) throws(JSONError) -> UInt64 {
    guard try peek(bytes) == UInt8(ascii: "\"") else { throw JSONError(.wrongType, at: offset) }
    let start = offset &+ 1
    if start &+ 8 <= bytes.count {
      let word = JSONCursor.eightBytes(bytes, start)
      let special = JSONCursor.specialBytes(word)
      let bits = UInt64(special.trailingZeroBitCount) & 0x78
      if special != 0, (word &>> bits) & 0xff == 0x22 {
        let end = start &+ Int(bits &>> 3)
        range = Range(uncheckedBounds: (start, end))
        offset = end &+ 1
        return word & ((1 &<< bits) &- 1)
      }
    }
    range = try string(bytes)
    return JSONCursor.keyCode(bytes, range)
  }

  /// The code of the next key, its colon taken, as ``nextKey(_:first:)`` does; nil when the object
  /// ends here, 0 for keys of more than eight bytes.
  @inlinable @inline(__always)
  public mutating func nextCode(
    _ bytes: Span<UInt8>, first: inout Bool, range: inout Range<Int>
  ) throws(JSONError) -> UInt64? {
    let next = try peek(bytes)
    if next == UInt8(ascii: "}") {
      offset &+= 1
      return nil
    }
    if !first {
      guard next == UInt8(ascii: ",") else { throw JSONError(.unexpectedCharacter, at: offset) }
      offset &+= 1
    }
    first = false
    let code = try shortString(bytes, &range)
    try take(UInt8(ascii: ":"), bytes)
    return code
  }

  /// The top bits of the bytes that a string cannot simply skip: quote, backslash, control
  /// character, non-ASCII.
  ///
  /// The lowest bit set is right; a borrow can only spoil bytes behind it.
  @inlinable @inline(__always)
  static func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    return
      ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash
      | (word &- ones &* 0x20) & ~word | word) & (ones &* 0x80)
  }

  /// Moves over bytes that need no check: neither quote, backslash, control character nor
  /// non-ASCII.
  ///
  /// Stops at the first other byte or within eight bytes of the end.
  @inlinable @inline(__always)
  mutating func skipPlainCharacters(_ bytes: Span<UInt8>) {
    while offset &+ 8 <= bytes.count {
      let found = JSONCursor.specialBytes(JSONCursor.eightBytes(bytes, offset))
      if found != 0 {
        offset &+= found.trailingZeroBitCount &>> 3
        return
      }
      offset &+= 8
    }
  }

  /// A number of at most 18 digits without exponent in units of `scale`; nil, with nothing taken,
  /// where the careful code must decide.
  @inlinable
  mutating func shortUnits(_ bytes: Span<UInt8>, scale: Scale) -> Int64? {
    var index = offset
    let count = bytes.count
    guard index < count else { return nil }
    let negative = bytes[index] == UInt8(ascii: "-")
    if negative { index &+= 1 }
    let start = index
    var value: Int64 = 0
    while index < count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit > 9 { break }
      value = value &* 10 &+ Int64(digit)
      index &+= 1
    }
    let length = index &- start
    let places = Int(scale.digits)
    guard length > 0, length &+ places <= 18, index < count else { return nil }
    if bytes[start] == UInt8(ascii: "0"), length > 1 { return nil }
    var missing = places
    if bytes[index] == UInt8(ascii: ".") {
      index &+= 1
      let point = index
      while index < count {
        let digit = bytes[index] &- UInt8(ascii: "0")
        if digit > 9 { break }
        guard missing > 0 else { return nil }
        value = value &* 10 &+ Int64(digit)
        missing &-= 1
        index &+= 1
      }
      guard index > point, index < count else { return nil }
    }
    if bytes[index] | 0x20 == UInt8(ascii: "e") { return nil }
    while missing > 0 {
      value = value &* 10
      missing &-= 1
    }
    offset = index
    return negative ? 0 &- value : value
  }

  /// Eight bytes from `offset`, the first lowest; traps unless all are inside.
  @inlinable @inline(__always)
  public static func eightBytes(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset &+ 8 <= bytes.count)
    let raw = bytes.bytes
    return UInt64(
      littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }
}

// Parses eight digits at a time: the end of a loop over single digits is unpredictable.

#if canImport(CWireJSON)
  import CWireJSON
#endif

extension JSONCursor {
  @usableFromInline
  struct NumberRead {
    @usableFromInline let units: Int64
    /// The offset behind the number; -1 if it was not read.
    @usableFromInline let end: Int

    @inline(__always)
    static var none: NumberRead { NumberRead(units: 0, end: -1) }

    @inline(__always)
    init(units: Int64, end: Int) { (self.units, self.end) = (units, end) }
  }

  /// A number of at most seven characters without sign and exponent, in 10^-`places`; else `none`.
  @usableFromInline @inline(never)
  static func shortNumber(_ bytes: Span<UInt8>, _ offset: Int, places: Int) -> NumberRead {
    let word = TextBlock.word(bytes, offset)
    let others = nonDigits(word)
    let first = others & (0 &- others)
    // Removes the point from the end and the digits, without an unpredictable branch.
    let point = first & TextBlock.bytes(word, equal: 0x2e)
    let length = (others ^ point).trailingZeroBitCount &>> 3
    let whole = first.trailingZeroBitCount &>> 3
    let pointCount = point == 0 ? 0 : 1
    let kept = point == 0 ? UInt64.max : (first &>> 7) &- 1
    let digits = (word & kept) | ((word &>> 8) & ~kept)
    let next = word &>> UInt64(length &* 8 & 63) & 0xff
    let decimals = length &- whole &- pointCount
    // "0" alone or before a point, but not "01"; a point needs digits on both sides.
    guard length < 8, whole > 0, word & 0xff != 0x30 || whole == 1,
      decimals >= pointCount, decimals <= places, places <= 8, next | 0x20 != 0x65
    else { return .none }
    return NumberRead(
      units: value(of: digits, length &- pointCount) &* smallPower(places &- decimals),
      end: offset &+ length)
  }

  /// A number of at most 15 digits before and 8 after the point, in 10^-`places`; else `none`.
  ///
  /// Zeros at the end of the fraction, with which some venues pad every number, don't count.
  @inline(never)
  static func longNumber(_ bytes: Span<UInt8>, _ offset: Int, places: Int) -> NumberRead {
    let isNegative = TextBlock.byte(bytes, offset) == 0x2d
    let start = isNegative ? offset &+ 1 : offset
    var word = TextBlock.word(bytes, start)
    var count = digitCount(word)
    guard count > 0, places <= 8, word & 0xff != 0x30 || count == 1 else { return .none }
    var units = value(of: word, count)
    var length = count
    if count == 8 {
      word = TextBlock.word(bytes, start &+ 8)
      count = digitCount(word)
      if count == 8 { return .none }
      units = units &* smallPower(count) &+ value(of: word, count)
      length &+= count
    }
    guard length &+ places <= 18 else { return .none }
    var end = start &+ length
    var missing = places
    var next = UInt8(truncatingIfNeeded: word &>> UInt64(count &* 8))
    if next == 0x2e {
      let fraction = TextBlock.word(bytes, end &+ 1)
      let count = digitCount(fraction)
      next = TextBlock.byte(bytes, end &+ 1 &+ count)
      guard count > 0, next &- 0x30 > 9 || count < 8 else { return .none }
      var kept = count
      if count > places {
        let digits = (fraction ^ 0x3030_3030_3030_3030) &<< UInt64((8 &- count) &* 8)
        let zeros = min(digits.leadingZeroBitCount &>> 3, count)
        kept = count &- zeros
        guard kept <= places else { return .none }
      }
      units = units &* smallPower(kept) &+ value(of: fraction, kept)
      missing &-= kept
      end &+= count &+ 1
    }
    if next | 0x20 == 0x65 { return .none }
    units = units &* smallPower(missing)
    return NumberRead(units: isNegative ? 0 &- units : units, end: end)
  }

  /// A number of at most 15 digits without sign, point and exponent; else `none`.
  @usableFromInline @inline(never)
  static func wholeNumber(_ bytes: Span<UInt8>, _ offset: Int) -> NumberRead {
    var word = TextBlock.word(bytes, offset)
    var count = digitCount(word)
    guard count > 0, word & 0xff != 0x30 || count == 1 else { return .none }
    var units: Int64 = 0
    var start = offset
    if count == 8 {
      units = value(ofEight: word)
      // Not behind `count`, so that the processor need not wait for it.
      start = offset &+ 8
      word = TextBlock.word(bytes, start)
      count = digitCount(word)
      if count == 8 { return .none }
      units &*= smallPower(count)
    }
    let next = word &>> UInt64(count &* 8) & 0xff
    guard next != 0x2e, next | 0x20 != 0x65 else { return .none }
    return NumberRead(units: units &+ value(of: word, count), end: start &+ count)
  }

  /// The top bit of each non-digit byte; valid up to the first one, and beyond while all are ASCII.
  @inline(__always)
  static func nonDigits(_ word: UInt64) -> UInt64 {
    // A digit becomes 0...9; others have the top bit set, or get it by adding 118.
    let turned = word ^ 0x3030_3030_3030_3030
    return ((turned &+ 0x7676_7676_7676_7676) | turned) & 0x8080_8080_8080_8080
  }

  @inline(__always)
  static func digitCount(_ word: UInt64) -> Int { nonDigits(word).trailingZeroBitCount &>> 3 }

  /// The value of the first `count` of eight characters, 0...8, which must be digits.
  @inline(__always)
  static func value(of word: UInt64, _ count: Int) -> Int64 {
    // Moves the digits behind zeros, in two shifts since one by 64 bits is masked, then joins
    // pairs.
    let half = UInt64((8 &- count) &* 4)
    return value(ofEight: (word &<< half) &<< half)
  }

  @inline(__always)
  private static func value(ofEight word: UInt64) -> Int64 {
    var joined = word & 0x0f0f_0f0f_0f0f_0f0f
    joined = (joined &* 2561) &>> 8 & 0x00ff_00ff_00ff_00ff
    joined = (joined &* 6_553_601) &>> 16 & 0x0000_ffff_0000_ffff
    joined = (joined &* 42_949_672_960_001) &>> 32
    return Int64(truncatingIfNeeded: joined)
  }

  /// 10 to the power of 0...8.
  @inline(__always)
  static func smallPower(_ exponent: Int) -> Int64 {
    #if canImport(CWireJSON)
      return wire_json_power_of_ten(UInt64(truncatingIfNeeded: exponent))
    #else
      // A `switch` would compile to an unpredictable jump.
      var power: Int64 = exponent & 1 == 0 ? 1 : 10
      if exponent & 2 != 0 { power &*= 100 }
      if exponent & 4 != 0 { power &*= 10_000 }
      return exponent & 8 == 0 ? power : power &* 100_000_000
    #endif
  }
}

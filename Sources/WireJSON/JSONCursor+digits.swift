// Digits eight at a time: the numbers of a book row have three to ten of them, and a loop over
// digits ends at another place each time, which no processor foresees.

public import MarketModel

extension JSONCursor {
  /// A plain number of at most 15 digits before and 7 after the point, in units of `scale`, at
  /// least 25 bytes before the end.
  ///
  /// Nil, with nothing taken, for every other number.
  @inlinable @inline(__always)
  mutating func plainUnits(_ bytes: Span<UInt8>, scale: Scale) -> Int64? {
    let places = Int(scale.digits)
    let start = offset
    guard start >= 0, start <= bytes.count &- 25, places <= 8 else { return nil }
    let first = JSONCursor.eightBytes(bytes, start)
    var length = JSONCursor.digitCount(first)
    var value = JSONCursor.digits(first, length)
    if length == 8 {
      let second = JSONCursor.eightBytes(bytes, start &+ 8)
      let more = JSONCursor.digitCount(second)
      if more == 8 { return nil }
      value = value &* JSONCursor.smallPower(more) &+ JSONCursor.digits(second, more)
      length &+= more
    }
    let startsWithZero = first & 0xff == 0x30 && length > 1
    guard length > 0, length &+ places <= 18, !startsWithZero else { return nil }
    var end = start &+ length
    var missing = places
    if bytes[end] == UInt8(ascii: ".") {
      let fraction = JSONCursor.eightBytes(bytes, end &+ 1)
      let count = JSONCursor.digitCount(fraction)
      guard count > 0, count < 8, count <= places else { return nil }
      value = value &* JSONCursor.smallPower(count) &+ JSONCursor.digits(fraction, count)
      missing &-= count
      end &+= count &+ 1
    }
    if bytes[end] | 0x20 == UInt8(ascii: "e") { return nil }
    offset = end
    return value &* JSONCursor.smallPower(missing)
  }

  /// How many of the eight characters, from the first on, are digits.
  @inlinable @inline(__always)
  static func digitCount(_ word: UInt64) -> Int {
    // A digit's byte becomes 0...9, any other byte something that sets the top bit when 118 is
    // added or had it set already. A carry never leaves its byte before the first non-digit.
    let zeros: UInt64 = 0x3030_3030_3030_3030
    let turned = word ^ zeros
    let others = ((turned &+ 0x7676_7676_7676_7676) | turned) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount &>> 3
  }

  /// The value of the first `count` characters of eight, 0...8, which must be digits.
  @inlinable @inline(__always)
  static func digits(_ word: UInt64, _ count: Int) -> Int64 {
    if count == 0 { return 0 }
    // The digits move to the end and zeros come before them; then neighbours are joined thrice.
    var joined = word &<< UInt64((8 &- count) &* 8) & 0x0f0f_0f0f_0f0f_0f0f
    joined = (joined &* 2561) &>> 8 & 0x00ff_00ff_00ff_00ff
    joined = (joined &* 6_553_601) &>> 16 & 0x0000_ffff_0000_ffff
    joined = (joined &* 42_949_672_960_001) &>> 32
    return Int64(truncatingIfNeeded: joined)
  }

  /// 10 to the power of 0...8, from a table.
  @inlinable @inline(__always)
  static func smallPower(_ exponent: Int) -> Int64 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    default: 100_000_000
    }
  }
}

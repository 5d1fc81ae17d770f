/// Parses decimals without a binary float: 32180, 32180.5, 8000.0, 1e-8, 1.0E-4.
public enum DecimalParser {
  /// Parses the number at `offset` and moves `offset` behind it, by the JSON grammar.
  ///
  /// Returns nil, with `offset` undefined, without a number, for more than 18 digits after the
  /// point or if the digits don't fit 63 bits. Drops zeros that an exponent makes superfluous.
  public static func parse(_ bytes: Span<UInt8>, from offset: inout Int) -> FixedDecimal? {
    var cursor = offset
    let count = bytes.count
    var negative = false
    if cursor < count, bytes[cursor] == UInt8(ascii: "-") {
      negative = true
      cursor += 1
    }
    let integerStart = cursor
    var mantissa: Int64 = 0
    guard accumulate(bytes, &cursor, into: &mantissa), cursor > integerStart else { return nil }
    if bytes[integerStart] == UInt8(ascii: "0"), cursor > integerStart + 1 { return nil }
    var fractionDigits = 0
    if cursor < count, bytes[cursor] == UInt8(ascii: ".") {
      cursor += 1
      let start = cursor
      guard accumulate(bytes, &cursor, into: &mantissa), cursor > start else { return nil }
      fractionDigits = cursor - start
    }
    var exponent = 0
    if cursor < count, bytes[cursor] | 0x20 == UInt8(ascii: "e") {
      guard let read = parseExponent(bytes, &cursor) else { return nil }
      exponent = read
    }
    offset = cursor
    return assemble(negative ? -mantissa : mantissa, digits: fractionDigits - exponent)
  }

  /// Appends the run of digits at `cursor` to `value`; false on overflow.
  @inline(__always)
  private static func accumulate(
    _ bytes: Span<UInt8>, _ cursor: inout Int, into value: inout Int64
  ) -> Bool {
    while cursor < bytes.count {
      let digit = bytes[cursor] &- UInt8(ascii: "0")
      if digit > 9 { return true }
      let (product, first) = value.multipliedReportingOverflow(by: 10)
      let (sum, second) = product.addingReportingOverflow(Int64(digit))
      if first || second { return false }
      value = sum
      cursor += 1
    }
    return true
  }

  private static func parseExponent(_ bytes: Span<UInt8>, _ cursor: inout Int) -> Int? {
    cursor += 1
    var negative = false
    if cursor < bytes.count,
      bytes[cursor] == UInt8(ascii: "-") || bytes[cursor] == UInt8(ascii: "+")
    {
      negative = bytes[cursor] == UInt8(ascii: "-")
      cursor += 1
    }
    let start = cursor
    var value: Int64 = 0
    guard accumulate(bytes, &cursor, into: &value), cursor > start, value <= 400 else { return nil }
    return negative ? -Int(value) : Int(value)
  }

  private static func assemble(_ mantissa: Int64, digits: Int) -> FixedDecimal? {
    if mantissa == 0 {
      return FixedDecimal(units: 0, scale: Scale(clamping: UInt8(max(0, min(digits, 18)))))
    }
    var (units, digits) = (mantissa, digits)
    while digits > Int(Scale.maximumDigits), units % 10 == 0 {
      units /= 10
      digits -= 1
    }
    if digits < 0 {
      guard digits >= -18 else { return nil }
      let (scaled, overflow) = units.multipliedReportingOverflow(by: powerOfTen(-digits))
      return overflow ? nil : FixedDecimal(units: scaled, scale: .whole)
    }
    guard let scale = Scale(digits: digits) else { return nil }
    return FixedDecimal(units: units, scale: scale)
  }
}

// MARK: - Rounding

// Some venues print binary floats in full: 0.0034000000000000002 has 19 digits after the point.
// Only the decoder of such a venue may round.

extension DecimalParser {
  /// Parses like ``parse(_:from:)``, but rounds excess digits half to even; O(digits).
  ///
  /// Keeps at most 18 significant digits and 18 after the point, more than the 17 of a binary
  /// float. Returns nil, with `offset` undefined, if digits before the point don't fit.
  public static func parseRounding(_ bytes: Span<UInt8>, from offset: inout Int) -> FixedDecimal? {
    let start = offset
    if let exact = parse(bytes, from: &offset) { return exact }
    var cursor = start
    let negative = cursor < bytes.count && bytes[cursor] == UInt8(ascii: "-")
    if negative { cursor += 1 }
    var digits = RoundedDigits()
    let integerStart = cursor
    let integerCount = digits.take(bytes, &cursor)
    guard integerCount > 0, digits.dropped == 0 else { return nil }
    if bytes[integerStart] == UInt8(ascii: "0"), integerCount > 1 { return nil }
    var fractionCount = 0
    if cursor < bytes.count, bytes[cursor] == UInt8(ascii: ".") {
      cursor += 1
      fractionCount = digits.take(bytes, &cursor)
      guard fractionCount > 0 else { return nil }
    }
    var exponent = 0
    if cursor < bytes.count, bytes[cursor] | 0x20 == UInt8(ascii: "e") {
      guard let read = parseExponent(bytes, &cursor) else { return nil }
      exponent = read
    }
    offset = cursor
    return digits.rounded(
      digitsAfterPoint: fractionCount - digits.dropped - exponent, negative: negative)
  }
}

private struct RoundedDigits {
  private var mantissa: Int64 = 0
  private var kept = 0
  private var firstDropped: UInt8 = 0
  private var isMoreDropped = false
  private(set) var dropped = 0

  /// Consumes the run of digits at `cursor` and returns its length.
  mutating func take(_ bytes: Span<UInt8>, _ cursor: inout Int) -> Int {
    let start = cursor
    while cursor < bytes.count, bytes[cursor] &- UInt8(ascii: "0") <= 9 {
      append(bytes[cursor] &- UInt8(ascii: "0"))
      cursor += 1
    }
    return cursor - start
  }

  private mutating func append(_ digit: UInt8) {
    if kept < Int(Scale.maximumDigits) {
      mantissa = mantissa * 10 + Int64(digit)
      if mantissa > 0 { kept += 1 }
    } else {
      if dropped == 0 { firstDropped = digit } else if digit > 0 { isMoreDropped = true }
      dropped += 1
    }
  }

  /// Nil when digits before the point were dropped.
  func rounded(digitsAfterPoint: Int, negative: Bool) -> FixedDecimal? {
    guard digitsAfterPoint >= 0 else { return nil }
    let maximum = Int(Scale.maximumDigits)
    let excess = max(0, digitsAfterPoint - maximum)
    guard let scale = Scale(digits: min(digitsAfterPoint, maximum)) else { return nil }
    guard excess <= maximum else { return FixedDecimal(units: 0, scale: scale) }
    let divisor = powerOfTen(excess)
    let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: divisor)
    let isOdd = quotient % 2 != 0
    let isUp: Bool
    if excess == 0 {
      isUp = firstDropped > 5 || (firstDropped == 5 && (isMoreDropped || isOdd))
    } else {
      let isExactHalf = 2 * remainder == divisor && firstDropped == 0 && !isMoreDropped
      isUp = isExactHalf ? isOdd : 2 * remainder >= divisor
    }
    let units = quotient + (isUp ? 1 : 0)
    return FixedDecimal(units: negative ? -units : units, scale: scale)
  }
}

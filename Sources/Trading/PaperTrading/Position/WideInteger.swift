/// A signed integer of 128 bits; sums wrap around, far beyond the total of all orders.
///
/// Sums of price × quantity over a whole history exceed 63 bits, and amounts are never rounded.
/// `Int128` needs iOS 18; the app runs on iOS 17.
public struct WideInteger: Hashable, Sendable, Comparable {
  /// Zero.
  public static let zero = WideInteger(0)

  private var high: Int64
  private var low: UInt64

  /// Creates a value from 64 bits.
  public init(_ value: Int64) {
    high = value < 0 ? -1 : 0
    low = UInt64(bitPattern: value)
  }

  /// The exact product of two numbers.
  public init(_ left: Int64, times right: Int64) {
    let product = left.multipliedFullWidth(by: right)
    (high, low) = (product.high, product.low)
  }

  private init(high: Int64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// The sum.
  public static func + (left: WideInteger, right: WideInteger) -> WideInteger {
    let (low, carry) = left.low.addingReportingOverflow(right.low)
    return WideInteger(high: left.high &+ right.high &+ (carry ? 1 : 0), low: low)
  }

  /// The difference.
  public static func - (left: WideInteger, right: WideInteger) -> WideInteger { left + -right }

  /// The negated value.
  public static prefix func - (value: WideInteger) -> WideInteger {
    let (low, carry) = (~value.low).addingReportingOverflow(1)
    return WideInteger(high: ~value.high &+ (carry ? 1 : 0), low: low)
  }

  /// Numeric order.
  public static func < (left: WideInteger, right: WideInteger) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  /// The value as an `Int64`; nil if it does not fit.
  public var narrow: Int64? {
    let narrow = Int64(bitPattern: low)
    return WideInteger(narrow) == self ? narrow : nil
  }

  /// Whether the value × 10 fits.
  var hasRoomForDigit: Bool { high >= Int64.min / 16 && high < Int64.max / 16 }

  /// The value × `part` ÷ `whole`, rounded half to even; nil unless 0 ≤ `part` ≤ `whole` and
  /// `whole` is positive.
  func share(_ part: Int64, of whole: Int64) -> WideInteger? {
    guard whole > 0, (0...whole).contains(part) else { return nil }
    return scaled(by: [part.magnitude], over: [whole.magnitude])
  }

  /// The quotient, rounded half to even; nil if the divisor is not positive or the result exceeds
  /// 63 bits.
  func rounded(by divisor: Int64) -> Int64? {
    divisor > 0 ? scaled(by: [], over: [divisor.magnitude])?.narrow : nil
  }

  /// The value × all `factors` ÷ all `divisors`, exact until it is rounded half to even once; nil
  /// if a divisor is 0 or the result exceeds 127 bits.
  func scaled(by factors: [UInt64], over divisors: [UInt64]) -> WideInteger? {
    guard !divisors.contains(0) else { return nil }
    let size = magnitude
    var words = [size.low, UInt64(bitPattern: size.high)]
    // The last bit of the doubled quotient and the remainders decide how it is rounded.
    for factor in factors + [2] {
      var carry: UInt64 = 0
      for index in words.indices {
        let product = words[index].multipliedFullWidth(by: factor)
        let (low, overflow) = product.low.addingReportingOverflow(carry)
        words[index] = low
        carry = product.high + (overflow ? 1 : 0)
      }
      words.append(carry)
    }
    var isExact = true
    for divisor in divisors {
      var rest: UInt64 = 0
      for index in words.indices.reversed() {
        (words[index], rest) = divisor.dividingFullWidth((rest, words[index]))
      }
      isExact = isExact && rest == 0
    }
    guard words.dropFirst(2).allSatisfy({ $0 == 0 }) else { return nil }
    let whole = WideInteger(
      high: Int64(bitPattern: words[1] >> 1), low: words[0] >> 1 | words[1] << 63)
    let isUp = words[0] % 2 == 1 && (!isExact || whole.low % 2 == 1)
    let rounded = isUp ? whole + WideInteger(1) : whole
    guard rounded >= .zero else { return nil }
    return high < 0 ? -rounded : rounded
  }

  /// The quotient, rounded up; nil if the divisor is not positive or the result exceeds 63 bits.
  func roundedUp(by divisor: Int64) -> Int64? {
    guard divisor > 0 else { return nil }
    let (quotient, remainder) = magnitude.divided(by: divisor.magnitude)
    guard let whole = quotient.narrow else { return nil }
    if high < 0 { return -whole }
    let (rounded, overflow) = whole.addingReportingOverflow(remainder > 0 ? 1 : 0)
    return overflow ? nil : rounded
  }

  /// The value with `digits` decimals, without trailing zeros.
  public func text(digits: Int) -> String {
    var rest = magnitude
    var places: [UInt8] = []
    while rest != .zero || places.count <= digits {
      let (quotient, digit) = rest.divided(by: 10)
      places.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    }
    var fraction = places.prefix(digits)
    while fraction.first == UInt8(ascii: "0") { fraction.removeFirst() }
    let whole = String(decoding: places.dropFirst(digits).reversed(), as: UTF8.self)
    let sign = high < 0 ? "-" : ""
    guard !fraction.isEmpty else { return sign + whole }
    return "\(sign)\(whole).\(String(decoding: fraction.reversed(), as: UTF8.self))"
  }

  private var magnitude: WideInteger { high < 0 ? -self : self }

  private func divided(by divisor: UInt64) -> (WideInteger, remainder: UInt64) {
    let (top, rest) = UInt64(bitPattern: high).quotientAndRemainder(dividingBy: divisor)
    let (bottom, remainder) = divisor.dividingFullWidth((rest, low))
    return (WideInteger(high: Int64(bitPattern: top), low: bottom), remainder)
  }
}

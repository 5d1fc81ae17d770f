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
    let (quotient, remainder) = magnitude.divided(by: whole.magnitude)
    // The remainder is less than `whole`, so this quotient is less than `part`.
    let (more, left) = whole.magnitude.dividingFullWidth(
      remainder.multipliedFullWidth(by: part.magnitude))
    let share = quotient.times(part.magnitude) + WideInteger(high: 0, low: more)
    let missing = whole.magnitude - left
    let isUp = left > missing || (left == missing && share.low % 2 == 1)
    let rounded = isUp ? share + WideInteger(1) : share
    return high < 0 ? -rounded : rounded
  }

  /// The quotient, rounded half to even; nil if the divisor is not positive or the result exceeds
  /// 63 bits.
  func rounded(by divisor: Int64) -> Int64? {
    guard divisor > 0 else { return nil }
    let (quotient, remainder) = magnitude.divided(by: divisor.magnitude)
    guard let whole = quotient.narrow else { return nil }
    let rest = divisor.magnitude - remainder
    let isUp = remainder > rest || (remainder == rest && whole % 2 == 1)
    let (rounded, overflow) = whole.addingReportingOverflow(isUp ? 1 : 0)
    guard !overflow else { return nil }
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

  private func times(_ factor: UInt64) -> WideInteger {
    let product = low.multipliedFullWidth(by: factor)
    let top = UInt64(bitPattern: high) &* factor &+ product.high
    return WideInteger(high: Int64(bitPattern: top), low: product.low)
  }
}

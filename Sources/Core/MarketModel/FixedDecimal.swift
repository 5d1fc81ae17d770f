/// An exact decimal number: `units` × 10^-`scale`; equal if the values are (1.50 == 1.5).
public struct FixedDecimal: Sendable {
  /// The count of units.
  public let units: Int64
  /// The scale of one unit.
  public let scale: Scale

  /// Wraps a count of units at a scale.
  public init(units: Int64, scale: Scale) {
    self.units = units
    self.scale = scale
  }

  /// Wraps a price at the instrument's price scale.
  public init(_ price: Price, scale: Scale) { self.init(units: price.units, scale: scale) }

  /// Wraps a size at the instrument's quantity scale.
  public init(_ quantity: Quantity, scale: Scale) { self.init(units: quantity.units, scale: scale) }

  /// The same value with the fewest digits after the point.
  public var trimmed: FixedDecimal {
    var units = units
    var digits = scale.digits
    while digits > 0, units % 10 == 0 {
      units /= 10
      digits -= 1
    }
    return FixedDecimal(units: units, scale: Scale(clamping: digits))
  }

  /// The value with this many digits after the point, or more where it needs more.
  public func shown(at decimals: Scale) -> FixedDecimal {
    let trimmed = trimmed
    return trimmed.exactly(at: max(decimals, trimmed.scale)) ?? trimmed
  }

  /// The value at another scale; nil when digits would be lost or it overflows.
  public func exactly(at target: Scale) -> FixedDecimal? {
    if target.digits >= scale.digits {
      let factor = powerOfTen(Int(target.digits - scale.digits))
      let (scaled, overflow) = units.multipliedReportingOverflow(by: factor)
      return overflow ? nil : FixedDecimal(units: scaled, scale: target)
    }
    let divisor = powerOfTen(Int(scale.digits - target.digits))
    guard units % divisor == 0 else { return nil }
    return FixedDecimal(units: units / divisor, scale: target)
  }

  /// The value at another scale, rounded half to even; nil on overflow.
  public func rounded(to target: Scale) -> FixedDecimal? {
    guard target.digits < scale.digits else { return exactly(at: target) }
    let divisor = powerOfTen(Int(scale.digits - target.digits))
    let (quotient, remainder) = units.quotientAndRemainder(dividingBy: divisor)
    let twice = remainder.magnitude * 2
    let up = twice > divisor.magnitude || (twice == divisor.magnitude && quotient % 2 != 0)
    let step: Int64 = units < 0 ? -1 : 1
    return FixedDecimal(units: up ? quotient + step : quotient, scale: target)
  }
}

extension FixedDecimal: Hashable, Comparable {
  /// Compares values regardless of scale.
  public static func == (left: FixedDecimal, right: FixedDecimal) -> Bool {
    if left.scale == right.scale { return left.units == right.units }
    let (a, b) = (left.trimmed, right.trimmed)
    return a.scale == b.scale && a.units == b.units
  }

  /// Orders by value; exact at any pair of scales.
  public static func < (left: FixedDecimal, right: FixedDecimal) -> Bool {
    if left.scale == right.scale { return left.units < right.units }
    let leftFactor = powerOfTen(max(0, Int(right.scale.digits) - Int(left.scale.digits)))
    let rightFactor = powerOfTen(max(0, Int(left.scale.digits) - Int(right.scale.digits)))
    let a = left.units.multipliedFullWidth(by: leftFactor)
    let b = right.units.multipliedFullWidth(by: rightFactor)
    return a.high != b.high ? a.high < b.high : a.low < b.low
  }

  /// Equal values hash alike.
  public func hash(into hasher: inout Hasher) {
    let value = trimmed
    hasher.combine(value.units)
    hasher.combine(value.scale)
  }
}

// MARK: - Text

extension FixedDecimal: CustomStringConvertible {
  /// All digits of the scale, without an exponent: "32180.50"; scale 0 has no point.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of ``description`` as ASCII.
  public func appendText(to bytes: inout [UInt8]) {
    // Written from the last byte; the longest text has 20 digits, a point and a sign.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { text in
      var start = text.count
      var rest = units.magnitude
      var digits = Int(scale.digits)
      repeat {
        let (tens, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = tens
        digits -= 1
        if digits == 0 {
          start -= 1
          text[start] = UInt8(ascii: ".")
        }
      } while rest > 0 || digits >= 0
      if units < 0 {
        start -= 1
        text[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: text[start...]))
    }
  }

  /// Reads plain decimal text ("-12", "240.32", "1.0E-4"); nil for anything that does not fit.
  ///
  /// The scale is the number of digits written after the point, at most 18.
  public init?(_ text: String) {
    guard let value = FixedDecimal(ascii: ContiguousArray(text.utf8).span) else { return nil }
    self = value
  }

  /// Reads the same text from ASCII bytes, all of which must belong to the number.
  public init?(ascii bytes: Span<UInt8>) {
    var offset = 0
    guard let value = DecimalParser.parse(bytes, from: &offset), offset == bytes.count else {
      return nil
    }
    self = value
  }
}

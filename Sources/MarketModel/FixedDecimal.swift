// An exact decimal that carries its own scale: quotes of venues that state no tick size, product
// prices, percentages. Never a binary float.

/// An exact decimal number: `units` × 10^-`scale`.
///
/// Equal when the values are equal (1.50 == 1.5).
public struct FixedDecimal: Sendable {
  /// The count of units.
  public let units: Int64
  /// What one unit is.
  public let scale: Scale

  /// Wraps a count of units at a scale.
  public init(units: Int64, scale: Scale) {
    self.units = units
    self.scale = scale
  }

  /// A price of an instrument, with the instrument's price scale.
  public init(_ price: Price, scale: Scale) { self.init(units: price.units, scale: scale) }

  /// A size of an instrument, with the instrument's quantity scale.
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

  /// The value with so many digits after the point, or more where it needs more.
  public func shown(at decimals: Scale) -> FixedDecimal {
    let trimmed = trimmed
    return trimmed.exactly(at: max(decimals, trimmed.scale)) ?? trimmed
  }

  /// The value at another scale, or nil when digits would be lost or the number overflows.
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

  /// The value at another scale, rounded half to even; nil when the number overflows.
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
  /// Equal values, whatever their scales.
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

public import MarketModel

/// An average price as an exact fraction, never rounded while stored; negative for a difference.
public struct AveragePrice: Hashable, Sendable {
  /// The sum of price units × quantity units.
  public let notional: Int64
  /// The sum of quantity units; positive.
  public let quantity: Quantity

  /// Creates an average; nil if the quantity is not positive.
  public init?(notional: Int64, quantity: Quantity) {
    guard quantity.units > 0 else { return nil }
    self.notional = notional
    self.quantity = quantity
  }

  /// The value for display, rounded half to even; nil if it does not fit 63 bits.
  ///
  /// `scale` is the scale of the averaged prices, `target` that of the result.
  public func rounded(from scale: Scale, to target: Scale) -> FixedDecimal? {
    let up = UInt64(powerOfTen(max(0, Int(target.digits) - Int(scale.digits))))
    let down = UInt64(powerOfTen(max(0, Int(scale.digits) - Int(target.digits))))
    let (divisor, overflow) = quantity.units.magnitude.multipliedReportingOverflow(by: down)
    guard !overflow, let units = roundedQuotient(notional.magnitude, times: up, by: divisor)
    else { return nil }
    return FixedDecimal(units: notional < 0 ? -units : units, scale: target)
  }
}

import MarketModel
import VenueCatalogue

/// The cost of taking a book's rows one after the other, and the average price so far.
struct RunningCost {
  /// Decimals of the sum of an inverse contract's base sizes, each rounded half to even.
  private static let baseDigits = 10
  private static let costScale = Scale(clamping: 4)

  private let contract: ContractKind
  private let priceScale: Scale
  private let quantityScale: Scale
  private var total: UInt64 = 0
  /// Σ price × size, in 128 bits.
  private var notional: (high: UInt64, low: UInt64) = (0, 0)
  /// Σ size ÷ price at ``baseDigits``.
  private var base: UInt64 = 0
  private var isExact = true

  init(_ contract: ContractKind, priceScale: Scale, quantityScale: Scale) {
    (self.contract, self.priceScale, self.quantityScale) = (contract, priceScale, quantityScale)
  }

  /// Adds a size at a price; a non-positive one makes later results nil.
  mutating func add(_ size: Quantity, at price: Price) {
    guard size.units > 0, price.units > 0 else { return isExact = false }
    total = sum(total, size.units.magnitude)
    if contract == .inverse {
      guard
        let part = basePower.flatMap({
          roundedQuotient(size.units.magnitude, times: $0, by: price.units.magnitude)
        })
      else { return isExact = false }
      base = sum(base, part.magnitude)
      return
    }
    let product = size.units.magnitude.multipliedFullWidth(by: price.units.magnitude)
    let (low, carry) = notional.low.addingReportingOverflow(product.low)
    notional.low = low
    notional.high = sum(notional.high, product.high)
    if carry { notional.high = sum(notional.high, 1) }
  }

  /// The cost so far; nil if unknown, meaningless or too large.
  var cost: FixedDecimal? {
    guard isExact else { return nil }
    switch contract {
    case .quanto: return nil
    case .inverse:
      return Int64(exactly: base).flatMap {
        FixedDecimal(units: $0, scale: Scale(clamping: UInt8(Self.baseDigits)))
          .rounded(to: BaseSize.scale)
      }
    case .base, .linear:
      let digits = Int(priceScale.digits) + Int(quantityScale.digits)
      let shown = min(digits, Int(Self.costScale.digits))
      guard digits - shown <= Int(Scale.maximumDigits),
        let units = quotient(notional, powerOfTen(digits - shown).magnitude, roundingUp: false)
      else { return nil }
      return FixedDecimal(units: units, scale: Scale(clamping: UInt8(shown)))
    }
  }

  /// The average price so far at `decimals`; nil if unknown or too large.
  func average(decimals: Scale, roundingUp: Bool) -> FixedDecimal? {
    guard isExact, total > 0, let units = averageUnits(roundingUp: roundingUp) else { return nil }
    guard decimals < priceScale else { return FixedDecimal(units: units, scale: priceScale) }
    let unit = powerOfTen(Int(priceScale.digits - decimals.digits))
    let (whole, rest) = units.quotientAndRemainder(dividingBy: unit)
    return FixedDecimal(units: whole + (roundingUp && rest > 0 ? 1 : 0), scale: decimals)
  }

  private func averageUnits(roundingUp: Bool) -> Int64? {
    guard contract == .inverse else { return quotient(notional, total, roundingUp: roundingUp) }
    guard let power = basePower, base > 0 else { return nil }
    return quotient(total.multipliedFullWidth(by: power), base, roundingUp: roundingUp)
  }

  /// Factor that turns size ÷ price into units of 10^-``baseDigits``.
  private var basePower: UInt64? {
    let exponent = Int(priceScale.digits) + Self.baseDigits - Int(quantityScale.digits)
    guard (0...Int(Scale.maximumDigits)).contains(exponent) else { return nil }
    return powerOfTen(exponent).magnitude
  }

  private func quotient(
    _ sum: (high: UInt64, low: UInt64), _ divisor: UInt64, roundingUp: Bool
  ) -> Int64? {
    guard sum.high < divisor else { return nil }
    let (quotient, rest) = divisor.dividingFullWidth(sum)
    guard roundingUp, rest > 0 else { return Int64(exactly: quotient) }
    return quotient == .max ? nil : Int64(exactly: quotient + 1)
  }

  private mutating func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    if overflow { isExact = false }
    return sum
  }
}

import MarketModel
import VenueCatalogue

/// The size of an inverse contract in its base currency (OB3).
enum BaseSize {
  /// Four decimals, as in the specification (0.1709).
  static let scale = Scale(clamping: 4)

  /// `size` ÷ `price` at four decimals, rounded half to even; nil for a price that is not positive,
  /// a negative size, or overflow.
  static func of(
    _ size: Quantity, at price: Price, quantityScale: Scale, priceScale: Scale
  ) -> FixedDecimal? {
    guard size.units >= 0, price.units > 0 else { return nil }
    // size/10^q ÷ (price/10^p) × 10^4 = size × 10^(p + 4 − q) ÷ price
    let exponent = Int(priceScale.digits) + Int(scale.digits) - Int(quantityScale.digits)
    guard abs(exponent) <= Int(Scale.maximumDigits) else { return nil }
    let power = powerOfTen(abs(exponent)).magnitude
    guard exponent < 0 else {
      return roundedQuotient(size.units.magnitude, times: power, by: price.units.magnitude)
        .map { FixedDecimal(units: $0, scale: scale) }
    }
    let (divisor, overflow) = price.units.magnitude.multipliedReportingOverflow(by: power)
    guard !overflow else { return FixedDecimal(units: 0, scale: scale) }
    return roundedQuotient(size.units.magnitude, times: 1, by: divisor)
      .map { FixedDecimal(units: $0, scale: scale) }
  }
}

extension BookInstrument {
  /// The size in the base currency: unchanged if the venue counts in it, size ÷ price at four
  /// decimals for inverse contracts, nil if meaningless.
  func sizeInBase(
    _ size: Quantity, at price: Price, quantityScale: Scale, priceScale: Scale
  ) -> FixedDecimal? {
    switch contract {
    case .base, .linear: FixedDecimal(size, scale: quantityScale)
    case .inverse:
      BaseSize.of(size, at: price, quantityScale: quantityScale, priceScale: priceScale)
    case .quanto: nil
    }
  }
}

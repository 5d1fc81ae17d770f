/// `factor` × `other` ÷ `divisor`, exact in 128 bits and rounded half to even.
///
/// Nil when `divisor` is 0 or the result exceeds 63 bits. (Int128 needs iOS 18; the app runs on
/// 17.)
public func roundedQuotient(_ factor: UInt64, times other: UInt64, by divisor: UInt64) -> Int64? {
  let product = factor.multipliedFullWidth(by: other)
  guard product.high < divisor else { return nil }
  let (quotient, remainder) = divisor.dividingFullWidth(product)
  let rest = divisor - remainder
  let roundsUp = remainder > rest || (remainder == rest && quotient % 2 == 1)
  let (rounded, overflow) = quotient.addingReportingOverflow(roundsUp ? 1 : 0)
  return overflow ? nil : Int64(exactly: rounded)
}

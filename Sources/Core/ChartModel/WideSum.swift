/// A 128-bit sum of products (Int128 needs iOS 18; the app runs on iOS 17).
struct WideSum: Hashable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0
  private(set) var hasOverflowed = false

  mutating func add(_ factor: UInt64, times other: UInt64) {
    let product = factor.multipliedFullWidth(by: other)
    let (sum, carries) = low.addingReportingOverflow(product.low)
    let (upper, overflows) = high.addingReportingOverflow(product.high)
    let (carried, overflowsToo) = upper.addingReportingOverflow(carries ? 1 : 0)
    low = sum
    high = carried
    if overflows || overflowsToo { hasOverflowed = true }
  }

  /// Rounded half to even; nil after an overflow, for a divisor of 0, or if it does not fit 63
  /// bits.
  func quotient(by divisor: UInt64) -> Int64? {
    guard !hasOverflowed, high < divisor else { return nil }
    let (quotient, remainder) = divisor.dividingFullWidth((high, low))
    let rest = divisor - remainder
    let roundsUp = remainder > rest || (remainder == rest && quotient % 2 == 1)
    let (rounded, overflow) = quotient.addingReportingOverflow(roundsUp ? 1 : 0)
    return overflow ? nil : Int64(exactly: rounded)
  }
}

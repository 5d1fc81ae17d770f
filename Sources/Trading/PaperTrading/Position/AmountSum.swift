/// An exact sum of amounts of one currency with different decimals.
public struct AmountSum: Hashable, Sendable {
  private var sum = WideInteger.zero
  private var digits = 0
  private var isTooLarge = false

  /// Zero.
  public init() {}

  /// Adds an amount with `digits` decimals.
  public mutating func add(_ amount: WideInteger, digits: Int) {
    let finest = max(self.digits, digits)
    guard let left = sum.shifted(by: finest - self.digits),
      let right = amount.shifted(by: finest - digits), let total = left.adding(right)
    else {
      isTooLarge = true
      return
    }
    (sum, self.digits) = (total, finest)
  }

  /// The sum in digits; nil if it or a term exceeds 127 bits.
  public var text: String? { isTooLarge ? nil : sum.text(digits: digits) }
}

extension WideInteger {
  /// The value × 10^`digits`; nil if it exceeds 127 bits.
  fileprivate func shifted(by digits: Int) -> WideInteger? {
    var value = self
    for _ in 0..<digits {
      guard value.hasRoomForDigit else { return nil }
      let double = value + value
      let quadruple = double + double
      value = quadruple + quadruple + double
    }
    return value
  }

  /// The sum; nil if it exceeds 127 bits.
  fileprivate func adding(_ other: WideInteger) -> WideInteger? {
    let sum = self + other
    let isNegative = self < .zero
    guard isNegative == (other < .zero), isNegative != (sum < .zero) else { return sum }
    return nil
  }
}

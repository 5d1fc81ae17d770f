public import MarketModel

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

  /// Adds a sum of the same currency.
  public mutating func add(_ other: AmountSum) {
    isTooLarge = isTooLarge || other.isTooLarge
    add(other.sum, digits: other.digits)
  }

  /// The sum × `prices` ÷ `divisors`, rounded half to even once at `decimals`; nil if it exceeds
  /// 127 bits, and for a price that is not positive.
  public func converted(
    by prices: [FixedDecimal], over divisors: [FixedDecimal], decimals: Scale
  ) -> AmountSum? {
    guard !isTooLarge, (prices + divisors).allSatisfy({ $0.units > 0 }) else { return nil }
    var (factors, parts) = (prices.map(\.units.magnitude), divisors.map(\.units.magnitude))
    let shift =
      divisors.reduce(Int(decimals.digits) - digits) { $0 + Int($1.scale.digits) }
      - prices.reduce(0) { $0 + Int($1.scale.digits) }
    let tens = [UInt64](repeating: 10, count: Int(shift.magnitude))
    if shift > 0 { factors += tens } else { parts += tens }
    var result = AmountSum()
    guard let amount = sum.scaled(by: factors, over: parts) else { return nil }
    result.add(amount, digits: Int(decimals.digits))
    return result
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

// Without a C library, so that results are equal on every machine.

enum Logarithm {
  private static let ofTwo = 0.693_147_180_559_945_309_4

  /// The logarithm to about 1e-15; values outside the normal positive range are clamped.
  static func of(_ value: Double) -> Double {
    guard value.isFinite, value >= .leastNormalMagnitude else {
      return of(value == .infinity ? .greatestFiniteMagnitude : .leastNormalMagnitude)
    }
    var (exponent, significand) = (value.exponent, value.significand)
    if significand > 1.414_213_562_373_095_1 {
      significand /= 2
      exponent += 1
    }
    // ln m = 2 artanh((m - 1) / (m + 1)), where the quotient is below 0.172.
    let quotient = (significand - 1) / (significand + 1)
    let square = quotient * quotient
    var sum = 0.0
    var odd = 23.0
    while odd > 0 {
      sum = sum * square + 1 / odd
      odd -= 2
    }
    return 2 * quotient * sum + Double(exponent) * ofTwo
  }

  /// The number whose logarithm is `value`, clamped to ±700.
  static func inverse(_ value: Double) -> Double {
    guard !value.isNaN else { return 1 }
    let bounded = min(max(value, -700), 700)
    let turns = bounded / ofTwo
    let exponent = Int(turns + (turns < 0 ? -0.5 : 0.5))
    let rest = bounded - Double(exponent) * ofTwo
    var sum = 1.0
    var order = 18.0
    while order > 0 {
      sum = 1 + rest / order * sum
      order -= 1
    }
    return Double(sign: .plus, exponent: exponent, significand: sum)
  }
}

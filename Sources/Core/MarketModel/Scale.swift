/// The number of decimal digits after the point of a scaled integer, 0 to 18.
public struct Scale: Hashable, Sendable, Comparable {
  /// The largest scale whose unit still fits an `Int64`.
  public static let maximumDigits: UInt8 = 18

  /// Whole units: no digit after the point.
  public static let whole = Scale(clamping: 0)

  /// Digits after the point, 0 to 18.
  public let digits: UInt8

  /// Creates a scale; nil when `digits` is outside 0...18.
  public init?(digits: Int) {
    guard digits >= 0, digits <= Int(Scale.maximumDigits) else { return nil }
    self.digits = UInt8(digits)
  }

  /// Creates a scale, clamped to 18.
  public init(clamping digits: UInt8) {
    self.digits = digits < Scale.maximumDigits ? digits : Scale.maximumDigits
  }

  /// Units in one whole: 10 to the power of `digits`.
  public var unitsPerWhole: Int64 { powerOfTen(Int(digits)) }

  /// Fewer digits sort first.
  public static func < (left: Scale, right: Scale) -> Bool { left.digits < right.digits }
}

/// 10 to the power of `exponent`, which must be in 0...18.
@inlinable
public func powerOfTen(_ exponent: Int) -> Int64 {
  var result: Int64 = 1
  for _ in 0..<exponent { result &*= 10 }
  return result
}

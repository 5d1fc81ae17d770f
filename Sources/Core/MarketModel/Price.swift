/// A price as a count of units of its instrument's price scale; negative in spreads and futures.
public struct Price: Hashable, Sendable, Comparable {
  /// The count of units; at scale 1, 321805 is 32,180.5.
  public var units: Int64

  /// Wraps a count of units.
  @inlinable
  public init(units: Int64) { self.units = units }

  /// Orders by value; both sides must share one scale.
  @inlinable
  public static func < (left: Price, right: Price) -> Bool { left.units < right.units }
}

/// A size as a count of units of its instrument's quantity scale.
public struct Quantity: Hashable, Sendable, Comparable {
  /// Nothing.
  public static let zero = Quantity(units: 0)

  /// The count of units; at scale 8, 10000000 is 0.1.
  public var units: Int64

  /// Wraps a count of units.
  @inlinable
  public init(units: Int64) { self.units = units }

  /// Orders by value; both sides must share one scale.
  @inlinable
  public static func < (left: Quantity, right: Quantity) -> Bool { left.units < right.units }
}

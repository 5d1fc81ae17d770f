import Foundation

/// A length that scales with the user's text size.
@propertyWrapper public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty {
  private final class Box { var size = DynamicTypeSize.large }

  private let base: Value
  private let box = Box()

  /// A length that scales with body text.
  public init(wrappedValue: Value) { base = wrappedValue }

  /// A length that scales with a text style; here always with body text.
  public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) { base = wrappedValue }

  /// The length at the current text size.
  public var wrappedValue: Value { base * Value(box.size.bodyPoints) / 17 }
}

extension ScaledMetric: BoundProperty {
  func bind(in context: Context, index: Int) { box.size = context.environment.dynamicTypeSize }
}

extension DynamicTypeSize {
  /// The body text's size in points, as listed in Apple's design guidelines.
  fileprivate var bodyPoints: Int {
    switch self {
    case .xSmall: 14
    case .small: 15
    case .medium: 16
    case .large: 17
    case .xLarge: 19
    case .xxLarge: 21
    case .xxxLarge: 23
    case .accessibility1: 28
    case .accessibility2: 33
    case .accessibility3: 40
    case .accessibility4: 47
    case .accessibility5: 53
    }
  }
}

public import Foundation

/// A layout priority.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
  /// Between 0 and 1000.
  public let rawValue: Float

  /// Wraps a number.
  public init(rawValue: Float) { self.rawValue = rawValue }

  /// Required.
  public static let required = UILayoutPriority(rawValue: 1000)
  /// High.
  public static let defaultHigh = UILayoutPriority(rawValue: 750)
  /// Low.
  public static let defaultLow = UILayoutPriority(rawValue: 250)
}

/// A layout constraint: declared so that code type-checks; it has no effect, since nothing is laid
/// out.
@MainActor @preconcurrency open class NSLayoutConstraint: NSObject {
  /// A layout axis.
  public enum Axis: Int, Sendable {
    case horizontal
    case vertical
  }

  fileprivate override init() { super.init() }

  /// The priority.
  open var priority = UILayoutPriority.required

  /// Activates constraints.
  public static func activate(_ constraints: [NSLayoutConstraint]) {}
}

/// A layout anchor; the generic parameter keeps axes apart.
@MainActor @preconcurrency open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
  fileprivate override init() { super.init() }

  /// Constrains both anchors to be equal.
  public func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
    NSLayoutConstraint()
  }
}

/// A left or right edge.
public final class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

/// An upper or lower edge.
public final class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

/// A width or height.
public final class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
  /// Constrains the dimension to a minimum.
  public func constraint(greaterThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint()
  }
}

/// A layout guide.
@MainActor @preconcurrency open class UILayoutGuide: NSObject {
  /// Creates a guide without a view.
  public override init() { super.init() }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  /// The leading edge.
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  /// The trailing edge.
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  /// The upper edge.
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  /// The lower edge.
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
}

extension UIView {
  /// Sets the resistance to growing.
  public func setContentHuggingPriority(
    _ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis
  ) {}
  /// Sets the resistance to shrinking.
  public func setContentCompressionResistancePriority(
    _ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis
  ) {}
  /// The leading edge.
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  /// The trailing edge.
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  /// The upper edge.
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  /// The lower edge.
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  /// The height.
  public var heightAnchor: NSLayoutDimension { NSLayoutDimension() }
  /// The guide of the margins.
  public var layoutMarginsGuide: UILayoutGuide { UILayoutGuide() }
  /// The guide of the safe area.
  public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide() }
}

// Where things go: held so that the code type-checks, with no effect, since nothing is laid out.

public import Foundation

/// How much a wish of the layout counts.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
  /// Between 0 and 1000.
  public let rawValue: Float

  /// Wraps a number.
  public init(rawValue: Float) { self.rawValue = rawValue }

  /// It must be.
  public static let required = UILayoutPriority(rawValue: 1000)
  /// It should be.
  public static let defaultHigh = UILayoutPriority(rawValue: 750)
  /// It would be nice.
  public static let defaultLow = UILayoutPriority(rawValue: 250)
}

/// A relation between two edges.
@MainActor @preconcurrency open class NSLayoutConstraint: NSObject {
  /// A direction of the layout.
  public enum Axis: Int, Sendable {
    /// Side by side.
    case horizontal
    /// One above the other.
    case vertical
  }

  fileprivate override init() { super.init() }

  /// How much it counts.
  open var priority = UILayoutPriority.required

  /// Puts constraints to work.
  public static func activate(_ constraints: [NSLayoutConstraint]) {}
}

/// An edge or a length that constraints relate; the generic parameter keeps directions apart.
@MainActor @preconcurrency open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
  fileprivate override init() { super.init() }

  /// Both are the same.
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
  /// It is at least this much.
  public func constraint(greaterThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint()
  }
}

/// A rectangle to lay out in.
@MainActor @preconcurrency open class UILayoutGuide: NSObject {
  /// Makes one that nothing holds yet.
  public override init() { super.init() }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  /// The edge where reading begins.
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  /// The edge where reading ends.
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  /// The upper edge.
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  /// The lower edge.
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
}

extension UIView {
  /// How little it likes to grow.
  public func setContentHuggingPriority(
    _ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis
  ) {}
  /// How little it likes to be cut.
  public func setContentCompressionResistancePriority(
    _ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis
  ) {}
  /// The edge where reading begins.
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  /// The edge where reading ends.
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  /// The upper edge.
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  /// The lower edge.
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  /// How high it is.
  public var heightAnchor: NSLayoutDimension { NSLayoutDimension() }
  /// Within the margins.
  public var layoutMarginsGuide: UILayoutGuide { UILayoutGuide() }
  /// Within what bars and rounded corners leave.
  public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide() }
}

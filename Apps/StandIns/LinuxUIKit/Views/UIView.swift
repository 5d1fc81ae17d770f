public import Foundation

/// A responder.
@MainActor @preconcurrency open class UIResponder: NSObject {
  /// Creates an instance.
  nonisolated public override init() { super.init() }

  /// The next responder.
  open var next: UIResponder? { nil }
}

/// A view: it holds its subviews and properties; nothing is laid out or drawn here.
@MainActor @preconcurrency open class UIView: UIResponder {
  /// How a view resizes with its superview.
  public struct AutoresizingMask: OptionSet, Sendable {
    /// The raw bits.
    public let rawValue: UInt

    /// Creates a mask from raw bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Flexible width.
    public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
    /// Flexible height.
    public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
  }

  /// The frame in the superview.
  open var frame: CGRect
  /// The bounds.
  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  /// How it resizes with its superview.
  open var autoresizingMask: AutoresizingMask = []
  /// The background colour.
  open var backgroundColor: UIColor?
  /// The opacity, 0 to 1.
  open var alpha: CGFloat = 1
  /// Whether it is hidden.
  open var isHidden = false
  /// The tint colour.
  open var tintColor: UIColor?
  /// Whether it receives touches.
  open var isUserInteractionEnabled = true
  /// The subviews, back to front.
  public private(set) var subviews: [UIView] = []
  /// The superview.
  public private(set) weak var superview: UIView?

  /// Whether it is an accessibility element.
  public var isAccessibilityElement = false
  /// The screen reader's label.
  public var accessibilityLabel: String?
  /// The screen reader's value.
  public var accessibilityValue: String?
  /// The screen reader's hint.
  public var accessibilityHint: String?
  /// The identifier for tests.
  public var accessibilityIdentifier: String?
  /// The traits for screen readers.
  public var accessibilityTraits = UIAccessibilityTraits()
  /// Whether the frame becomes constraints; false for views with their own constraints.
  open var translatesAutoresizingMaskIntoConstraints = true

  /// The traits.
  open var traitCollection: UITraitCollection { hostTraits }
  var traitHandlers: [TraitHandler] = []
  /// Called after the traits changed.
  @available(*, deprecated, message: "register for changes of traits")
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
  /// The traits that a test sets.
  @_spi(Host) public var hostTraits = UITraitCollection(userInterfaceStyle: .light) {
    didSet {
      (self as any TraitFollower).traitCollectionDidChange(oldValue)
      for handler in traitHandlers { handler.call(oldValue) }
    }
  }

  /// Creates a view with a frame.
  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  /// Adds a subview in front of the others.
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  /// Removes the view from its superview.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  /// Lays out the subviews; called by the system only.
  open func layoutSubviews() {}

  /// Requests a layout pass.
  open func setNeedsLayout() {}

  /// Animates changes; here at once.
  public class func animate(
    withDuration duration: TimeInterval, animations: @escaping () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    animations()
    completion?(true)
  }
}

/// A text.
@MainActor @preconcurrency open class UILabel: UIView {
  /// The text.
  open var text: String?
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The font; the default after it was set to nil.
  // rule-exception: Apple's own type
  open var font: UIFont! = .preferredFont(forTextStyle: .body) {
    didSet { if font == nil { font = .preferredFont(forTextStyle: .body) } }
  }
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The colour; the default after it was set to nil.
  // rule-exception: Apple's own type
  open var textColor: UIColor! = .label {
    didSet { if textColor == nil { textColor = .label } }
  }
  /// The text alignment.
  open var textAlignment = NSTextAlignment.natural
  /// The maximum number of lines; 0 for any number.
  open var numberOfLines = 1
  /// Whether text shrinks to fit.
  open var adjustsFontSizeToFitWidth = false
  /// The minimum scale of shrunk text, 0 to 1.
  open var minimumScaleFactor: CGFloat = 0
  /// Whether the font follows the user's text size.
  open var adjustsFontForContentSizeCategory = false
}

/// A text alignment.
public enum NSTextAlignment: Int, Sendable {
  case left = 0
  case center = 1
  case right = 2
  case natural = 4
}

/// A stack view.
@MainActor @preconcurrency open class UIStackView: UIView {
  /// The distribution of space along the stack.
  public enum Distribution: Int, Sendable {
    case fill = 0
    case fillEqually = 1
    case equalSpacing = 3
  }

  /// The alignment across the stack.
  public enum Alignment: Int, Sendable {
    case fill = 0
    case leading = 1
    case center = 3
    case trailing = 4
  }

  /// The views, in order.
  public private(set) var arrangedSubviews: [UIView] = []
  /// The axis.
  open var axis = NSLayoutConstraint.Axis.horizontal
  /// The distribution.
  open var distribution = Distribution.fill
  /// The alignment.
  open var alignment = Alignment.fill
  /// The spacing.
  open var spacing: CGFloat = 0

  /// Creates an empty stack.
  public override init(frame: CGRect) { super.init(frame: frame) }

  /// Always an empty stack: there are no storyboards here.
  public required init(coder: NSCoder) { super.init(frame: .zero) }

  /// Creates a stack of views.
  public convenience init(arrangedSubviews views: [UIView]) {
    self.init(frame: .zero)
    views.forEach(addArrangedSubview)
  }

  /// Adds a view at the end.
  open func addArrangedSubview(_ view: UIView) {
    arrangedSubviews.append(view)
    addSubview(view)
  }
}

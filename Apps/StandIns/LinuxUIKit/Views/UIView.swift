// Views: they hold each other and what is said of them; nothing is laid out or drawn here.

public import Foundation

/// Takes part in what happens.
@MainActor @preconcurrency open class UIResponder: NSObject {
  /// Makes it.
  nonisolated public override init() { super.init() }

  /// The next to be asked.
  open var next: UIResponder? { nil }
}

/// A view.
@MainActor @preconcurrency open class UIView: UIResponder {
  /// How a view follows the size of the one that holds it.
  public struct AutoresizingMask: OptionSet, Sendable {
    /// The ways as bits.
    public let rawValue: UInt

    /// Makes ways from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// In width.
    public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
    /// In height.
    public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
  }

  /// Where it is in the view that holds it.
  open var frame: CGRect
  /// Its own size.
  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  /// How it follows the size of the view that holds it.
  open var autoresizingMask: AutoresizingMask = []
  /// The colour behind.
  open var backgroundColor: UIColor?
  /// How much can be seen, 0 to 1.
  open var alpha: CGFloat = 1
  /// Whether nothing can be seen.
  open var isHidden = false
  /// The colour of what can be tapped.
  open var tintColor: UIColor?
  /// Whether fingers reach it.
  open var isUserInteractionEnabled = true
  /// What it holds, from back to front.
  public private(set) var subviews: [UIView] = []
  /// What holds it.
  public private(set) weak var superview: UIView?

  /// Whether screen readers stop at it.
  public var isAccessibilityElement = false
  /// The name that a screen reader says.
  public var accessibilityLabel: String?
  /// The value that a screen reader says.
  public var accessibilityValue: String?
  /// What a screen reader adds.
  public var accessibilityHint: String?
  /// The name for tests.
  public var accessibilityIdentifier: String?
  /// How it behaves for a screen reader.
  public var accessibilityTraits = UIAccessibilityTraits()
  /// Whether its frame makes constraints; false for views that have their own.
  open var translatesAutoresizingMaskIntoConstraints = true

  /// What its look depends on.
  open var traitCollection: UITraitCollection { hostTraits }
  var traitHandlers: [TraitHandler] = []
  /// What its look depends on has changed.
  @available(*, deprecated, message: "register for changes of traits")
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
  /// Lets tests say what the look depends on.
  @_spi(Host) public var hostTraits = UITraitCollection(userInterfaceStyle: .light) {
    didSet {
      (self as any TraitFollower).traitCollectionDidChange(oldValue)
      for handler in traitHandlers { handler.call(oldValue) }
    }
  }

  /// Makes a view at a place.
  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  /// Holds another view, in front of the others.
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  /// Is no longer held.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  /// Places what it holds; called by the system only.
  open func layoutSubviews() {}

  /// Asks for what it holds to be placed.
  open func setNeedsLayout() {}

  /// Changes something so that it moves; here at once.
  public class func animate(
    withDuration duration: TimeInterval, animations: @escaping () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    animations()
    completion?(true)
  }
}

/// Words.
@MainActor @preconcurrency open class UILabel: UIView {
  /// The words.
  open var text: String?
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The font; the usual one after nil was set.
  // rule-exception: Apple's own type
  open var font: UIFont! = .preferredFont(forTextStyle: .body) {
    didSet { if font == nil { font = .preferredFont(forTextStyle: .body) } }
  }
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The colour; the usual one after nil was set.
  // rule-exception: Apple's own type
  open var textColor: UIColor! = .label {
    didSet { if textColor == nil { textColor = .label } }
  }
  /// How lines stand.
  open var textAlignment = NSTextAlignment.natural
  /// How many lines at most; 0 for any number.
  open var numberOfLines = 1
  /// Whether words get smaller to fit.
  open var adjustsFontSizeToFitWidth = false
  /// How small they may get, 0 to 1.
  open var minimumScaleFactor: CGFloat = 0
  /// Whether the font follows the size that the person wants.
  open var adjustsFontForContentSizeCategory = false
}

/// How lines of words stand.
public enum NSTextAlignment: Int, Sendable {
  /// At the left.
  case left = 0
  /// In the middle.
  case center = 1
  /// At the right.
  case right = 2
  /// Where lines begin.
  case natural = 4
}

/// Views in a row or a column.
@MainActor @preconcurrency open class UIStackView: UIView {
  /// How views share the room along the stack.
  public enum Distribution: Int, Sendable {
    /// All of it.
    case fill = 0
    /// In equal parts.
    case fillEqually = 1
    /// With equal room between them.
    case equalSpacing = 3
  }

  /// How views stand across the stack.
  public enum Alignment: Int, Sendable {
    /// From edge to edge.
    case fill = 0
    /// Where lines begin.
    case leading = 1
    /// In the middle.
    case center = 3
    /// Where lines end.
    case trailing = 4
  }

  /// The views, in order.
  public private(set) var arrangedSubviews: [UIView] = []
  /// The direction.
  open var axis = NSLayoutConstraint.Axis.horizontal
  /// How views share the room.
  open var distribution = Distribution.fill
  /// How views stand.
  open var alignment = Alignment.fill
  /// The room between views.
  open var spacing: CGFloat = 0

  /// Makes a stack of no views.
  public override init(frame: CGRect) { super.init(frame: frame) }

  /// There are no storyboards here: always a stack of no views.
  public required init(coder: NSCoder) { super.init(frame: .zero) }

  /// Makes a stack of views.
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

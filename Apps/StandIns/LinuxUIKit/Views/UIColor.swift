public import Foundation

/// A colour.
open class UIColor: NSObject, @unchecked Sendable {  // immutable
  /// The name for tests.
  @_spi(Host) public let name: String
  private let provider: (@Sendable (UITraitCollection) -> UIColor)?

  init(name: String) {
    self.name = name
    provider = nil
  }

  /// A colour by its components, each from 0 to 1.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    name = "rgb(\(red),\(green),\(blue),\(alpha))"
    provider = nil
  }

  /// A colour that depends on the colour scheme.
  public init(dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor) {
    name = "dynamic"
    provider = dynamicProvider
  }

  /// Always nil: there are no storyboards here.
  public required init?(coder: NSCoder) { nil }

  /// The colour for traits.
  open func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
    provider?(traitCollection) ?? self
  }

  /// The colour with an opacity from 0 to 1.
  open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    guard let provider else { return UIColor(name: "\(name)@\(alpha)") }
    return UIColor { provider($0).withAlphaComponent(alpha) }
  }

  /// Transparent.
  public class var clear: UIColor { UIColor(name: "clear") }
  /// The colour of text.
  public class var label: UIColor { UIColor(name: "label") }
  /// The colour of secondary text.
  public class var secondaryLabel: UIColor { UIColor(name: "secondaryLabel") }
  /// The background colour.
  public class var systemBackground: UIColor { UIColor(name: "systemBackground") }
  /// The secondary background colour.
  public class var secondarySystemBackground: UIColor {
    UIColor(name: "secondarySystemBackground")
  }
  /// Red.
  public class var systemRed: UIColor { UIColor(name: "systemRed") }
  /// Green.
  public class var systemGreen: UIColor { UIColor(name: "systemGreen") }
  /// Orange.
  public class var systemOrange: UIColor { UIColor(name: "systemOrange") }
}

/// The colour scheme.
public enum UIUserInterfaceStyle: Int, Sendable {
  case unspecified = 0
  case light = 1
  case dark = 2
}

/// A view's traits.
open class UITraitCollection: NSObject, @unchecked Sendable {  // immutable
  /// The colour scheme.
  public let userInterfaceStyle: UIUserInterfaceStyle

  /// The user's text size.
  public let preferredContentSizeCategory: UIContentSizeCategory

  init(style: UIUserInterfaceStyle, size: UIContentSizeCategory) {
    userInterfaceStyle = style
    preferredContentSizeCategory = size
  }

  /// Creates traits with a colour scheme.
  public convenience init(userInterfaceStyle: UIUserInterfaceStyle) {
    self.init(style: userInterfaceStyle, size: .large)
  }

  /// Creates traits with a text size.
  public convenience init(preferredContentSizeCategory: UIContentSizeCategory) {
    self.init(style: .light, size: preferredContentSizeCategory)
  }
}

/// A font.
open class UIFont: NSObject, @unchecked Sendable {  // immutable
  /// A text style.
  public struct TextStyle: Hashable, RawRepresentable, Sendable {
    /// The recorded name.
    public let rawValue: String
    /// Wraps a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The largest title.
    public static let largeTitle = TextStyle(rawValue: "largeTitle")
    /// A heading.
    public static let headline = TextStyle(rawValue: "headline")
    /// Body text.
    public static let body = TextStyle(rawValue: "body")
    /// A footnote.
    public static let footnote = TextStyle(rawValue: "footnote")
    /// A caption.
    public static let caption1 = TextStyle(rawValue: "caption1")
  }

  /// A font weight.
  public struct Weight: Hashable, RawRepresentable, Sendable {
    /// From -1 to 1.
    public let rawValue: CGFloat
    /// Wraps a number.
    public init(rawValue: CGFloat) { self.rawValue = rawValue }

    /// Regular.
    public static let regular = Weight(rawValue: 0)
    /// Semibold.
    public static let semibold = Weight(rawValue: 0.3)
  }

  /// The name for tests.
  @_spi(Host) public let name: String
  /// The size in points.
  public let pointSize: CGFloat

  init(name: String, pointSize: CGFloat) {
    self.name = name
    self.pointSize = pointSize
  }

  /// The font for a text style at the user's text size.
  public class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
    UIFont(name: style.rawValue, pointSize: 17)
  }

  /// The system font with digits of equal width.
  public class func monospacedDigitSystemFont(
    ofSize fontSize: CGFloat, weight: Weight
  ) -> UIFont { UIFont(name: "monospacedDigit", pointSize: fontSize) }
}

/// Scales fonts to the user's text size.
@MainActor @preconcurrency open class UIFontMetrics: NSObject {
  private let style: UIFont.TextStyle

  /// Creates metrics for a text style.
  public init(forTextStyle textStyle: UIFont.TextStyle) { style = textStyle }

  /// The font at the user's text size.
  open func scaledFont(for font: UIFont) -> UIFont { font }
}

/// An image.
open class UIImage: NSObject, @unchecked Sendable {  // immutable
  /// The name for tests.
  @_spi(Host) public let name: String

  /// A system symbol; never nil here, since the available names are not checked.
  public convenience init?(systemName name: String) { self.init(name: name) }

  init(name: String) { self.name = name }
}

/// The user's accessibility settings.
@MainActor public enum UIAccessibility {
  /// A test's value of the setting.
  @_spi(Host) public static var hostReduceMotion = false

  /// Whether the user prefers reduced motion.
  public static var isReduceMotionEnabled: Bool { hostReduceMotion }
}

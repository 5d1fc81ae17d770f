// Colours, fonts, pictures, and what they depend on.

public import Foundation

/// A colour.
open class UIColor: NSObject, @unchecked Sendable {  // immutable
  /// What tests know it by.
  @_spi(Host) public let name: String
  private let provider: (@Sendable (UITraitCollection) -> UIColor)?

  init(name: String) {
    self.name = name
    provider = nil
  }

  /// A colour by its parts, each from 0 to 1.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    name = "rgb(\(red),\(green),\(blue),\(alpha))"
    provider = nil
  }

  /// A colour that depends on light or dark.
  public init(dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor) {
    name = "dynamic"
    provider = dynamicProvider
  }

  /// There are no storyboards here: always nil.
  public required init?(coder: NSCoder) { nil }

  /// The colour in light or dark.
  open func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
    provider?(traitCollection) ?? self
  }

  /// The colour, partly see-through.
  open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    guard let provider else { return UIColor(name: "\(name)@\(alpha)") }
    return UIColor { provider($0).withAlphaComponent(alpha) }
  }

  /// Nothing.
  public class var clear: UIColor { UIColor(name: "clear") }
  /// The colour of words.
  public class var label: UIColor { UIColor(name: "label") }
  /// The colour of less important words.
  public class var secondaryLabel: UIColor { UIColor(name: "secondaryLabel") }
  /// The colour behind everything.
  public class var systemBackground: UIColor { UIColor(name: "systemBackground") }
  /// The colour behind what stands out.
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

/// Light or dark.
public enum UIUserInterfaceStyle: Int, Sendable {
  /// Not said.
  case unspecified = 0
  /// Dark on light.
  case light = 1
  /// Light on dark.
  case dark = 2
}

/// What the look of a view depends on.
open class UITraitCollection: NSObject, @unchecked Sendable {  // immutable
  /// Light or dark.
  public let userInterfaceStyle: UIUserInterfaceStyle

  /// The size of words that the person wants.
  public let preferredContentSizeCategory: UIContentSizeCategory

  init(style: UIUserInterfaceStyle, size: UIContentSizeCategory) {
    userInterfaceStyle = style
    preferredContentSizeCategory = size
  }

  /// Makes one for light or dark.
  public convenience init(userInterfaceStyle: UIUserInterfaceStyle) {
    self.init(style: userInterfaceStyle, size: .large)
  }

  /// Makes one for a size of words.
  public convenience init(preferredContentSizeCategory: UIContentSizeCategory) {
    self.init(style: .light, size: preferredContentSizeCategory)
  }
}

/// A font.
open class UIFont: NSObject, @unchecked Sendable {  // immutable
  /// A size by its use.
  public struct TextStyle: Hashable, RawRepresentable, Sendable {
    /// Its name.
    public let rawValue: String
    /// Makes a style of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The largest title.
    public static let largeTitle = TextStyle(rawValue: "largeTitle")
    /// A heading.
    public static let headline = TextStyle(rawValue: "headline")
    /// Running words.
    public static let body = TextStyle(rawValue: "body")
    /// A note.
    public static let footnote = TextStyle(rawValue: "footnote")
    /// A caption.
    public static let caption1 = TextStyle(rawValue: "caption1")
  }

  /// How heavy.
  public struct Weight: Hashable, RawRepresentable, Sendable {
    /// From -1 to 1.
    public let rawValue: CGFloat
    /// Makes a weight of a number.
    public init(rawValue: CGFloat) { self.rawValue = rawValue }

    /// Ordinary.
    public static let regular = Weight(rawValue: 0)
    /// Heavier.
    public static let semibold = Weight(rawValue: 0.3)
  }

  /// What tests know it by.
  @_spi(Host) public let name: String
  /// The size in points.
  public let pointSize: CGFloat

  init(name: String, pointSize: CGFloat) {
    self.name = name
    self.pointSize = pointSize
  }

  /// The font for a use, in the size that the person wants.
  public class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
    UIFont(name: style.rawValue, pointSize: 17)
  }

  /// The system's font with digits that are all as wide.
  public class func monospacedDigitSystemFont(
    ofSize fontSize: CGFloat, weight: Weight
  ) -> UIFont { UIFont(name: "monospacedDigit", pointSize: fontSize) }
}

/// Sizes fonts as the person wants.
@MainActor @preconcurrency open class UIFontMetrics: NSObject {
  private let style: UIFont.TextStyle

  /// Makes one for a use.
  public init(forTextStyle textStyle: UIFont.TextStyle) { style = textStyle }

  /// The font in the size that the person wants.
  open func scaledFont(for font: UIFont) -> UIFont { font }
}

/// A picture.
open class UIImage: NSObject, @unchecked Sendable {  // immutable
  /// What tests know it by.
  @_spi(Host) public let name: String

  /// A picture of the system; nil where there is none of this name, which can't be known here.
  public convenience init?(systemName name: String) { self.init(name: name) }

  init(name: String) { self.name = name }
}

/// What the person has set for everything.
@MainActor public enum UIAccessibility {
  /// Lets tests set what the person has set.
  @_spi(Host) public static var hostReduceMotion = false

  /// Whether the person wants less movement.
  public static var isReduceMotionEnabled: Bool { hostReduceMotion }
}

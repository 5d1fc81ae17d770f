public import Foundation

/// A font.
public struct Font: Hashable, Sendable {
  let name: String

  /// A text style.
  public enum TextStyle: CaseIterable, Hashable, Sendable {
    case largeTitle
    case title
    case title2
    case title3
    case headline
    case subheadline
    case body
    case callout
    case footnote
    case caption
    case caption2
  }

  /// A font weight.
  public struct Weight: Hashable, Sendable {
    let name: String

    /// Regular.
    public static let regular = Weight(name: "regular")
    /// Medium.
    public static let medium = Weight(name: "medium")
    /// Semibold.
    public static let semibold = Weight(name: "semibold")
    /// Bold.
    public static let bold = Weight(name: "bold")
  }

  /// A typeface.
  public enum Design: Hashable, Sendable {
    case `default`
    case serif
    case rounded
    case monospaced
  }

  /// The largest title.
  public static let largeTitle = Font(name: "largeTitle")
  /// A title.
  public static let title = Font(name: "title")
  /// A smaller title.
  public static let title2 = Font(name: "title2")
  /// A still smaller title.
  public static let title3 = Font(name: "title3")
  /// A heading.
  public static let headline = Font(name: "headline")
  /// A smaller heading.
  public static let subheadline = Font(name: "subheadline")
  /// Body text.
  public static let body = Font(name: "body")
  /// A callout.
  public static let callout = Font(name: "callout")
  /// A footnote.
  public static let footnote = Font(name: "footnote")
  /// A caption.
  public static let caption = Font(name: "caption")
  /// A smaller caption.
  public static let caption2 = Font(name: "caption2")

  /// The system font for a text style.
  public static func system(
    _ style: TextStyle, design: Design? = nil, weight: Weight? = nil
  ) -> Font {
    Font(name: "\(style)").with(weight, design)
  }

  /// The system font at a size in points.
  public static func system(
    size: CGFloat, weight: Weight? = nil, design: Design? = nil
  ) -> Font {
    Font(name: "system(\(size))").with(weight, design)
  }

  private func with(_ weight: Weight?, _ design: Design?) -> Font {
    let parts = [weight?.name, design.map { "\($0)" }].compactMap { $0 }
    return Font(name: ([name] + parts).joined(separator: ","))
  }

  /// The font with digits of equal width.
  public func monospacedDigit() -> Font { Font(name: name + ",monospacedDigit") }

  /// The font at a weight.
  public func weight(_ weight: Weight) -> Font { Font(name: name + "," + weight.name) }

  /// The font in bold.
  public func bold() -> Font { weight(.bold) }
}

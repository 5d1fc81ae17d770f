// Fonts.

public import Foundation

/// A font.
public struct Font: Hashable, Sendable {
  let name: String

  /// A size by its use.
  public enum TextStyle: CaseIterable, Hashable, Sendable {
    /// The largest title.
    case largeTitle
    /// A title.
    case title
    /// A smaller title.
    case title2
    /// A still smaller title.
    case title3
    /// A heading.
    case headline
    /// A smaller heading.
    case subheadline
    /// Running words.
    case body
    /// A comment.
    case callout
    /// A note.
    case footnote
    /// A caption.
    case caption
    /// A smaller caption.
    case caption2
  }

  /// How heavy.
  public struct Weight: Hashable, Sendable {
    let name: String

    /// Ordinary.
    public static let regular = Weight(name: "regular")
    /// A little heavy.
    public static let medium = Weight(name: "medium")
    /// Heavier.
    public static let semibold = Weight(name: "semibold")
    /// Heavy.
    public static let bold = Weight(name: "bold")
  }

  /// What kind of letters.
  public enum Design: Hashable, Sendable {
    /// The system's own.
    case `default`
    /// With serifs.
    case serif
    /// Rounded.
    case rounded
    /// All as wide.
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
  /// Running words.
  public static let body = Font(name: "body")
  /// A comment.
  public static let callout = Font(name: "callout")
  /// A note.
  public static let footnote = Font(name: "footnote")
  /// A caption.
  public static let caption = Font(name: "caption")
  /// A smaller caption.
  public static let caption2 = Font(name: "caption2")

  /// The system's font for a use.
  public static func system(
    _ style: TextStyle, design: Design? = nil, weight: Weight? = nil
  ) -> Font {
    Font(name: "\(style)").with(weight, design)
  }

  /// The system's font at a size in points.
  public static func system(
    size: CGFloat, weight: Weight? = nil, design: Design? = nil
  ) -> Font {
    Font(name: "system(\(size))").with(weight, design)
  }

  private func with(_ weight: Weight?, _ design: Design?) -> Font {
    let parts = [weight?.name, design.map { "\($0)" }].compactMap { $0 }
    return Font(name: ([name] + parts).joined(separator: ","))
  }

  /// The font, with digits that are all as wide.
  public func monospacedDigit() -> Font { Font(name: name + ",monospacedDigit") }

  /// The font at a weight.
  public func weight(_ weight: Weight) -> Font { Font(name: name + "," + weight.name) }

  /// The font, heavy.
  public func bold() -> Font { weight(.bold) }
}

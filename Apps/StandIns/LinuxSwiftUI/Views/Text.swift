import Foundation

/// A text.
public struct Text: Equatable, Sendable {
  let text: String
  /// Whether the text is a key of the app's catalogue.
  var isKey = false
  var attributes: [ViewNode.Attribute: String] = [:]

  /// A verbatim text.
  public init(verbatim content: String) { text = content }

  /// A verbatim text from a variable.
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { text = String(content) }

  /// A localized text.
  public init(_ key: LocalizedStringKey) { (text, isKey) = (key.text, true) }

  @MainActor func text(in context: Context) -> String {
    isKey ? LocalizedStringKey(text).text(in: context) : text
  }

  private func said(_ attribute: ViewNode.Attribute, _ value: String?) -> Text {
    var copy = self
    copy.attributes[attribute] = value
    return copy
  }

  /// Sets the font.
  public func font(_ font: Font?) -> Text { said(.font, font?.name) }
  /// Sets the style.
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text {
    said(.foregroundStyle, describe(style))
  }
  /// Sets the text in bold.
  public func bold() -> Text { fontWeight(.bold) }
  /// Sets the text in italics.
  public func italic() -> Text { said(.other("italic"), "true") }
  /// Sets the weight.
  public func fontWeight(_ weight: Font.Weight?) -> Text { said(.fontWeight, weight?.name) }
  /// Sets digits of equal width.
  public func monospacedDigit() -> Text { said(.monospacedDigit, "true") }
}

extension Text {
  /// A letter case.
  public enum Case: Hashable, Sendable {
    case uppercase
    case lowercase
  }
}

extension Text: View, PrimitiveView {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.text, text: text(in: context))
    node.attributes = context.environment.inherited.merging(attributes) { _, own in own }
    if context.environment.redactionReasons.contains(.placeholder) {
      node.attributes[.redacted] = "placeholder"
    }
    return [node]
  }
}

/// An image.
public struct Image: Equatable, Sendable {
  /// The size of a system symbol.
  public enum Scale: Hashable, Sendable {
    case small
    case medium
    case large
  }

  let name: String
  let isDecorative: Bool

  /// A system symbol.
  public init(systemName: String) {
    name = "system:" + systemName
    isDecorative = false
  }

  /// An image from the asset catalogue.
  public init(_ name: String) {
    self.name = name
    isDecorative = false
  }

  /// An image from the asset catalogue without a label.
  public init(decorative name: String) {
    self.name = name
    isDecorative = true
  }
}

extension Image: View, PrimitiveView {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.image, text: name)
    node.attributes = context.environment.inherited
    if isDecorative { node.attributes[.accessibilityHidden] = "true" }
    return [node]
  }
}

/// A text with an image.
@MainActor @preconcurrency public struct Label<Title: View, Icon: View>: View {
  let title: Title
  let icon: Icon

  /// Combines both.
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
    self.title = title()
    self.icon = icon()
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Label: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.stack)
    Placing("label").note(in: &node)
    node.children = context.nodes(of: icon, at: "icon") + context.nodes(of: title, at: "title")
    return [node]
  }
}

extension Label where Title == Text, Icon == Image {
  /// A text with a system symbol.
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
    self.init(title: { Text(titleKey) }, icon: { Image(systemName: name) })
  }

  /// A text with a system symbol.
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) {
    self.init(title: { Text(title) }, icon: { Image(systemName: name) })
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension Label: Sendable {}

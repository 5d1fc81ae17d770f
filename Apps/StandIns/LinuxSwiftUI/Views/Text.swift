// Words and pictures.

import Foundation

/// Words.
public struct Text: Equatable, Sendable {
  let text: String
  var attributes: [ViewNode.Attribute: String] = [:]

  /// Words as they are.
  public init(verbatim content: String) { text = content }

  /// Words as they are, from a variable.
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { text = String(content) }

  /// Words that are looked up.
  public init(_ key: LocalizedStringKey) { text = key.text }

  private func said(_ attribute: ViewNode.Attribute, _ value: String?) -> Text {
    var copy = self
    copy.attributes[attribute] = value
    return copy
  }

  /// The words in a font.
  public func font(_ font: Font?) -> Text { said(.font, font?.name) }
  /// The words in a style.
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text {
    said(.foregroundStyle, describe(style))
  }
  /// The words, heavy.
  public func bold() -> Text { fontWeight(.bold) }
  /// The words, slanted.
  public func italic() -> Text { said(.other("italic"), "true") }
  /// The words at a weight.
  public func fontWeight(_ weight: Font.Weight?) -> Text { said(.fontWeight, weight?.name) }
  /// The words with digits that are all as wide.
  public func monospacedDigit() -> Text { said(.monospacedDigit, "true") }
}

extension Text {
  /// Letters that words are written in.
  public enum Case: Hashable, Sendable {
    /// Capitals.
    case uppercase
    /// Small letters.
    case lowercase
  }
}

extension Text: View, PrimitiveView {
  /// There is none.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.text, text: text)
    node.attributes = context.environment.inherited.merging(attributes) { _, own in own }
    if context.environment.redactionReasons.contains(.placeholder) {
      node.attributes[.redacted] = "placeholder"
    }
    return [node]
  }
}

/// A picture.
public struct Image: Equatable, Sendable {
  /// How large a picture of the system is.
  public enum Scale: Hashable, Sendable {
    /// Small.
    case small
    /// The usual size.
    case medium
    /// Large.
    case large
  }

  let name: String
  let isDecorative: Bool

  /// A picture of the system.
  public init(systemName: String) {
    name = "system:" + systemName
    isDecorative = false
  }

  /// A picture of the app's assets.
  public init(_ name: String) {
    self.name = name
    isDecorative = false
  }

  /// A picture of the app's assets that says nothing.
  public init(decorative name: String) {
    self.name = name
    isDecorative = true
  }
}

extension Image: View, PrimitiveView {
  /// There is none.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.image, text: name)
    node.attributes = context.environment.inherited
    if isDecorative { node.attributes[.accessibilityHidden] = "true" }
    return [node]
  }
}

/// Words with a picture.
@MainActor @preconcurrency public struct Label<Title: View, Icon: View>: View {
  let title: Title
  let icon: Icon

  /// Puts both together.
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
    self.title = title()
    self.icon = icon()
  }

  /// There is none.
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
  /// Words with a picture of the system.
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
    self.init(title: { Text(titleKey) }, icon: { Image(systemName: name) })
  }

  /// Words with a picture of the system.
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) {
    self.init(title: { Text(title) }, icon: { Image(systemName: name) })
  }
}

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension Label: Sendable {}

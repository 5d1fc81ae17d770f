// Things to tap.

/// What a button is for.
public struct ButtonRole: Equatable, Sendable {
  let name: String

  /// It destroys something.
  public static let destructive = ButtonRole(name: "destructive")
  /// It cancels.
  public static let cancel = ButtonRole(name: "cancel")
}

/// Something to tap.
@MainActor @preconcurrency public struct Button<Label: View>: View {
  let label: Label
  let action: @MainActor () -> Void
  var role: ButtonRole?

  /// A button with any label.
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }

  /// A button for a purpose.
  public init(
    role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {
    self.action = action
    self.label = label()
    self.role = role
  }

  /// There is none.
  public var body: Never { neverBody() }
}

extension Button where Label == Text {
  /// A button with words.
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(titleKey) }
  }

  /// A button with words.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }

  /// A button with words, for a purpose.
  public init(
    _ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.init(role: role, action: action) { Text(titleKey) }
  }
}

extension Button where Label == LinuxSwiftUI.Label<Text, Image> {
  /// A button with words and a picture.
  public init(
    _ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void
  ) {
    self.init(action: action) { LinuxSwiftUI.Label(titleKey, systemImage: systemImage) }
  }
}

extension Button: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.button, children: context.nodes(of: label, at: "label"))
    node.isEnabled = context.environment.isEnabled
    node.actions.tap = action
    if let role { node.attributes[.other("role")] = role.name }
    return [node]
  }
}

/// Buttons that a tap brings up.
@MainActor @preconcurrency public struct Menu<Label: View, Content: View>: View {
  let label: Label
  let content: Content

  /// Shows buttons when it is tapped.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    self.content = content()
    self.label = label()
  }

  /// There is none.
  public var body: Never { neverBody() }
}

extension Menu: PrimitiveView {
  /// The buttons are there without a tap on the menu.
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.stack)
    Placing("menu").note(in: &node)
    var content = ViewNode(.modified, children: context.nodes(of: content, at: "content"))
    content.attributes[.layer] = "on demand"
    node.children = context.nodes(of: label, at: "label") + [content]
    return [node]
  }
}

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension Button: Sendable {}
@available(*, unavailable) extension Menu: Sendable {}

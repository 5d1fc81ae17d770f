/// A button's role.
public struct ButtonRole: Equatable, Sendable {
  let name: String

  /// A destructive action.
  public static let destructive = ButtonRole(name: "destructive")
  /// Cancels.
  public static let cancel = ButtonRole(name: "cancel")
}

/// A button.
@MainActor @preconcurrency public struct Button<Label: View>: View {
  let label: Label
  let action: @MainActor () -> Void
  var role: ButtonRole?

  /// A button with any label.
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }

  /// A button with a role.
  public init(
    role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {
    self.action = action
    self.label = label()
    self.role = role
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Button where Label == Text {
  /// A button with a text label.
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(titleKey) }
  }

  /// A button with a text label.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }

  /// A button with a text label and a role.
  public init(
    _ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.init(role: role, action: action) { Text(titleKey) }
  }
}

extension Button where Label == LinuxSwiftUI.Label<Text, Image> {
  /// A button with a text label and an image.
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

/// A menu of buttons.
@MainActor @preconcurrency public struct Menu<Label: View, Content: View>: View {
  let label: Label
  let content: Content

  /// A menu with a label.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    self.content = content()
    self.label = label()
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Menu: PrimitiveView {
  /// The buttons are available without opening the menu.
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.stack)
    Placing("menu").note(in: &node)
    var content = ViewNode(.modified, children: context.nodes(of: content, at: "content"))
    content.attributes[.layer] = "on demand"
    node.children = context.nodes(of: label, at: "label") + [content]
    return [node]
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension Button: Sendable {}
@available(*, unavailable) extension Menu: Sendable {}

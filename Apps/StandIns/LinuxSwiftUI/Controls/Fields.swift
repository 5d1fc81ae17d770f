/// A text field.
@MainActor @preconcurrency public struct TextField<Label: View>: View {
  let label: Label
  let text: Binding<String>
  var prompt: Text?

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension TextField where Label == Text {
  /// A field with a label.
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
    label = Text(titleKey)
    self.text = text
  }

  /// A field with a label and a prompt.
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
    label = Text(titleKey)
    self.text = text
    self.prompt = prompt
  }

  /// A field with a label.
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
    label = Text(title)
    self.text = text
  }
}

extension TextField: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = context.field(label: label, text: text, shown: text.wrappedValue)
    node.attributes[.other("prompt")] = prompt?.text(in: context)
    return [node]
  }
}

/// A field that hides its text.
@MainActor @preconcurrency public struct SecureField<Label: View>: View {
  let label: Label
  let text: Binding<String>

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension SecureField where Label == Text {
  /// A field with a label.
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
    label = Text(titleKey)
    self.text = text
  }
}

extension SecureField: PrimitiveView {
  /// Never shows what was typed.
  func nodes(in context: Context) -> [ViewNode] {
    let dots = String(repeating: "•", count: text.wrappedValue.count)
    return [context.field(label: label, text: text, shown: dots)]
  }
}

extension Context {
  fileprivate func field<Label: View>(
    label: Label, text: Binding<String>, shown: String
  ) -> ViewNode {
    var node = ViewNode(.field, text: shown)
    let name = nodes(of: label, at: "label").flatMap(\.texts).joined(separator: " ")
    node.attributes[.accessibilityLabel] = name
    node.isEnabled = environment.isEnabled
    node.actions.type = { text.wrappedValue = $0 }
    node.actions.submit = environment.submit
    return node
  }
}

/// A switch.
@MainActor @preconcurrency public struct Toggle<Label: View>: View {
  let label: Label
  let isOn: Binding<Bool>

  /// A switch with any label.
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    self.isOn = isOn
    self.label = label()
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Toggle where Label == Text {
  /// A switch with a text label.
  public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(titleKey) }
  }
}

extension Toggle: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.toggle, children: context.nodes(of: label, at: "label"))
    node.isOn = isOn.wrappedValue
    node.isEnabled = context.environment.isEnabled
    let isOn = isOn
    node.actions.tap = { isOn.wrappedValue.toggle() }
    return [node]
  }
}

/// Plus and minus buttons.
@MainActor @preconcurrency public struct Stepper<Label: View>: View {
  let label: Label
  let increment: (() -> Void)?
  let decrement: (() -> Void)?

  /// Two buttons with actions; one without an action is disabled.
  public init(
    @ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    self.label = label()
    increment = onIncrement
    decrement = onDecrement
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Stepper where Label == Text {
  /// Two buttons that change a value.
  public init<V: Strideable>(
    _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>,
    step: V.Stride = 1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    label = Text(titleKey)
    let current = value.wrappedValue
    let (up, down) = (current.advanced(by: step), current.advanced(by: -step))
    increment = up <= bounds.upperBound ? { value.wrappedValue = up } : nil
    decrement = down >= bounds.lowerBound ? { value.wrappedValue = down } : nil
  }

  /// Two buttons with actions.
  public init(
    _ titleKey: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    label = Text(titleKey)
    increment = onIncrement
    decrement = onDecrement
  }
}

extension Stepper: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.stepper, children: context.nodes(of: label, at: "label"))
    node.isEnabled = context.environment.isEnabled
    node.actions.increment = increment
    node.actions.decrement = decrement
    return [node]
  }
}

/// A picker.
@MainActor @preconcurrency
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
  let label: Label
  let selection: Binding<SelectionValue>
  let content: Content

  /// A picker with any label.
  public init(
    selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
    @ViewBuilder label: () -> Label
  ) {
    self.selection = selection
    self.content = content()
    self.label = label()
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Picker where Label == Text {
  /// A picker with a text label.
  public init(
    _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>,
    @ViewBuilder content: () -> Content
  ) {
    self.init(selection: selection, content: content, label: { Text(titleKey) })
  }
}

extension Picker: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.picker)
    let name = context.nodes(of: label, at: "label").flatMap(\.texts).joined(separator: " ")
    node.attributes[.accessibilityLabel] = name
    node.isEnabled = context.environment.isEnabled
    let selection = selection
    for part in context.child("content").flattened(content) {
      var option = ViewNode(.option, children: part.context.nodes(of: part.view))
      option.tag = option.all.lazy.compactMap(\.tag).first
      option.isOn = option.tag == AnyHashable(selection.wrappedValue)
      if option.tag?.base as? SelectionValue == nil {
        context.host.complain("Picker: an option has no tag of type \(SelectionValue.self)")
      }
      node.children.append(option)
    }
    if !node.children.contains(where: { $0.isOn == true }) {
      context.host.complain("Picker: the selection \(selection.wrappedValue) has no option")
    }
    node.actions.choose = { tag in
      if let value = tag.base as? SelectionValue { selection.wrappedValue = value }
    }
    return [node]
  }
}

extension View {
  /// Sets the value that this option selects.
  public func tag<V: Hashable>(_ tag: V) -> some View {
    var modified = Modified(self)
    modified.notes.tag = AnyHashable(tag)
    return modified
  }

  /// Runs an action when a field below is submitted.
  public func onSubmit(
    of triggers: SubmitTriggers = .text, _ action: @escaping (() -> Void)
  ) -> some View {
    var modified = Modified(self)
    modified.inherit = { $0.submit = action }
    return modified
  }
}

/// The fields that trigger a submission.
public struct SubmitTriggers: OptionSet, Sendable {
  /// The raw bits.
  public let rawValue: Int

  /// Creates triggers from raw bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A text field.
  public static let text = SubmitTriggers(rawValue: 1)
  /// The search field.
  public static let search = SubmitTriggers(rawValue: 2)
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension TextField: Sendable {}
@available(*, unavailable) extension SecureField: Sendable {}
@available(*, unavailable) extension Toggle: Sendable {}
@available(*, unavailable) extension Stepper: Sendable {}
@available(*, unavailable) extension Picker: Sendable {}

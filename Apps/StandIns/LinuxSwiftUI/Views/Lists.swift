/// Rows that scroll.
@MainActor @preconcurrency public struct List<SelectionValue: Hashable, Content: View>: View {
  let content: Content
  let selection: Binding<SelectionValue?>?

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension List where SelectionValue == Never {
  /// A list of views.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
    selection = nil
  }

  /// A list with a row for each element.
  public init<Data: RandomAccessCollection, RowContent: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
    content = ForEach(data, content: rowContent)
    selection = nil
  }

  /// A list with a row for each element, identified by a property.
  public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where Content == ForEach<Data, ID, RowContent> {
    content = ForEach(data, id: id, content: rowContent)
    selection = nil
  }
}

extension List {
  /// A list of views, one of which is selected.
  public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
    self.content = content()
    self.selection = selection
  }
}

extension List: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.list)
    Placing("list").note(in: &node)
    node.children = context.child("content").rows(of: content).map { row in
      guard let selection, let tag = row.children.first?.tag?.base as? SelectionValue else {
        return row
      }
      var row = row
      row.isOn = selection.wrappedValue == tag
      row.actions.tap = { selection.wrappedValue = tag }
      return row
    }
    return [node]
  }
}

extension Context {
  /// A row for each part of a list's content; sections stay sections.
  func rows(of content: any View) -> [ViewNode] {
    flattened(content).flatMap { part -> [ViewNode] in
      let nodes = part.context.nodes(of: part.view)
      if nodes.count == 1, nodes[0].all.contains(where: { $0.kind == .section }) { return nodes }
      return [ViewNode(.row, children: nodes)]
    }
  }
}

extension View {
  /// Adds actions to a list's row, revealed by a swipe.
  public func swipeActions<T: View>(
    edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
  ) -> some View {
    let actions = content()
    var modified = Modified(self)
    modified.notes.change = { node, context in
      node.actions.swipes = context.nodes(of: actions, at: "swipe")
    }
    return modified
  }
}

/// A section of a list.
public struct Section<Parent, Content, Footer> {
  let header: Parent
  let content: Content
  let footer: Footer
}

extension Section: View where Parent: View, Content: View, Footer: View {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }

  /// A section with a header and a footer.
  public init(
    @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent,
    @ViewBuilder footer: () -> Footer
  ) {
    self.header = header()
    self.content = content()
    self.footer = footer()
  }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
  /// A section with a header.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
    self.init(content: content, header: header, footer: { EmptyView() })
  }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
  /// A section with a footer.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
    self.init(content: content, header: { EmptyView() }, footer: footer)
  }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
  /// A section.
  public init(@ViewBuilder content: () -> Content) {
    self.init(content: content, header: { EmptyView() }, footer: { EmptyView() })
  }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
  /// A section with a text header.
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    self.init(content: content, header: { Text(titleKey) }, footer: { EmptyView() })
  }

  /// A section with a text header.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
    self.init(content: content, header: { Text(title) }, footer: { EmptyView() })
  }
}

extension Section: PrimitiveView where Parent: View, Content: View, Footer: View {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.section)
    node.children =
      context.nodes(of: header, at: "header") + context.child("content").rows(of: content)
      + context.nodes(of: footer, at: "footer")
    return [node]
  }
}

/// A form.
@MainActor @preconcurrency public struct Form<Content: View>: View {
  let content: Content

  /// Groups controls.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Form: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.list, children: context.child("content").rows(of: content))
    Placing("form").note(in: &node)
    return [node]
  }
}

/// A value with its name.
@MainActor @preconcurrency public struct LabeledContent<Label: View, Content: View>: View {
  let label: Label
  let content: Content

  /// Combines both.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    self.content = content()
    self.label = label()
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension LabeledContent where Label == Text {
  /// A value with a text label.
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    self.init(content: content, label: { Text(titleKey) })
  }
}

extension LabeledContent where Label == Text, Content == Text {
  /// A text value with a text label.
  public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S) {
    self.init(content: { Text(value) }, label: { Text(titleKey) })
  }
}

extension LabeledContent: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.stack)
    Placing("labeled").note(in: &node)
    node.children =
      context.nodes(of: label, at: "label") + context.nodes(of: content, at: "content")
    return [node]
  }
}

/// The placeholder for missing content, with its reason.
@MainActor @preconcurrency
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
  let label: Label
  let description: Description
  let actions: Actions

  /// Creates the view.
  public init(
    @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description,
    @ViewBuilder actions: () -> Actions
  ) {
    self.label = label()
    self.description = description()
    self.actions = actions()
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension ContentUnavailableView where Actions == EmptyView {
  /// Without actions.
  public init(@ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description) {
    self.init(label: label, description: description, actions: { EmptyView() })
  }
}

extension ContentUnavailableView: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.stack)
    Placing("unavailable").note(in: &node)
    node.children =
      context.nodes(of: label, at: "label") + context.nodes(of: description, at: "description")
      + context.nodes(of: actions, at: "actions")
    return [node]
  }
}

/// A progress indicator.
@MainActor @preconcurrency public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
  let label: Label

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension ProgressView where CurrentValueLabel == EmptyView {
  /// Without a label.
  public init() where Label == EmptyView { label = EmptyView() }

  /// With a label.
  public init(_ titleKey: LocalizedStringKey) where Label == Text { label = Text(titleKey) }
}

extension ProgressView: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    [ViewNode(.progress, children: context.nodes(of: label, at: "label"))]
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension List: Sendable {}
@available(*, unavailable) extension Section: Sendable {}
@available(*, unavailable) extension Form: Sendable {}
@available(*, unavailable) extension LabeledContent: Sendable {}
@available(*, unavailable) extension ProgressView: Sendable {}
@available(*, unavailable) extension ContentUnavailableView: Sendable {}

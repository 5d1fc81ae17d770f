public import Foundation

extension View {
  /// Presents a sheet while a value is true.
  public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    presented(
      { isPresented.wrappedValue ? content() : nil },
      dismiss: {
        isPresented.wrappedValue = false
        onDismiss?()
      })
  }

  /// Presents a sheet while there is an item.
  public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    presented(
      { item.wrappedValue.map(content) },
      dismiss: {
        item.wrappedValue = nil
        onDismiss?()
      })
  }

  /// Shows a view beside this one where there is room; the stand-in has it only there.
  public func inspector<V: View>(
    isPresented: Binding<Bool>, @ViewBuilder content: () -> V
  ) -> some View {
    let view = content()
    var modified = Modified(self)
    modified.notes.change = { node, context in
      guard isPresented.wrappedValue else { return }
      var inner = context.child("inspector")
      inner.navigation = nil
      let column = ViewNode(.modified, children: inner.nodes(of: view))
      node = ViewNode(.stack, children: [node, column])
      Placing("row", spacing: 0).note(in: &node)
    }
    return modified
  }

  /// Sets the width of the inspector that shows this view.
  public func inspectorColumnWidth(
    min: CGFloat? = nil, ideal: CGFloat, max: CGFloat? = nil
  ) -> some View { frame(width: ideal) }

  private func presented<Content: View>(
    _ content: @escaping () -> Content?, dismiss: @escaping @MainActor () -> Void
  ) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, context in
      guard let view = content() else { return }
      var inner = context.child("sheet")
      inner.navigation = nil
      inner.environment.dismiss = DismissAction(dismiss: dismiss)
      var sheet = ViewNode(.sheet, children: inner.nodes(of: view))
      sheet.actions.dismiss = dismiss
      node.children.append(sheet)
    }
    return modified
  }

  /// Presents an alert with actions while a value is true.
  public func alert<A: View, M: View>(
    _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A,
    @ViewBuilder message: () -> M
  ) -> some View {
    question(Text(titleKey), isPresented: isPresented, actions: actions(), message: message())
  }

  /// Presents a confirmation while a value is true.
  public func confirmationDialog<A: View, M: View>(
    _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>,
    titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A,
    @ViewBuilder message: () -> M
  ) -> some View {
    question(Text(titleKey), isPresented: isPresented, actions: actions(), message: message())
  }

  /// Presents a confirmation while a value is true.
  @_disfavoredOverload public func confirmationDialog<S: StringProtocol, A: View, M: View>(
    _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
    @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
  ) -> some View {
    question(Text(title), isPresented: isPresented, actions: actions(), message: message())
  }

  private func question<A: View, M: View>(
    _ title: Text, isPresented: Binding<Bool>, actions: A, message: M
  ) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, context in
      guard isPresented.wrappedValue else { return }
      var alert = ViewNode(.alert, children: [ViewNode(.text, text: title.text(in: context))])
      alert.children += context.nodes(of: message, at: "message")
      // Every button of an alert also closes it.
      alert.children += context.nodes(of: actions, at: "actions").map { closing($0) }
      node.children.append(alert)
    }
    func closing(_ node: ViewNode) -> ViewNode {
      var node = node
      node.children = node.children.map(closing)
      if let tap = node.actions.tap {
        node.actions.tap = {
          isPresented.wrappedValue = false
          tap()
        }
      }
      return node
    }
    return modified
  }
}

/// A height at which a sheet rests.
public struct PresentationDetent: Hashable, Sendable {
  let name: String

  /// About half the height of the screen.
  public static let medium = PresentationDetent(name: "medium")
  /// The full height.
  public static let large = PresentationDetent(name: "large")
}

extension View {
  /// Sets the heights of the sheet that shows this view.
  public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
    said(.other("detents"), detents.map(\.name).sorted().joined(separator: " "))
  }
}

/// Visibility.
public enum Visibility: Hashable, CaseIterable, Sendable {
  case automatic
  case visible
  case hidden
}

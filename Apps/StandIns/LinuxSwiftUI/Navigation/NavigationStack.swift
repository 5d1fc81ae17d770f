import Foundation

/// The values of the screens above a stack's root.
public struct NavigationPath {
  var values: [AnyHashable] = []

  /// An empty path.
  public init() {}

  /// The number of screens above the root.
  public var count: Int { values.count }
  /// Whether the path is empty.
  public var isEmpty: Bool { values.isEmpty }
  /// Pushes a screen.
  public mutating func append<V: Hashable>(_ value: V) { values.append(AnyHashable(value)) }
  /// Pops screens.
  public mutating func removeLast(_ k: Int = 1) { values.removeLast(k) }
}

/// State that the links and destinations of one stack share.
@MainActor final class NavigationScope {
  var destinations: [ObjectIdentifier: (AnyHashable) -> (any View)?] = [:]
  let push: (AnyHashable) -> Bool
  /// Screens presented by links with a destination and by `navigationDestination(isPresented:)`.
  var presented: [(view: any View, context: Context, back: () -> Void)] = []

  init(push: @escaping (AnyHashable) -> Bool) { self.push = push }

  func destination(for value: AnyHashable) -> (any View)? {
    destinations[ObjectIdentifier(type(of: value.base))]?(value)
  }
}

private func erased<Values>(_ path: Binding<Values>) -> Binding<[AnyHashable]>
where Values: RangeReplaceableCollection, Values.Element: Hashable {
  Binding(
    read: { path.wrappedValue.map { AnyHashable($0) } },
    write: { path.wrappedValue = Values($0.compactMap { $0.base as? Values.Element }) })
}

private func accepting<Element>(_ type: Element.Type) -> (AnyHashable) -> Bool {
  { $0.base is Element }
}

/// A navigation stack.
@MainActor @preconcurrency public struct NavigationStack<Data, Root: View>: View {
  let root: Root
  let path: Binding<[AnyHashable]>?
  let accepts: (AnyHashable) -> Bool

  /// A stack with a path that the app owns.
  public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where
    Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection,
    Data.Element: Hashable
  {
    self.root = root()
    self.path = erased(path)
    accepts = accepting(Data.Element.self)
  }

  /// A stack with a path of several types that the app owns.
  public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root)
  where Data == NavigationPath {
    self.root = root()
    self.path = Binding(
      read: { path.wrappedValue.values },
      write: { values in
        var new = NavigationPath()
        new.values = values
        path.wrappedValue = new
      })
    accepts = { _ in true }
  }

  /// A stack with a path of its own state.
  public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
    self.root = root()
    path = nil
    accepts = { _ in true }
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension NavigationStack: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    let host = context.host
    let own = context.element.stored(0) {
      StateLocation<[AnyHashable]>([]) { [weak host] in host?.changed() }
    }
    let path = path ?? Binding(read: { own.value }, write: { own.set($0) })
    let accepts = accepts
    let scope = NavigationScope { value in
      guard accepts(value) else { return false }
      path.wrappedValue.append(value)
      return true
    }
    return [screens(path, scope, in: context)]
  }

  private func screens(
    _ path: Binding<[AnyHashable]>, _ scope: NavigationScope, in context: Context
  ) -> ViewNode {
    let values = path.wrappedValue
    var first = context.child("root")
    first.navigation = scope
    first.isInSight = context.isInSight && values.isEmpty
    // A covered screen is not shown, but stays alive.
    var top = first.nodes(of: root)
    for (index, value) in values.enumerated() {
      // SwiftUI doesn't promise a new screen when another value takes its place: assume the worst,
      // so a destination that must be another needs its own `id`.
      var screen = context.child("screen \(index)")
      screen.navigation = scope
      screen.isInSight = context.isInSight && index == values.count - 1
      screen.environment.dismiss = DismissAction {
        path.wrappedValue = Array(path.wrappedValue.prefix(index))
      }
      guard let view = scope.destination(for: value) else {
        context.host.complain("NavigationStack: no destination for \(type(of: value.base))")
        top = [ViewNode(.image, text: "system:exclamationmark.triangle")]
        continue
      }
      top = screen.nodes(of: view)
    }
    var node = ViewNode(.navigation, children: top)
    if !values.isEmpty { node.actions.back = { path.wrappedValue.removeLast() } }
    if let presented = scope.presented.last {
      node.children = presented.context.nodes(of: presented.view)
      node.actions.back = presented.back
    }
    return node
  }
}

extension View {
  /// Sets the screen for values of a type.
  public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View {
    var modified = Modified(self)
    modified.notes.visit = { context in
      guard let scope = context.navigation else {
        context.host.complain("navigationDestination(for: \(D.self)) outside a NavigationStack")
        return
      }
      scope.destinations[ObjectIdentifier(D.self)] = { value in
        (value.base as? D).map(destination)
      }
    }
    return modified
  }

  /// Shows a screen while a value is true.
  public func navigationDestination<V: View>(
    isPresented: Binding<Bool>, @ViewBuilder destination: () -> V
  ) -> some View {
    var modified = Modified(self)
    let view = destination()
    modified.notes.visit = { context in
      guard isPresented.wrappedValue, let scope = context.navigation else { return }
      scope.presented.append(
        (view, context.child("destination").child("view"), { isPresented.wrappedValue = false }))
    }
    return modified
  }
}

/// A navigation link.
@MainActor @preconcurrency public struct NavigationLink<Label: View, Destination: View>: View {
  let label: Label
  let value: AnyHashable?
  let destination: Destination?

  /// A link with a destination.
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
    self.label = label()
    self.destination = destination()
    value = nil
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension NavigationLink where Destination == Never {
  /// A link to a value's screen.
  public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
    self.label = label()
    self.value = value.map { AnyHashable($0) }
    destination = nil
  }

  /// A link, with a text label, to a value's screen.
  public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text {
    self.init(value: value) { Text(titleKey) }
  }

  /// A link, with a text label, to a value's screen.
  @_disfavoredOverload
  public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) where Label == Text {
    self.init(value: value) { Text(title) }
  }
}

extension NavigationLink where Label == Text {
  /// A link with a text label and a destination.
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
    self.init(destination: destination, label: { Text(titleKey) })
  }
}

extension NavigationLink: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.link, children: context.nodes(of: label, at: "label"))
    node.isEnabled = context.environment.isEnabled && context.navigation != nil
    let host = context.host
    if let value {
      let scope = context.navigation
      node.actions.tap = {
        if scope?.push(value) != true {
          host.complain("NavigationLink: the path takes no \(type(of: value.base))")
        }
      }
      return [node]
    }
    let shows = context.element.stored(0) {
      StateLocation(false) { [weak host] in host?.changed() }
    }
    node.actions.tap = { shows.set(true) }
    if shows.value, let destination {
      context.navigation?.presented.append(
        (destination, context.child("destination").child("view"), { shows.set(false) }))
    }
    return [node]
  }
}

/// Two columns where there is room, a stack where there is not.
@MainActor @preconcurrency
public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
  let sidebar: Sidebar
  let detail: Detail

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension NavigationSplitView where Content == EmptyView {
  /// Two screens.
  public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) {
    self.sidebar = sidebar()
    self.detail = detail()
  }
}

extension NavigationSplitView: PrimitiveView {
  /// Evaluates both; without room only the first is visible.
  func nodes(in context: Context) -> [ViewNode] {
    let bar = ViewNode(.navigation, children: context.nodes(of: sidebar, at: "sidebar"))
    guard context.environment.horizontalSizeClass == .regular else { return [bar] }
    var list = ViewNode(.modified, children: [bar])
    list.attributes[.frame] = "320.0x-"
    var node = ViewNode(.stack, children: [list] + context.nodes(of: detail, at: "detail"))
    Placing("row", spacing: 0).note(in: &node)
    return [node]
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension NavigationStack: Sendable {}
@available(*, unavailable) extension NavigationLink: Sendable {}
@available(*, unavailable) extension NavigationSplitView: Sendable {}

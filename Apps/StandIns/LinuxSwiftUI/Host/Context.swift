/// What an evaluation passes down the tree.
@MainActor struct Context {
  let host: ViewHost
  let element: Element
  var environment: EnvironmentValues
  /// Whether the evaluated view is visible; a covered screen stays alive while it is not.
  var isInSight = true
  /// The scope for `navigationDestination` and for links.
  var navigation: NavigationScope?

  func child(_ key: AnyHashable) -> Context {
    let part = element.child(key)
    part.reach(round: host.round)
    return Context(
      host: host, element: part, environment: environment, isInSight: isInSight,
      navigation: navigation)
  }

  func nodes<V: View>(of view: V) -> [ViewNode] {
    element.visit(V.self, round: host.round)
    element.isShown = true
    if let primitive = view as? any PrimitiveView { return primitive.nodes(in: self) }
    bind(view)
    return child("body").nodes(of: view.body)
  }

  func nodes<V: View>(of view: V, at key: AnyHashable) -> [ViewNode] {
    child(key).nodes(of: view)
  }

  /// Connects the property wrappers of a view or a modifier with their storage at this place.
  func bind(_ value: Any) {
    if isInSight { host.note(type(of: value)) }
    for (index, property) in Mirror(reflecting: value).children.enumerated() {
      (property.value as? any BoundProperty)?.bind(in: self, index: index)
    }
  }
}

/// A view that returns its nodes itself, without a body.
@MainActor protocol PrimitiveView {
  func nodes(in context: Context) -> [ViewNode]
}

/// A property wrapper with storage outside the view's value.
@MainActor protocol BoundProperty {
  func bind(in context: Context, index: Int)
}

@MainActor struct Part {
  let view: any View
  let context: Context

  init(_ view: any View, _ context: Context) {
    self.view = view
    self.context = context
  }

  var nodes: [ViewNode] { context.nodes(of: view) }
}

/// A view of several parts that a container treats one by one.
@MainActor protocol PluralView {
  func parts(in context: Context) -> [Part]
}

extension Context {
  /// A view's parts, recursively down to those that a container treats as one.
  func flattened(_ view: any View) -> [Part] {
    func opened<V: View>(_ view: V) -> [Part] {
      element.visit(V.self, round: host.round)
      if let plural = view as? any PluralView {
        return plural.parts(in: self).flatMap { $0.context.flattened($0.view) }
      }
      if view is any PrimitiveView { return [Part(view, self)] }
      bind(view)
      return child("body").flattened(view.body)
    }
    return opened(view)
  }
}

// What an evaluation hands down the tree.

/// Where an evaluation stands.
@MainActor struct Context {
  let host: ViewHost
  let element: Element
  var environment: EnvironmentValues
  /// Whether what is evaluated can be seen; what lies under another screen lives on unseen.
  var isInSight = true
  /// Where navigationDestination registers and links push.
  var navigation: NavigationScope?

  /// The context of a part.
  func child(_ key: AnyHashable) -> Context {
    let part = element.child(key)
    part.reach(round: host.round)
    return Context(
      host: host, element: part, environment: environment, isInSight: isInSight,
      navigation: navigation)
  }

  /// What a view shows.
  func nodes<V: View>(of view: V) -> [ViewNode] {
    element.visit(V.self, round: host.round)
    element.isShown = true
    if let primitive = view as? any PrimitiveView { return primitive.nodes(in: self) }
    bind(view)
    return child("body").nodes(of: view.body)
  }

  /// What a part of the view shows.
  func nodes<V: View>(of view: V, at key: AnyHashable) -> [ViewNode] {
    child(key).nodes(of: view)
  }

  /// Connects the property wrappers of a view or a modifier with their storage at this place.
  func bind(_ value: Any) {
    for (index, property) in Mirror(reflecting: value).children.enumerated() {
      (property.value as? any BoundProperty)?.bind(in: self, index: index)
    }
  }
}

/// A view that says itself what it shows instead of being made of others.
@MainActor protocol PrimitiveView {
  func nodes(in context: Context) -> [ViewNode]
}

/// A property wrapper with storage outside the view's value.
@MainActor protocol BoundProperty {
  func bind(in context: Context, index: Int)
}

/// A part of a view, with the context in which it lives.
@MainActor struct Part {
  let view: any View
  let context: Context

  init(_ view: any View, _ context: Context) {
    self.view = view
    self.context = context
  }

  /// What it shows.
  var nodes: [ViewNode] { context.nodes(of: view) }
}

/// A view made of several that a container treats one by one.
@MainActor protocol PluralView {
  /// The parts with the contexts in which each lives.
  func parts(in context: Context) -> [Part]
}

extension Context {
  /// A view's parts, down to those that a container treats as one: a view that is made of several
  /// is as plural as they are.
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

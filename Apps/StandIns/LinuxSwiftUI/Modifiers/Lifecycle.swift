public import Combine
public import Foundation

extension Modified {
  fileprivate init(
    _ content: Content,
    enter: @escaping @MainActor (Lifecycle, ViewHost) -> Void,
    stay: @escaping @MainActor (Lifecycle, ViewHost) -> Void = { _, _ in },
    leave: @escaping @MainActor () -> Void = {}
  ) {
    self.init(content)
    notes.visit = { context in
      let element = context.element.child("lifecycle")
      element.visit(Lifecycle.self, round: context.host.round)
      let lifecycle = element.lifecycle ?? Lifecycle()
      element.lifecycle = lifecycle
      lifecycle.onLeave = leave
      let (host, isInSight) = (context.host, context.isInSight)
      guard isInSight else { return host.atLast { lifecycle.leave() } }
      host.afterwards {
        if lifecycle.isInSight { return stay(lifecycle, host) }
        lifecycle.isInSight = true
        enter(lifecycle, host)
      }
    }
  }
}

extension View {
  /// Runs an action before the view first appears.
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    Modified(self, enter: { _, _ in action?() })
  }

  /// Runs an action when the view disappears.
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    Modified(self, enter: { _, _ in }, leave: { action?() })
  }

  /// Runs a task while the view is visible.
  public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    Modified(
      self,
      enter: { lifecycle, _ in
        lifecycle.task = Task(priority: priority) { await action() }
      })
  }

  /// Runs a task while the view is visible, and again for each new value.
  public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    func start(_ lifecycle: Lifecycle) {
      lifecycle.task?.cancel()
      lifecycle.last = value
      lifecycle.task = Task(priority: priority) { await action() }
    }
    return Modified(
      self, enter: { lifecycle, _ in start(lifecycle) },
      stay: { lifecycle, _ in if lifecycle.last as? T != value { start(lifecycle) } })
  }

  /// Runs an action when a value changes.
  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false,
    _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    func take(_ lifecycle: Lifecycle) {
      let old = lifecycle.last as? V
      lifecycle.last = value
      guard let old else {
        if initial { action(value, value) }
        return
      }
      if old != value { action(old, value) }
    }
    return Modified(
      self, enter: { lifecycle, _ in take(lifecycle) },
      stay: { lifecycle, _ in take(lifecycle) })
  }

  /// Runs an action when a value changes.
  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  /// Runs an action with each value of a publisher.
  public func onReceive<P: Publisher>(
    _ publisher: P, perform action: @escaping (P.Output) -> Void
  ) -> some View where P.Failure == Never {
    Modified(
      self,
      enter: { lifecycle, _ in
        lifecycle.held = publisher.sink { value in action(value) }
      })
  }

  /// Handles links into the app.
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
    var modified = Modified(self)
    modified.notes.visit = { context in context.host.addOpener(action) }
    return modified
  }

  /// Sets the pull-to-refresh action.
  public func refreshable(
    @_inheritActorContext action: @escaping @Sendable () async -> Void
  ) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, _ in node.actions.refresh = action }
    return modified
  }

  /// Adds a search field.
  public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
  ) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, context in
      node.actions.search = { text.wrappedValue = $0 }
      var field = ViewNode(.field, text: text.wrappedValue)
      field.attributes[.accessibilityLabel] = prompt?.text(in: context) ?? "Search"
      field.attributes[.layout] = "search"
      field.actions.type = { text.wrappedValue = $0 }
      node.children.insert(field, at: 0)
    }
    return modified
  }
}

extension View {
  /// Adds a search field with a placeholder.
  public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic,
    prompt: LocalizedStringKey
  ) -> some View { searchable(text: text, placement: placement, prompt: Text(prompt)) }
}

/// The placement of a search field.
public struct SearchFieldPlacement: Sendable {
  /// The system's choice.
  public static let automatic = SearchFieldPlacement()
}

/// A tab view.
@MainActor @preconcurrency public struct TabView<SelectionValue: Hashable, Content: View>: View {
  let selection: Binding<SelectionValue>?
  let content: Content

  /// A tab view with a selection that the app owns.
  public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
    self.selection = selection
    self.content = content()
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension TabView where SelectionValue == Int {
  /// A tab view with a selection of its own.
  public init(@ViewBuilder content: () -> Content) {
    selection = nil
    self.content = content()
  }
}

@MainActor protocol TabTraits {
  var tabTag: AnyHashable? { get }
  var tabItemLabel: (any View)? { get }
}

extension ModifiedPart: TabTraits {
  var tabTag: AnyHashable? { notes.tag ?? (part.view as? any TabTraits)?.tabTag }
  var tabItemLabel: (any View)? { notes.tabLabel ?? (part.view as? any TabTraits)?.tabItemLabel }
}

extension TabView: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    let host = context.host
    let own = context.element.stored(0) {
      StateLocation<AnyHashable?>(nil) { [weak host] in host?.changed() }
    }
    let parts = context.child("content").flattened(content)
    let tags = parts.indices.map { index in
      (parts[index].view as? any TabTraits)?.tabTag ?? AnyHashable(index)
    }
    let chosen = selection.map { AnyHashable($0.wrappedValue) } ?? own.value ?? tags.first
    if let chosen, !tags.contains(chosen) {
      host.complain("TabView: no tab has the tag \(chosen)")
    }
    var node = ViewNode(.tabs)
    for (part, tag) in zip(parts, tags) {
      var item = ViewNode(.tab)
      item.isOn = tag == chosen
      if let label = (part.view as? any TabTraits)?.tabItemLabel {
        let bar = context.child("bar")
        item.children = bar.child(tag).nodes(of: label)
      }
      let selection = selection
      item.actions.tap = {
        if let value = tag.base as? SelectionValue, let selection {
          selection.wrappedValue = value
        } else if selection == nil {
          own.set(tag)
        }
      }
      node.children.append(item)
    }
    node.children += screens(parts, tags, chosen, in: context)
    return [node]
  }

  /// The selected screen; others that were selected before stay alive, unseen.
  private func screens(
    _ parts: [Part], _ tags: [AnyHashable], _ chosen: AnyHashable?,
    in context: Context
  ) -> [ViewNode] {
    var front: [ViewNode] = []
    for (part, tag) in zip(parts, tags) {
      let isChosen = tag == chosen
      guard isChosen || part.context.element.isShown else { continue }
      var screen = part.context
      screen.isInSight = context.isInSight && isChosen
      let nodes = screen.nodes(of: part.view)
      if isChosen { front = nodes }
    }
    return front
  }
}

extension View {
  /// Sets the tab bar's item.
  public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
    var modified = Modified(self)
    modified.notes.tabLabel = label()
    return modified
  }
}

extension View {
  /// Sets the number on a tab's item or at the end of a list row; 0 for none.
  public func badge(_ count: Int) -> some View { said(.other("badge"), "\(count)") }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension TabView: Sendable {}

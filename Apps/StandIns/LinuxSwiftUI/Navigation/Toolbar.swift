// The bars of a screen.

/// Where an item of a bar stands.
public struct ToolbarItemPlacement {
  let name: String

  /// As the system sees fit.
  public static var automatic: ToolbarItemPlacement { .init(name: "automatic") }
  /// In the middle of the top bar.
  public static var principal: ToolbarItemPlacement { .init(name: "principal") }
  /// For the screen's main action.
  public static var primaryAction: ToolbarItemPlacement { .init(name: "primaryAction") }
  /// For what confirms.
  public static var confirmationAction: ToolbarItemPlacement { .init(name: "confirmationAction") }
  /// For what cancels.
  public static var cancellationAction: ToolbarItemPlacement { .init(name: "cancellationAction") }
  /// At the start of the top bar.
  public static var topBarLeading: ToolbarItemPlacement { .init(name: "topBarLeading") }
  /// At the end of the top bar.
  public static var topBarTrailing: ToolbarItemPlacement { .init(name: "topBarTrailing") }
  /// In the bottom bar.
  public static var bottomBar: ToolbarItemPlacement { .init(name: "bottomBar") }
}

/// What stands in a bar.
@MainActor @preconcurrency public protocol ToolbarContent {
  /// What it is made of.
  associatedtype Body: ToolbarContent
  /// What it is made of.
  @ToolbarContentBuilder var body: Body { get }
}

extension Never: ToolbarContent {}

/// Puts items together.
@resultBuilder public struct ToolbarContentBuilder {
  /// One item.
  public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> some ToolbarContent
  {
    content
  }

  /// Several items.
  public static func buildBlock<C0: ToolbarContent, C1: ToolbarContent>(
    _ c0: C0, _ c1: C1
  ) -> some ToolbarContent { ToolbarItems([c0, c1]) }

  /// Several items.
  public static func buildBlock<C0: ToolbarContent, C1: ToolbarContent, C2: ToolbarContent>(
    _ c0: C0, _ c1: C1, _ c2: C2
  ) -> some ToolbarContent { ToolbarItems([c0, c1, c2]) }
}

/// Several items of a bar.
struct ToolbarItems {
  let items: [any ToolbarContent]

  init(_ items: [any ToolbarContent]) { self.items = items }
}

extension ToolbarItems: ToolbarContent, PrimitiveView {
  var body: Never { return neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    items.enumerated().flatMap { $1.toolbarNodes(in: context.child($0)) }
  }
}

extension ToolbarContent {
  func toolbarNodes(in context: Context) -> [ViewNode] {
    context.element.visit(Self.self, round: context.host.round)
    if let primitive = self as? any PrimitiveView { return primitive.nodes(in: context) }
    context.bind(self)
    return body.toolbarNodes(in: context.child("body"))
  }
}

/// An item of a bar.
@MainActor @preconcurrency public struct ToolbarItem<ID, Content: View>: ToolbarContent {
  let placement: ToolbarItemPlacement
  let content: Content

  /// There is none.
  public var body: Never { return neverBody() }
}

extension ToolbarItem where ID == () {
  /// Places a view in a bar.
  public init(
    placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content
  ) {
    self.placement = placement
    self.content = content()
  }
}

extension ToolbarItem: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.modified, children: context.nodes(of: content, at: "item"))
    node.attributes[.placement] = placement.name
    return [node]
  }
}

extension View {
  /// Fills the bars of the screen.
  public func toolbar<Content: ToolbarContent>(
    @ToolbarContentBuilder content: () -> Content
  ) -> some View {
    let content = content()
    var modified = Modified(self)
    modified.notes.change = { node, context in
      let bar = ViewNode(.toolbar, children: content.toolbarNodes(in: context.child("toolbar")))
      node.children.insert(bar, at: 0)
    }
    return modified
  }

  /// The screen's title.
  public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
    said(.navigationTitle, titleKey.text)
  }

  /// The screen's title.
  @_disfavoredOverload public func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
    said(.navigationTitle, String(title))
  }

  /// How large the title is.
  public func navigationBarTitleDisplayMode(
    _ displayMode: NavigationBarItem.TitleDisplayMode
  ) -> some View {
    said(.other("titleDisplayMode"), "\(displayMode)")
  }
}

/// The bar at the top of a screen.
public struct NavigationBarItem: Sendable {
  /// How large the title is.
  public enum TitleDisplayMode: Sendable {
    /// As on the screen before.
    case automatic
    /// Small.
    case inline
    /// Large.
    case large
  }
}

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension ToolbarItem: Sendable {}
@available(*, unavailable) extension ToolbarItemPlacement: Sendable {}

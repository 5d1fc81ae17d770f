/// The placement of a toolbar item.
public struct ToolbarItemPlacement {
  let name: String

  /// The system's choice.
  public static var automatic: ToolbarItemPlacement { .init(name: "automatic") }
  /// The centre of the top bar.
  public static var principal: ToolbarItemPlacement { .init(name: "principal") }
  /// The screen's main action.
  public static var primaryAction: ToolbarItemPlacement { .init(name: "primaryAction") }
  /// A confirmation.
  public static var confirmationAction: ToolbarItemPlacement { .init(name: "confirmationAction") }
  /// A cancellation.
  public static var cancellationAction: ToolbarItemPlacement { .init(name: "cancellationAction") }
  /// The leading end of the top bar.
  public static var topBarLeading: ToolbarItemPlacement { .init(name: "topBarLeading") }
  /// The trailing end of the top bar.
  public static var topBarTrailing: ToolbarItemPlacement { .init(name: "topBarTrailing") }
  /// Above the keyboard.
  public static var keyboard: ToolbarItemPlacement { .init(name: "keyboard") }
  /// The bottom bar.
  public static var bottomBar: ToolbarItemPlacement { .init(name: "bottomBar") }
}

/// The content of a toolbar.
@MainActor @preconcurrency public protocol ToolbarContent {
  associatedtype Body: ToolbarContent
  @ToolbarContentBuilder var body: Body { get }
}

extension Never: ToolbarContent {}

/// Builds toolbar items.
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

  /// Several items.
  public static func buildBlock<
    C0: ToolbarContent, C1: ToolbarContent, C2: ToolbarContent, C3: ToolbarContent
  >(_ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3) -> some ToolbarContent {
    ToolbarItems([c0, c1, c2, c3])
  }
}

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

/// A toolbar item.
@MainActor @preconcurrency public struct ToolbarItem<ID, Content: View>: ToolbarContent {
  let placement: ToolbarItemPlacement
  let content: Content

  /// Unavailable: the view has no body.
  public var body: Never { return neverBody() }
}

extension ToolbarItem where ID == () {
  /// Places a view in a toolbar.
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
  /// Sets the screen's toolbars.
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

  /// Sets the screen's title.
  public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
    said(.navigationTitle, Text(titleKey))
  }

  /// Sets the screen's title.
  @_disfavoredOverload public func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
    said(.navigationTitle, String(title))
  }

  /// The title's size.
  public func navigationBarTitleDisplayMode(
    _ displayMode: NavigationBarItem.TitleDisplayMode
  ) -> some View {
    said(.other("titleDisplayMode"), "\(displayMode)")
  }
}

/// The bar at the top of a screen.
public struct NavigationBarItem: Sendable {
  /// The title's size.
  public enum TitleDisplayMode: Sendable {
    case automatic
    case inline
    case large
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension ToolbarItem: Sendable {}
@available(*, unavailable) extension ToolbarItemPlacement: Sendable {}

public import Foundation

/// A horizontal stack.
@MainActor @preconcurrency public struct HStack<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Stacks views horizontally.
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.content = content()
    placing = Placing("row", alignment: alignment.name, spacing: spacing)
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

/// A vertical stack.
@MainActor @preconcurrency public struct VStack<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Stacks views vertically.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.content = content()
    placing = Placing("column", alignment: alignment.name, spacing: spacing)
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

/// A depth stack.
@MainActor @preconcurrency public struct ZStack<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Stacks views in depth.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.content = content()
    placing = Placing("depth", alignment: alignment.name)
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

/// Views that stay visible while the rest of a stack scrolls.
public struct PinnedScrollableViews: OptionSet, Sendable {
  /// The raw bits.
  public let rawValue: UInt32

  /// Creates parts from raw bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Section headers.
  public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
  /// Section footers.
  public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}

/// A vertical stack that creates views when they become visible.
@MainActor @preconcurrency public struct LazyVStack<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Stacks views vertically.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    pinnedViews: PinnedScrollableViews = PinnedScrollableViews(),
    @ViewBuilder content: () -> Content
  ) {
    self.content = content()
    placing = Placing("lazy column", alignment: alignment.name, spacing: spacing)
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

/// A grid.
@MainActor @preconcurrency public struct Grid<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Creates a grid.
  public init(
    alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil,
    verticalSpacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    self.content = content()
    placing = Placing("grid", alignment: alignment.name, spacing: horizontalSpacing)
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

/// A row of a grid.
@MainActor @preconcurrency public struct GridRow<Content: View>: View {
  let content: Content

  /// Creates a row.
  public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
    self.content = content()
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

/// A scroll view.
@MainActor @preconcurrency public struct ScrollView<Content: View>: View {
  /// The scrolled content.
  public var content: Content

  /// Scrolls a view.
  public init(
    _ axes: Axis.Set = .vertical, showsIndicators: Bool = true,
    @ViewBuilder content: () -> Content
  ) { self.content = content() }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

/// The first of several views that fits; here always the first, since nothing is measured.
@MainActor @preconcurrency public struct ViewThatFits<Content: View>: View {
  let content: Content

  /// Chooses among views.
  public init(
    in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content
  ) { self.content = content() }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

/// How a container lays out its parts; recorded for drawing.
struct Placing: Sendable {
  let layout: String
  var alignment: String?
  var spacing: CGFloat?

  init(_ layout: String, alignment: String? = nil, spacing: CGFloat? = nil) {
    (self.layout, self.alignment, self.spacing) = (layout, alignment, spacing)
  }

  @MainActor func note(in node: inout ViewNode) {
    node.attributes[.layout] = layout
    node.attributes[.alignment] = alignment
    node.attributes[.spacing] = spacing.map { "\($0)" }
    node.attributes[.other("axis")] = ["row": "horizontal", "column": "vertical"][layout]
  }
}

extension Context {
  fileprivate func stack<Content: View>(
    _ kind: ViewNode.Kind, _ content: Content, _ placing: Placing
  ) -> [ViewNode] {
    var node = ViewNode(kind)
    placing.note(in: &node)
    if placing.layout == "row", environment.layoutDirection == .rightToLeft {
      node.attributes[.other("mirrored")] = "true"
    }
    node.children = nodes(of: content, at: "content")
    return [node]
  }
}

extension HStack: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] { context.stack(.stack, content, placing) }
}
extension VStack: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] { context.stack(.stack, content, placing) }
}
extension ZStack: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] { context.stack(.stack, content, placing) }
}
extension LazyVStack: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] { context.stack(.stack, content, placing) }
}
extension Grid: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] { context.stack(.stack, content, placing) }
}
extension GridRow: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    context.stack(.row, content, Placing("grid row"))
  }
}
extension ScrollView: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] { context.stack(.list, content, Placing("scroll")) }
}
extension ViewThatFits: PrimitiveView {
  /// Nothing is measured here: shows the first.
  func nodes(in context: Context) -> [ViewNode] {
    let parts = context.child("content").flattened(content)
    return parts.first?.nodes ?? []
  }
}

/// Fills the remaining space.
@MainActor @preconcurrency public struct Spacer: View {
  /// Creates an instance.
  public init(minLength: CGFloat? = nil) {}
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Spacer: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] { [ViewNode(.spacer)] }
}

/// A line between views.
@MainActor @preconcurrency public struct Divider: View {
  /// Creates an instance.
  public init() {}
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Divider: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.shape)
    Placing("divider").note(in: &node)
    return [node]
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension HStack: Sendable {}
@available(*, unavailable) extension VStack: Sendable {}
@available(*, unavailable) extension ZStack: Sendable {}
@available(*, unavailable) extension LazyVStack: Sendable {}
@available(*, unavailable) extension Grid: Sendable {}
@available(*, unavailable) extension GridRow: Sendable {}
@available(*, unavailable) extension ScrollView: Sendable {}
@available(*, unavailable) extension ViewThatFits: Sendable {}
@available(*, unavailable) extension Divider: Sendable {}

// Views in rows, columns and on top of each other.

public import Foundation

/// Views side by side.
@MainActor @preconcurrency public struct HStack<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Puts views side by side.
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.content = content()
    placing = Placing("row", alignment: alignment.name, spacing: spacing)
  }

  /// There is none.
  public var body: Never { neverBody() }
}

/// Views below each other.
@MainActor @preconcurrency public struct VStack<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Puts views below each other.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.content = content()
    placing = Placing("column", alignment: alignment.name, spacing: spacing)
  }

  /// There is none.
  public var body: Never { neverBody() }
}

/// Views on top of each other.
@MainActor @preconcurrency public struct ZStack<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Puts views on top of each other.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.content = content()
    placing = Placing("depth", alignment: alignment.name)
  }

  /// There is none.
  public var body: Never { neverBody() }
}

/// What stays in sight while the rest of a stack scrolls.
public struct PinnedScrollableViews: OptionSet, Sendable {
  /// The parts as bits.
  public let rawValue: UInt32

  /// Makes parts from bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The heads of sections.
  public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
  /// The feet of sections.
  public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}

/// Views below each other, made when they come into sight.
@MainActor @preconcurrency public struct LazyVStack<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Puts views below each other.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    pinnedViews: PinnedScrollableViews = PinnedScrollableViews(),
    @ViewBuilder content: () -> Content
  ) {
    self.content = content()
    placing = Placing("lazy column", alignment: alignment.name, spacing: spacing)
  }

  /// There is none.
  public var body: Never { neverBody() }
}

/// Views in rows and columns.
@MainActor @preconcurrency public struct Grid<Content: View>: View {
  let content: Content
  let placing: Placing

  /// Puts views in rows and columns.
  public init(
    alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil,
    verticalSpacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    self.content = content()
    placing = Placing("grid", alignment: alignment.name, spacing: horizontalSpacing)
  }

  /// There is none.
  public var body: Never { neverBody() }
}

/// A row of a grid.
@MainActor @preconcurrency public struct GridRow<Content: View>: View {
  let content: Content

  /// Makes a row.
  public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
    self.content = content()
  }

  /// There is none.
  public var body: Never { neverBody() }
}

/// Scrolls what does not fit.
@MainActor @preconcurrency public struct ScrollView<Content: View>: View {
  /// What scrolls.
  public var content: Content

  /// Scrolls a view.
  public init(
    _ axes: Axis.Set = .vertical, showsIndicators: Bool = true,
    @ViewBuilder content: () -> Content
  ) { self.content = content() }

  /// There is none.
  public var body: Never { neverBody() }
}

/// The first of several views that fits.
@MainActor @preconcurrency public struct ViewThatFits<Content: View>: View {
  let content: Content

  /// Chooses among views.
  public init(
    in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content
  ) { self.content = content() }

  /// There is none.
  public var body: Never { neverBody() }
}

/// How a container places its parts: noted for those who look at it.
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
  /// Nothing is measured here: the first is shown.
  func nodes(in context: Context) -> [ViewNode] {
    let parts = context.child("content").flattened(content)
    return parts.first?.nodes ?? []
  }
}

/// Takes the room that is left.
@MainActor @preconcurrency public struct Spacer: View {
  /// Makes it.
  public init(minLength: CGFloat? = nil) {}
  /// There is none.
  public var body: Never { neverBody() }
}

extension Spacer: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] { [ViewNode(.spacer)] }
}

/// A line between views.
@MainActor @preconcurrency public struct Divider: View {
  /// Makes it.
  public init() {}
  /// There is none.
  public var body: Never { neverBody() }
}

extension Divider: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.shape)
    Placing("divider").note(in: &node)
    return [node]
  }
}

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension HStack: Sendable {}
@available(*, unavailable) extension VStack: Sendable {}
@available(*, unavailable) extension ZStack: Sendable {}
@available(*, unavailable) extension LazyVStack: Sendable {}
@available(*, unavailable) extension Grid: Sendable {}
@available(*, unavailable) extension GridRow: Sendable {}
@available(*, unavailable) extension ScrollView: Sendable {}
@available(*, unavailable) extension ViewThatFits: Sendable {}
@available(*, unavailable) extension Divider: Sendable {}

public import Foundation

/// Lays out views and keeps their state when it changes.
///
/// Only the system's layouts exist here: measuring and placing is not imitated, so the protocol has
/// a requirement that no app can meet.
public protocol Layout {
  /// The direction, for tests.
  var _arrangement: _Arrangement { get }
}

/// A layout's direction.
public struct _Arrangement: Sendable {
  let placing: Placing

  init(_ placing: Placing) { self.placing = placing }
}

extension Layout {
  /// Lays out views.
  public func callAsFunction<V: View>(@ViewBuilder _ content: () -> V) -> some View {
    Arranged(placing: _arrangement.placing, content: content())
  }
}

/// A horizontal stack.
public struct HStackLayout: Layout {
  /// The vertical alignment.
  public var alignment: VerticalAlignment
  /// The spacing; nil for the default.
  public var spacing: CGFloat?

  /// Stacks views horizontally.
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {
    self.alignment = alignment
    self.spacing = spacing
  }
}

/// A vertical stack.
public struct VStackLayout: Layout {
  /// The horizontal alignment.
  public var alignment: HorizontalAlignment
  /// The spacing; nil for the default.
  public var spacing: CGFloat?

  /// Stacks views vertically.
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {
    self.alignment = alignment
    self.spacing = spacing
  }
}

/// A type-erased layout.
public struct AnyLayout: Layout {
  /// The direction, for tests.
  public let _arrangement: _Arrangement

  /// Erases a layout's type.
  public init<L: Layout>(_ layout: L) { _arrangement = layout._arrangement }
}

extension HStackLayout {
  /// The direction, for tests.
  public var _arrangement: _Arrangement {
    _Arrangement(Placing("row", alignment: alignment.name, spacing: spacing))
  }
}

extension VStackLayout {
  /// The direction, for tests.
  public var _arrangement: _Arrangement {
    _Arrangement(Placing("column", alignment: alignment.name, spacing: spacing))
  }
}

/// Views in a layout; they keep their state when it changes.
private struct Arranged<Content: View> {
  let placing: Placing
  let content: Content
}

extension Arranged: View, PrimitiveView {
  var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.stack, children: context.nodes(of: content, at: "content"))
    placing.note(in: &node)
    return [node]
  }
}

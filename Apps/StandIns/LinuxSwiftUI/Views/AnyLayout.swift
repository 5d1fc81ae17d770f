// Arrangements that a view can change between without losing the state of what it arranges.

public import Foundation

/// Arranges views.
///
/// Only the system's own exist here: how one's own would measure and place views is not imitated,
/// so what it must have is something that nobody can write.
public protocol Layout {
  /// Its direction, for tests.
  var _arrangement: _Arrangement { get }
}

/// An arrangement's direction.
public struct _Arrangement: Sendable {
  let placing: Placing

  init(_ placing: Placing) { self.placing = placing }
}

extension Layout {
  /// Arranges views.
  public func callAsFunction<V: View>(@ViewBuilder _ content: () -> V) -> some View {
    Arranged(placing: _arrangement.placing, content: content())
  }
}

/// Views side by side.
public struct HStackLayout: Layout {
  /// How they stand from top to bottom.
  public var alignment: VerticalAlignment
  /// The space between them; nil for the usual one.
  public var spacing: CGFloat?

  /// Puts views side by side.
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {
    self.alignment = alignment
    self.spacing = spacing
  }
}

/// Views below each other.
public struct VStackLayout: Layout {
  /// How they stand from side to side.
  public var alignment: HorizontalAlignment
  /// The space between them; nil for the usual one.
  public var spacing: CGFloat?

  /// Puts views below each other.
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {
    self.alignment = alignment
    self.spacing = spacing
  }
}

/// An arrangement whose type is hidden.
public struct AnyLayout: Layout {
  /// Its direction, for tests.
  public let _arrangement: _Arrangement

  /// Hides an arrangement's type.
  public init<L: Layout>(_ layout: L) { _arrangement = layout._arrangement }
}

extension HStackLayout {
  /// Its direction, for tests.
  public var _arrangement: _Arrangement {
    _Arrangement(Placing("row", alignment: alignment.name, spacing: spacing))
  }
}

extension VStackLayout {
  /// Its direction, for tests.
  public var _arrangement: _Arrangement {
    _Arrangement(Placing("column", alignment: alignment.name, spacing: spacing))
  }
}

/// Views in an arrangement; they stay the same when it becomes another.
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

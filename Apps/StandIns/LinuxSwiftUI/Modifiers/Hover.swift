public import Foundation

/// The place of a pointer over a view.
@frozen public enum HoverPhase: Equatable {
  /// It is over this point of the view.
  case active(CGPoint)
  /// It has left the view.
  case ended
}

/// The look of a view under the pointer.
public struct HoverEffect {
  /// Highlights the view's shape.
  public static var highlight: HoverEffect { HoverEffect() }
}

extension View {
  /// Sets the look under the pointer.
  public func hoverEffect(_ effect: HoverEffect) -> some View {
    said(.other("hoverEffect"), "highlight")
  }

  /// Runs an action when the pointer enters, moves over, or leaves the view.
  public func onContinuousHover(perform action: @escaping (HoverPhase) -> Void) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, _ in node.actions.hover = action }
    return modified
  }
}

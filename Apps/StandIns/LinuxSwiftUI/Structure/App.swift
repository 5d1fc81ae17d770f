import Foundation

/// An app.
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

extension App {
  /// Shows the app once and prints its texts: there is no screen here.
  public static func main() {
    for text in ViewHost(app: Self()).texts { print(text) }
  }
}

/// A scene.
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

/// Builds scenes.
@resultBuilder public struct SceneBuilder {
  /// One scene.
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

extension Scene {
  func sceneNodes(in context: Context) -> [ViewNode] {
    if let primitive = self as? any PrimitiveView { return primitive.nodes(in: context) }
    context.bind(self)
    return body.sceneNodes(in: context.child("scene"))
  }
}

/// A window with a view.
@MainActor @preconcurrency public struct WindowGroup<Content: View>: Scene {
  let content: Content

  /// Creates a window.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension WindowGroup: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    context.element.visit(Self.self, round: context.host.round)
    return context.nodes(of: content, at: "window")
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension WindowGroup: Sendable {}

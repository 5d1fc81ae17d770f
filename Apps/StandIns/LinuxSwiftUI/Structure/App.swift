// An app and its scenes.

import Foundation

/// An app.
@MainActor @preconcurrency public protocol App {
  /// What it is made of.
  associatedtype Body: Scene
  /// What it is made of.
  @SceneBuilder var body: Body { get }
  /// Makes the app.
  init()
}

extension App {
  /// Shows the app once and writes its words: there is no screen here.
  public static func main() {
    for text in ViewHost(app: Self()).texts { print(text) }
  }
}

/// A part of an app that the system shows.
@MainActor @preconcurrency public protocol Scene {
  /// What it is made of.
  associatedtype Body: Scene
  /// What it is made of.
  @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

/// Puts scenes together.
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

  /// Makes a window.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// There is none.
  public var body: Never { neverBody() }
}

extension WindowGroup: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    context.element.visit(Self.self, round: context.host.round)
    return context.nodes(of: content, at: "window")
  }
}

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension WindowGroup: Sendable {}

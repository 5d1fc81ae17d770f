/// Commands of the menu bar, or of a tablet's list of keyboard shortcuts.
@MainActor @preconcurrency public protocol Commands {
  associatedtype Body: Commands
  @CommandsBuilder var body: Body { get }
}

extension Never: Commands {}

/// Builds commands.
@resultBuilder public struct CommandsBuilder {
  /// One group of commands.
  public static func buildBlock<Content: Commands>(_ content: Content) -> Content { content }
}

/// A menu of commands.
@MainActor @preconcurrency public struct CommandMenu<Content: View>: Commands {
  let content: Content

  /// A menu with a title.
  public init(_ nameKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    self.content = content()
  }

  /// Unavailable: the commands have no body.
  public var body: Never { neverBody() }
}

extension CommandMenu: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] { context.nodes(of: content, at: "commands") }
}

extension Scene {
  /// Adds commands to the scene.
  public func commands<Content: Commands>(@CommandsBuilder content: () -> Content) -> some Scene {
    CommandedScene(scene: self, commands: content())
  }
}

private struct CommandedScene<Content: Scene, Added: Commands>: Scene, PrimitiveView {
  let scene: Content
  let commands: Added

  var body: Never { neverBody() }

  func nodes(in context: Context) -> [ViewNode] {
    if let menu = commands as? any PrimitiveView { context.host.commands = menu.nodes(in: context) }
    return scene.sceneNodes(in: context.child("scene"))
  }
}

/// A key of a hardware keyboard.
public struct KeyEquivalent: Sendable {
  /// The character that it types.
  public var character: Character

  /// The key of a character.
  public init(_ character: Character) { self.character = character }
}

extension KeyEquivalent: ExpressibleByExtendedGraphemeClusterLiteral {
  /// The key of a character.
  public init(extendedGraphemeClusterLiteral: Character) {
    character = extendedGraphemeClusterLiteral
  }
}

extension View {
  /// Performs the control's action on this key with ⌘.
  public func keyboardShortcut(_ key: KeyEquivalent) -> some View {
    said(.other("keyboardShortcut"), String(key.character))
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension CommandMenu: Sendable {}

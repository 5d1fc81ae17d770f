// What modifies a view.

/// Makes a view from another.
@MainActor @preconcurrency public protocol ViewModifier {
  /// What it makes.
  associatedtype Body: View
  /// The view that is modified.
  typealias Content = _ViewModifier_Content<Self>
  /// What it makes.
  @ViewBuilder func body(content: Content) -> Body
}

/// The view that a modifier is given.
public struct _ViewModifier_Content<Modifier> {
  let view: any View
}

extension _ViewModifier_Content: View, PrimitiveView {
  /// There is none.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { context.child("content").nodes(of: view) }
}

/// A view with a modifier.
public struct ModifiedContent<Content, Modifier> {
  /// The view.
  public var content: Content
  /// The modifier.
  public var modifier: Modifier

  /// Puts them together.
  public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}

extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {
  /// There is none.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    context.bind(modifier)
    let modified = modifier.body(content: _ViewModifier_Content(view: content))
    return context.nodes(of: modified, at: "modified")
  }
}

extension View {
  /// The view with a modifier.
  public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}

/// A view with something said of it.
struct Modified<Content: View>: View, PrimitiveView {
  let content: Content
  var tag: AnyHashable?
  var tabLabel: (any View)?
  /// Changes what the content inherits.
  var inherit: ((inout EnvironmentValues) -> Void)?
  /// Does something in each evaluation, such as to note what happens when the view appears.
  var visit: ((Context) -> Void)?
  /// Changes what the content shows.
  var change: ((inout ViewNode, Context) -> Void)?

  init(_ content: Content) { self.content = content }

  var body: Never { neverBody() }

  func nodes(in context: Context) -> [ViewNode] {
    var inner = context.child("modified")
    inherit?(&inner.environment)
    visit?(context)
    let nodes = inner.nodes(of: content)
    guard change != nil || tag != nil else { return nodes }
    var node = ViewNode(.modified, children: nodes)
    node.tag = tag
    change?(&node, context)
    return [node]
  }
}

extension View {
  /// The view with an attribute of its own.
  func said(_ attribute: ViewNode.Attribute, _ value: String) -> some View {
    said([attribute: value])
  }

  /// The view with attributes of its own.
  func said(_ attributes: [ViewNode.Attribute: String]) -> some View {
    var modified = Modified(self)
    modified.change = { node, _ in node.attributes.merge(attributes) { _, new in new } }
    return modified
  }

  /// The view with an attribute that its parts inherit.
  func inherited(_ attribute: ViewNode.Attribute, _ value: String?) -> some View {
    var modified = Modified(self)
    modified.inherit = { $0.inherited[attribute] = value }
    return modified
  }
}

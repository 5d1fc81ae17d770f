/// Modifies a view.
@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = _ViewModifier_Content<Self>
  @ViewBuilder func body(content: Content) -> Body
}

/// The view that a modifier modifies.
public struct _ViewModifier_Content<Modifier> {
  let view: any View
}

extension _ViewModifier_Content: View, PrimitiveView, PluralView {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { context.child("content").nodes(of: view) }
  func parts(in context: Context) -> [Part] { [Part(view, context.child("content"))] }
}

/// A view with a modifier.
public struct ModifiedContent<Content, Modifier> {
  /// The view.
  public var content: Content
  /// The modifier.
  public var modifier: Modifier

  /// Combines them.
  public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}

extension ModifiedContent: View, PrimitiveView, PluralView
where Content: View, Modifier: ViewModifier {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { parts(in: context).flatMap(\.nodes) }
  func parts(in context: Context) -> [Part] {
    context.bind(modifier)
    let modified = modifier.body(content: _ViewModifier_Content(view: content))
    return [Part(modified, context.child("modified"))]
  }
}

extension View {
  /// Applies a modifier.
  public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}

/// A modifier's effects on each view that it applies to.
struct ModifierNotes {
  var tag: AnyHashable?
  var tabLabel: (any View)?
  /// Runs at each evaluation, for instance to record what happens when the view appears.
  var visit: ((Context) -> Void)?
  var change: ((inout ViewNode, Context) -> Void)?
}

/// A view with a modifier; a view of several parts has it on each.
struct Modified<Content: View>: View, PrimitiveView, PluralView {
  let content: Content
  var notes = ModifierNotes()
  var inherit: ((inout EnvironmentValues) -> Void)?

  init(_ content: Content) { self.content = content }

  var body: Never { neverBody() }

  func nodes(in context: Context) -> [ViewNode] { parts(in: context).flatMap(\.nodes) }

  func parts(in context: Context) -> [Part] {
    var inner = context.child("modified")
    inherit?(&inner.environment)
    return inner.flattened(content).map { part in
      var outer = part.context.child("modifier")
      outer.environment = context.environment
      return Part(ModifiedPart(part: part, notes: notes), outer)
    }
  }
}

/// One part of a view with a modifier; the modifier's storage is separate for each part.
struct ModifiedPart: View, PrimitiveView {
  let part: Part
  let notes: ModifierNotes

  var body: Never { neverBody() }

  func nodes(in context: Context) -> [ViewNode] {
    notes.visit?(context)
    var inner = part.context
    inner.isInSight = context.isInSight
    let nodes = inner.nodes(of: part.view)
    guard notes.change != nil || notes.tag != nil else { return nodes }
    var node = ViewNode(.modified, children: nodes)
    node.tag = notes.tag
    notes.change?(&node, context)
    return [node]
  }
}

extension View {
  func said(_ attribute: ViewNode.Attribute, _ value: String) -> some View {
    said([attribute: value])
  }

  func said(_ attribute: ViewNode.Attribute, _ value: Text) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, context in
      node.attributes[attribute] = value.text(in: context)
    }
    return modified
  }

  func said(_ attributes: [ViewNode.Attribute: String]) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, _ in node.attributes.merge(attributes) { _, new in new } }
    return modified
  }

  /// Sets an attribute that the view's parts inherit.
  func inherited(_ attribute: ViewNode.Attribute, _ value: String?) -> some View {
    var modified = Modified(self)
    modified.inherit = { $0.inherited[attribute] = value }
    return modified
  }
}

/// A view.
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

/// The body of a view that is not made of others: reading it is a programmer's error.
func neverBody() -> Never { preconditionFailure("this view has no body") }

/// Builds views.
@resultBuilder public struct ViewBuilder {
  /// A view as it is.
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  /// An empty view.
  public static func buildBlock() -> EmptyView { EmptyView() }
  /// One view.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// Several views.
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> {
    var parts: [any View] = []
    repeat parts.append(each content)
    return TupleView(parts: parts)
  }
  /// A view that may be missing.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  /// The body of a view without one; traps when it is read.
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> { _ConditionalContent(storage: .first(first)) }
  /// The second of two.
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> { _ConditionalContent(storage: .second(second)) }
  /// A view that only newer systems support.
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
    AnyView(erasing: content)
  }
}

/// An empty view.
public struct EmptyView: Sendable {
  /// Creates the view.
  public init() {}
}

extension EmptyView: View, PrimitiveView, PluralView {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { [] }
  func parts(in context: Context) -> [Part] { [] }
}

/// Several views.
public struct TupleView<T> {
  let parts: [any View]
}

extension TupleView: View, PrimitiveView, PluralView {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    parts(in: context).flatMap(\.nodes)
  }
  func parts(in context: Context) -> [Part] {
    parts.enumerated().map { Part($1, context.child($0)) }
  }
}

/// One of two views.
public struct _ConditionalContent<TrueContent, FalseContent> {
  enum Storage {
    case first(TrueContent)
    case second(FalseContent)
  }

  let storage: Storage
}

extension _ConditionalContent: View, PrimitiveView, PluralView
where TrueContent: View, FalseContent: View {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    parts(in: context).flatMap(\.nodes)
  }
  func parts(in context: Context) -> [Part] {
    switch storage {
    case .first(let view): [Part(view, context.child(true))]
    case .second(let view): [Part(view, context.child(false))]
    }
  }
}

extension Optional: View where Wrapped: View {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Optional: PrimitiveView, PluralView where Wrapped: View {
  func nodes(in context: Context) -> [ViewNode] {
    parts(in: context).flatMap(\.nodes)
  }
  func parts(in context: Context) -> [Part] {
    map { [Part($0, context.child("some"))] } ?? []
  }
}

/// A type-erased view.
public struct AnyView {
  let view: any View

  /// Erases a view's type.
  public init<V: View>(_ view: V) { self.view = view }

  /// Erases a view's type.
  public init<V: View>(erasing view: V) { self.view = view }
}

extension AnyView: View, PrimitiveView, PluralView {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { context.child("any").nodes(of: view) }
  func parts(in context: Context) -> [Part] {
    [Part(view, context.child("any"))]
  }
}

/// Several views as one value.
public struct Group<Content> {
  let content: Content
}

extension Group: View, PrimitiveView, PluralView where Content: View {
  /// Groups views.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { context.child("group").nodes(of: content) }
  func parts(in context: Context) -> [Part] {
    [Part(content, context.child("group"))]
  }
}

/// A view for each element of a collection.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  /// The elements.
  public var data: Data
  /// Builds an element's view.
  public var content: (Data.Element) -> Content
  let id: (Data.Element) -> ID
}

extension ForEach: View, PrimitiveView, PluralView where Content: View {
  /// A view for each element, identified by a property.
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.content = content
    self.id = { $0[keyPath: id] }
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }

  func nodes(in context: Context) -> [ViewNode] {
    parts(in: context).flatMap(\.nodes)
  }

  func parts(in context: Context) -> [Part] {
    var seen: Set<ID> = []
    return data.map { element in
      let key = id(element)
      if !seen.insert(key).inserted {
        context.host.complain("ForEach: the ID \(key) occurs multiple times")
      }
      return Part(content(element), context.child(key))
    }
  }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  /// A view for each element.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.init(data, id: \.id, content: content)
  }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: View {
  /// A view for each number of a constant range.
  public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
    self.init(data, id: \.self, content: content)
  }
}

// How changes move: recorded only, since nothing moves here.

/// How a change moves.
public struct Animation: Equatable, Sendable {
  let name: String

  /// The system's usual one.
  public static let `default` = Animation(name: "default")
  /// Slow at both ends.
  public static let easeInOut = Animation(name: "easeInOut")
  /// Slow at the end.
  public static let easeOut = Animation(name: "easeOut")
  /// Slow at the start.
  public static let easeIn = Animation(name: "easeIn")
  /// Even.
  public static let linear = Animation(name: "linear")

  /// Slow at both ends, for so many seconds.
  public static func easeInOut(duration: Double) -> Animation {
    Animation(name: "easeInOut(\(duration))")
  }

  /// Slow at the end, for so many seconds.
  public static func easeOut(duration: Double) -> Animation {
    Animation(name: "easeOut(\(duration))")
  }

  /// Even, for so many seconds.
  public static func linear(duration: Double) -> Animation {
    Animation(name: "linear(\(duration))")
  }
}

/// Changes something so that what follows from it moves.
@MainActor public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

extension View {
  /// Moves what changes when a value changes.
  public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
    said(.animation, animation?.name ?? "none")
  }

  /// Moves what changes of the modifiers in `body` and nothing else of the view.
  public func animation<V: View>(
    _ animation: Animation?, @ViewBuilder body: (PlaceholderContentView<Self>) -> V
  ) -> some View {
    body(PlaceholderContentView(view: self))
      .said(.other("animated modifiers"), animation?.name ?? "none")
  }
}

/// The view whose modifiers are put together elsewhere.
public struct PlaceholderContentView<Value> {
  let view: any View
}

extension PlaceholderContentView: View, PrimitiveView, PluralView {
  /// There is none.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { context.child("placeholder").nodes(of: view) }
  func parts(in context: Context) -> [Part] { [Part(view, context.child("placeholder"))] }
}

@available(*, unavailable) extension PlaceholderContentView: Sendable {}

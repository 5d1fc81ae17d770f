/// An animation: recorded only, since nothing moves here.
public struct Animation: Equatable, Sendable {
  let name: String

  /// The system's default.
  public static let `default` = Animation(name: "default")
  /// Slow at both ends.
  public static let easeInOut = Animation(name: "easeInOut")
  /// Slow at the end.
  public static let easeOut = Animation(name: "easeOut")
  /// Slow at the start.
  public static let easeIn = Animation(name: "easeIn")
  /// Linear.
  public static let linear = Animation(name: "linear")

  /// Slow at both ends; the duration is in seconds.
  public static func easeInOut(duration: Double) -> Animation {
    Animation(name: "easeInOut(\(duration))")
  }

  /// Slow at the end; the duration is in seconds.
  public static func easeOut(duration: Double) -> Animation {
    Animation(name: "easeOut(\(duration))")
  }

  /// Linear; the duration is in seconds.
  public static func linear(duration: Double) -> Animation {
    Animation(name: "linear(\(duration))")
  }
}

/// Animates the effects of a change.
@MainActor public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

extension View {
  /// Animates changes of the view when a value changes.
  public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
    said(.animation, animation?.name ?? "none")
  }

  /// Animates only the modifiers in `body`.
  public func animation<V: View>(
    _ animation: Animation?, @ViewBuilder body: (PlaceholderContentView<Self>) -> V
  ) -> some View {
    body(PlaceholderContentView(view: self))
      .said(.other("animated modifiers"), animation?.name ?? "none")
  }
}

/// The view to which `body` applies modifiers.
public struct PlaceholderContentView<Value> {
  let view: any View
}

extension PlaceholderContentView: View, PrimitiveView, PluralView {
  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { context.child("placeholder").nodes(of: view) }
  func parts(in context: Context) -> [Part] { [Part(view, context.child("placeholder"))] }
}

@available(*, unavailable) extension PlaceholderContentView: Sendable {}

// How a view looks and where it stands: recorded, never drawn.

public import Foundation

extension View {
  /// The font of words.
  public func font(_ font: Font?) -> some View { inherited(.font, font?.name) }
  /// The weight of words.
  public func fontWeight(_ weight: Font.Weight?) -> some View {
    inherited(.fontWeight, weight?.name)
  }
  /// Heavy words.
  public func bold(_ isActive: Bool = true) -> some View {
    inherited(.fontWeight, isActive ? "bold" : "regular")
  }
  /// Digits that are all as wide.
  public func monospacedDigit() -> some View { inherited(.monospacedDigit, "true") }
  /// The style of words, pictures and shapes.
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
    inherited(.foregroundStyle, describe(style))
  }
  /// The colour of controls.
  public func tint<S: ShapeStyle>(_ tint: S?) -> some View {
    said(.other("tint"), tint.map { describe($0) } ?? "none")
  }
  /// How many lines at most; nil for any number.
  public func lineLimit(_ number: Int?) -> some View {
    inherited(.lineLimit, number.map { "\($0)" })
  }
  /// How small words may get to fit, 0 to 1.
  public func minimumScaleFactor(_ factor: CGFloat) -> some View {
    inherited(.minimumScaleFactor, "\(factor)")
  }
  /// Whether words are written in capitals or small letters; nil leaves them as they are.
  public func textCase(_ textCase: Text.Case?) -> some View {
    said(.other("textCase"), textCase.map { "\($0)" } ?? "none")
  }
  /// How lines stand.
  public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
    said(.other("multilineTextAlignment"), "\(alignment)")
  }

  /// A style behind.
  public func background<S: ShapeStyle>(
    _ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all
  ) -> some View { said(.background, describe(style)) }

  /// A style behind, in a shape.
  public func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View {
    said([.background: describe(style), .other("clipShape"): "\(T.self)"])
  }

  /// A view behind.
  public func background<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View { layered(content(), "behind", alignment.name) }

  /// A view on top.
  public func overlay<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View { layered(content(), "on top", alignment.name) }

  private func layered<V: View>(_ layer: V, _ place: String, _ alignment: String) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, context in
      var part = ViewNode(.modified, children: context.nodes(of: layer, at: place))
      part.attributes[.layer] = place
      part.attributes[.alignment] = alignment
      let isFirst = ["behind", "above"].contains(place)
      node.children = isFirst ? [part] + node.children : node.children + [part]
    }
    return modified
  }

  /// What lies behind a row of a list.
  public func listRowBackground<V: View>(_ view: V?) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, context in
      guard let view else { return }
      let shape = context.nodes(of: view, at: "row background").first
      node.attributes[.background] = shape?.attributes[.foregroundStyle]
    }
    return modified
  }

  /// The space around a row of a list.
  public func listRowInsets(_ insets: EdgeInsets?) -> some View {
    said(.other("listRowInsets"), "\(insets.map { "\($0)" } ?? "default")")
  }

  /// How much can be seen: 0 nothing, 1 all.
  public func opacity(_ opacity: Double) -> some View { said(.opacity, "\(opacity)") }
  /// Hides the view and keeps its room.
  public func hidden() -> some View { said(.opacity, "0.0") }
  /// Cuts the view to a shape.
  public func clipShape<S: Shape>(_ shape: S) -> some View {
    said(.other("clipShape"), "\(S.self)")
  }

  /// Space on some sides.
  public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    said(.padding, "\(edges.rawValue) \(length.map { "\($0)" } ?? "default")")
  }

  /// Space on all sides.
  public func padding(_ length: CGFloat) -> some View { padding(.all, length) }

  /// A size.
  public func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View {
    said([
      .frame: "\(width.map { "\($0)" } ?? "-")x\(height.map { "\($0)" } ?? "-")",
      .alignment: alignment.name,
    ])
  }

  /// Limits of a size.
  public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View {
    let limits = [minWidth, maxWidth, minHeight, maxHeight].map { $0.map { "\($0)" } ?? "-" }
    return said([
      .frame: "flexible", .frameLimits: limits.joined(separator: " "),
      .alignment: alignment.name,
    ])
  }

  /// As large as it wants to be.
  public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
    said(.other("fixedSize"), "\(horizontal),\(vertical)")
  }

  /// Who gets room first.
  public func layoutPriority(_ value: Double) -> some View {
    said(.other("layoutPriority"), "\(value)")
  }

  /// What can be tapped, where the view itself is smaller.
  public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View {
    said(.other("contentShape"), "\(S.self)")
  }

  /// Goes below bars.
  public func ignoresSafeArea(
    _ regions: SafeAreaRegions = .all, edges: Edge.Set = .all
  ) -> some View { said(.other("ignoresSafeArea"), "true") }

  /// A view at the edge, over which the rest scrolls.
  public func safeAreaInset<V: View>(
    edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> V
  ) -> some View { layered(content(), edge == .top ? "above" : "below", alignment.name) }

  /// Tells views of a list or an animation apart.
  public func id<ID: Hashable>(_ id: ID) -> some View { Identified(content: self, id: id) }

  /// How capital letters are typed.
  public func textInputAutocapitalization(
    _ autocapitalization: TextInputAutocapitalization?
  ) -> some View { said(.other("autocapitalization"), "set") }

  /// Whether words are corrected while they are typed.
  public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
    said(.other("autocorrectionDisabled"), "\(disable)")
  }
}

/// Parts of a screen that content usually keeps clear of.
public struct SafeAreaRegions: OptionSet, Sendable {
  /// The parts as bits.
  public let rawValue: UInt

  /// Makes parts from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Bars and corners.
  public static let container = SafeAreaRegions(rawValue: 1)
  /// The keyboard.
  public static let keyboard = SafeAreaRegions(rawValue: 2)
  /// All of them.
  public static let all = SafeAreaRegions(rawValue: .max)
}

/// How capital letters are typed.
public struct TextInputAutocapitalization: Sendable {
  /// None by itself.
  public static var never: TextInputAutocapitalization { TextInputAutocapitalization() }
  /// All of them.
  public static var characters: TextInputAutocapitalization { TextInputAutocapitalization() }
}

/// A view that is another one when its identity is another.
private struct Identified<Content: View, ID: Hashable>: View, PrimitiveView, PluralView {
  let content: Content
  let id: ID

  var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { context.nodes(of: content, at: id) }
  func parts(in context: Context) -> [Part] { [Part(content, context.child(id))] }
}

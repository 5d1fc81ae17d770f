public import Foundation

extension View {
  /// Sets the font.
  public func font(_ font: Font?) -> some View { inherited(.font, font?.name) }
  /// Sets the font weight.
  public func fontWeight(_ weight: Font.Weight?) -> some View {
    inherited(.fontWeight, weight?.name)
  }
  /// Sets text in bold.
  public func bold(_ isActive: Bool = true) -> some View {
    inherited(.fontWeight, isActive ? "bold" : "regular")
  }
  /// Sets digits of equal width.
  public func monospacedDigit() -> some View { inherited(.monospacedDigit, "true") }
  /// Sets the style of text, images and shapes.
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
    inherited(.foregroundStyle, describe(style))
  }
  /// Sets the colour of controls.
  public func tint<S: ShapeStyle>(_ tint: S?) -> some View {
    said(.other("tint"), tint.map { describe($0) } ?? "none")
  }
  /// Sets the maximum number of lines; nil for any number.
  public func lineLimit(_ number: Int?) -> some View {
    inherited(.lineLimit, number.map { "\($0)" })
  }
  /// Sets how far text may shrink to fit, 0 to 1.
  public func minimumScaleFactor(_ factor: CGFloat) -> some View {
    inherited(.minimumScaleFactor, "\(factor)")
  }
  /// Sets the letter case; nil leaves it as it is.
  public func textCase(_ textCase: Text.Case?) -> some View {
    said(.other("textCase"), textCase.map { "\($0)" } ?? "none")
  }
  /// The text alignment.
  public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
    said(.other("multilineTextAlignment"), "\(alignment)")
  }

  /// Sets a background style.
  public func background<S: ShapeStyle>(
    _ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all
  ) -> some View { said(.background, describe(style)) }

  /// Sets a background style within a shape.
  public func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View {
    said([.background: describe(style), .other("clipShape"): "\(T.self)"])
  }

  /// Sets a background view.
  public func background<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View { layered(content(), "behind", alignment.name) }

  /// Sets an overlay view.
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

  /// Sets the background of a list row.
  public func listRowBackground<V: View>(_ view: V?) -> some View {
    var modified = Modified(self)
    modified.notes.change = { node, context in
      guard let view else { return }
      let shape = context.nodes(of: view, at: "row background").first
      node.attributes[.background] = shape?.attributes[.foregroundStyle]
    }
    return modified
  }

  /// Sets the insets of a list row.
  public func listRowInsets(_ insets: EdgeInsets?) -> some View {
    said(.other("listRowInsets"), "\(insets.map { "\($0)" } ?? "default")")
  }

  /// Sets the opacity: 0 transparent, 1 opaque.
  public func opacity(_ opacity: Double) -> some View { said(.opacity, "\(opacity)") }
  /// Hides the view and keeps its space.
  public func hidden() -> some View { said(.opacity, "0.0") }
  /// Clips the view to a shape.
  public func clipShape<S: Shape>(_ shape: S) -> some View {
    said(.other("clipShape"), "\(S.self)")
  }

  /// Adds padding to some edges.
  public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    said(.padding, "\(edges.rawValue) \(length.map { "\($0)" } ?? "default")")
  }

  /// Adds padding to all edges.
  public func padding(_ length: CGFloat) -> some View { padding(.all, length) }

  /// Sets a fixed size.
  public func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View {
    said([
      .frame: "\(width.map { "\($0)" } ?? "-")x\(height.map { "\($0)" } ?? "-")",
      .alignment: alignment.name,
    ])
  }

  /// Sets size limits.
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

  /// Fixes the view at its ideal size.
  public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
    said(.other("fixedSize"), "\(horizontal),\(vertical)")
  }

  /// Sets the layout priority.
  public func layoutPriority(_ value: Double) -> some View {
    said(.other("layoutPriority"), "\(value)")
  }

  /// Sets the area for taps.
  public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View {
    said(.other("contentShape"), "\(S.self)")
  }

  /// Extends below bars.
  public func ignoresSafeArea(
    _ regions: SafeAreaRegions = .all, edges: Edge.Set = .all
  ) -> some View { said(.other("ignoresSafeArea"), "true") }

  /// Places a view at the edge, over which the rest scrolls.
  public func safeAreaInset<V: View>(
    edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> V
  ) -> some View { layered(content(), edge == .top ? "above" : "below", alignment.name) }

  /// Sets the view's identity.
  public func id<ID: Hashable>(_ id: ID) -> some View { Identified(content: self, id: id) }

  /// Sets automatic capitalization.
  public func textInputAutocapitalization(
    _ autocapitalization: TextInputAutocapitalization?
  ) -> some View { said(.other("autocapitalization"), "set") }

  /// Disables autocorrection.
  public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
    said(.other("autocorrectionDisabled"), "\(disable)")
  }
}

/// Regions that content usually avoids.
public struct SafeAreaRegions: OptionSet, Sendable {
  /// The raw bits.
  public let rawValue: UInt

  /// Creates parts from raw bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Bars and corners.
  public static let container = SafeAreaRegions(rawValue: 1)
  /// The keyboard.
  public static let keyboard = SafeAreaRegions(rawValue: 2)
  /// All.
  public static let all = SafeAreaRegions(rawValue: .max)
}

/// Sets automatic capitalization.
public struct TextInputAutocapitalization: Sendable {
  /// No automatic capitalization.
  public static var never: TextInputAutocapitalization { TextInputAutocapitalization() }
  /// All.
  public static var characters: TextInputAutocapitalization { TextInputAutocapitalization() }
}

/// A view whose state resets when its identity changes.
private struct Identified<Content: View, ID: Hashable>: View, PrimitiveView, PluralView {
  let content: Content
  let id: ID

  var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] { context.nodes(of: content, at: id) }
  func parts(in context: Context) -> [Part] { [Part(content, context.child(id))] }
}

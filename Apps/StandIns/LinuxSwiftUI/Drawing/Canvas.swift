public import Foundation

/// A command of a drawing, recorded so that a test sees what is drawn where.
@_spi(Host) public enum DrawCommand: Equatable, Sendable {
  /// A filled area, its rectangle and style.
  case fill(CGRect, String)
  /// Stroked lines: the rectangle of all points, style and width.
  case stroke(CGRect, String, lineWidth: CGFloat)
  /// A text at a point.
  case text(String, CGPoint)
}

/// A step of a drawing with everything needed to draw it again.
@_spi(Host) public struct PaintStep: Equatable, Sendable {
  /// The content of a step.
  public enum Content: Equatable, Sendable {
    case fill(Path)
    case stroke(Path, StrokeStyle)
    /// A text in a font, with its anchor at a point.
    case text(String, font: String?, at: CGPoint, anchor: UnitPoint)
  }

  /// The content, in the drawing's coordinates.
  public let content: Content
  /// The colour or style.
  public let style: String
  /// The area outside of which nothing is painted; nil for no clip.
  public let clip: Path?

  /// The command as a test compares it.
  public var command: DrawCommand {
    switch content {
    case .fill(let path): .fill(path.boundingRect, style)
    case .stroke(let path, let stroke):
      .stroke(path.boundingRect, style, lineWidth: stroke.lineWidth)
    case .text(let text, _, let point, _): .text(text, point)
    }
  }
}

final class DrawRecorder {
  var steps: [PaintStep] = []
}

/// Records the commands of a drawing.
public struct GraphicsContext {
  /// A colour or style of a fill or a stroke.
  public struct Shading: Sendable {
    let description: String

    /// A colour.
    public static func color(_ color: Color) -> Shading { Shading(description: color.name) }
    /// A style.
    public static func style<S: ShapeStyle>(_ style: S) -> Shading {
      Shading(description: describe(style))
    }
    /// The style around the drawing.
    public static var foreground: Shading { Shading(description: "foreground") }
  }

  /// A resolved text.
  public struct ResolvedText {
    let text: String
    let font: String?
    /// The text's shading.
    public var shading: Shading

    /// The text's size; an estimate, since nothing is measured here.
    public func measure(in size: CGSize) -> CGSize {
      CGSize(width: min(size.width, CGFloat(text.count) * 7), height: 14)
    }
  }

  let recorder: DrawRecorder
  /// The opacity, 0 to 1.
  public var opacity: Double = 1
  /// The environment.
  public let environment: EnvironmentValues
  private var offset = CGPoint.zero
  private var clip: Path?

  init(recorder: DrawRecorder, environment: EnvironmentValues) {
    self.recorder = recorder
    self.environment = environment
  }

  private func shaded(_ shading: Shading) -> String {
    opacity == 1 ? shading.description : "\(shading.description)@\(opacity)"
  }

  private func record(_ content: PaintStep.Content, _ style: String) {
    recorder.steps.append(PaintStep(content: content, style: style, clip: clip))
  }

  /// Fills a path.
  public func fill(_ path: Path, with shading: Shading) {
    record(.fill(path.moved(by: offset)), shaded(shading))
  }

  /// Strokes a path.
  public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {
    stroke(path, with: shading, style: StrokeStyle(lineWidth: lineWidth))
  }

  /// Strokes a path.
  public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {
    record(.stroke(path.moved(by: offset), style), shaded(shading))
  }

  /// Resolves a text.
  public func resolve(_ text: Text) -> ResolvedText {
    ResolvedText(
      text: text.text, font: text.attributes[.font] ?? environment.inherited[.font],
      shading: .foreground)
  }

  /// Draws a text at a point.
  public func draw(_ text: ResolvedText, at point: CGPoint, anchor: UnitPoint = .center) {
    let place = CGPoint(x: point.x + offset.x, y: point.y + offset.y)
    record(.text(text.text, font: text.font, at: place, anchor: anchor), shaded(text.shading))
  }

  /// Draws a text at a point.
  public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {
    draw(resolve(text), at: point, anchor: anchor)
  }

  /// Translates all later commands.
  public mutating func translateBy(x: CGFloat, y: CGFloat) {
    offset = CGPoint(x: offset.x + x, y: offset.y + y)
  }

  /// Clips all later commands; recorded commands keep their full size.
  public mutating func clip(to path: Path) { clip = path.moved(by: offset) }

  /// Draws on a separate layer.
  public func drawLayer(content: (inout GraphicsContext) throws -> Void) rethrows {
    var layer = self
    try content(&layer)
  }
}

/// A colour rendering mode.
public enum ColorRenderingMode: Hashable, Sendable {
  case nonLinear
  case linear
}

/// A drawing.
@MainActor @preconcurrency public struct Canvas<Symbols: View>: View {
  /// Draws into a size, in points.
  public var renderer: (inout GraphicsContext, CGSize) -> Void

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension Canvas where Symbols == EmptyView {
  /// A drawing.
  public init(
    opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear,
    rendersAsynchronously: Bool = false,
    renderer: @escaping (inout GraphicsContext, CGSize) -> Void
  ) { self.renderer = renderer }
}

extension Canvas: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    let recorder = DrawRecorder()
    var graphics = GraphicsContext(recorder: recorder, environment: context.environment)
    renderer(&graphics, context.host.size)
    var node = ViewNode(.canvas)
    node.painting = recorder.steps
    node.size = context.host.size
    return [node]
  }
}

/// A view's geometry.
public struct GeometryProxy {
  /// The size.
  public let size: CGSize
  /// The safe area's insets.
  public var safeAreaInsets: EdgeInsets { EdgeInsets() }
}

/// A view that reads its size.
@MainActor @preconcurrency public struct GeometryReader<Content: View>: View {
  /// Builds the view for a size.
  public var content: (GeometryProxy) -> Content

  /// Builds a view for a size.
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {
    self.content = content
  }

  /// Unavailable: the view has no body.
  public var body: Never { neverBody() }
}

extension GeometryReader: PrimitiveView {
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.modified)
    node.attributes[.layout] = "geometry"
    node.size = context.host.size
    node.children = context.nodes(
      of: content(GeometryProxy(size: context.host.size)), at: "content")
    return [node]
  }
}

// Not Sendable, as in Apple's interface.
@available(*, unavailable) extension Canvas: Sendable {}
@available(*, unavailable) extension GeometryReader: Sendable {}

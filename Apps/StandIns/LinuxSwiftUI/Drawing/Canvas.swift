// Drawings: every command is recorded, so a test sees what is drawn where.

public import Foundation

/// A command of a drawing.
@_spi(Host) public enum DrawCommand: Equatable, Sendable {
  /// An area, where it is, and its style.
  case fill(CGRect, String)
  /// Lines, all their points' rectangle, their style and width.
  case stroke(CGRect, String, lineWidth: CGFloat)
  /// Words at a point.
  case text(String, CGPoint)
}

/// A step of a drawing with all that is needed to draw it again.
@_spi(Host) public struct PaintStep: Equatable, Sendable {
  /// What is painted.
  public enum Content: Equatable, Sendable {
    /// The inside of a path.
    case fill(Path)
    /// A path's lines.
    case stroke(Path, StrokeStyle)
    /// Words in a font, a part of which stands at a point.
    case text(String, font: String?, at: CGPoint, anchor: UnitPoint)
  }

  /// What is painted, where the drawing says.
  public let content: Content
  /// Its colour or style.
  public let style: String
  /// The area outside of which nothing is painted.
  public let clip: Path?

  /// The step as a test counts it.
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

/// Takes the commands of a drawing.
public struct GraphicsContext {
  /// How an area or a line is coloured.
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

  /// Words, ready to be drawn.
  public struct ResolvedText {
    let text: String
    let font: String?
    /// How the words are coloured.
    public var shading: Shading

    /// How much room the words take; a guess, since nothing is measured here.
    public func measure(in size: CGSize) -> CGSize {
      CGSize(width: min(size.width, CGFloat(text.count) * 7), height: 14)
    }
  }

  let recorder: DrawRecorder
  /// How much can be seen of what is drawn, 0 to 1.
  public var opacity: Double = 1
  /// What the drawing inherits.
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

  /// Draws an area.
  public func fill(_ path: Path, with shading: Shading) {
    record(.fill(path.moved(by: offset)), shaded(shading))
  }

  /// Draws lines.
  public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {
    stroke(path, with: shading, style: StrokeStyle(lineWidth: lineWidth))
  }

  /// Draws lines.
  public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {
    record(.stroke(path.moved(by: offset), style), shaded(shading))
  }

  /// Makes words ready to be drawn.
  public func resolve(_ text: Text) -> ResolvedText {
    ResolvedText(
      text: text.text, font: text.attributes[.font] ?? environment.inherited[.font],
      shading: .foreground)
  }

  /// Draws words at a point.
  public func draw(_ text: ResolvedText, at point: CGPoint, anchor: UnitPoint = .center) {
    let place = CGPoint(x: point.x + offset.x, y: point.y + offset.y)
    record(.text(text.text, font: text.font, at: place, anchor: anchor), shaded(text.shading))
  }

  /// Draws words at a point.
  public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {
    draw(resolve(text), at: point, anchor: anchor)
  }

  /// Moves what is drawn from here on.
  public mutating func translateBy(x: CGFloat, y: CGFloat) {
    offset = CGPoint(x: offset.x + x, y: offset.y + y)
  }

  /// Cuts what is drawn from here on to an area; recorded commands keep their full size.
  public mutating func clip(to path: Path) { clip = path.moved(by: offset) }

  /// Draws on a layer of its own.
  public func drawLayer(content: (inout GraphicsContext) throws -> Void) rethrows {
    var layer = self
    try content(&layer)
  }
}

/// What lies below the words of a drawing.
public enum ColorRenderingMode: Hashable, Sendable {
  /// As it is seen.
  case nonLinear
  /// As it is measured.
  case linear
}

/// A drawing.
@MainActor @preconcurrency public struct Canvas<Symbols: View>: View {
  /// Draws into a size.
  public var renderer: (inout GraphicsContext, CGSize) -> Void

  /// There is none.
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

/// What a view knows of its size.
public struct GeometryProxy {
  /// The size.
  public let size: CGSize
  /// Space that bars and corners take.
  public var safeAreaInsets: EdgeInsets { EdgeInsets() }
}

/// A view that depends on its size.
@MainActor @preconcurrency public struct GeometryReader<Content: View>: View {
  /// Makes the view for a size.
  public var content: (GeometryProxy) -> Content

  /// Makes a view for a size.
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {
    self.content = content
  }

  /// There is none.
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

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension Canvas: Sendable {}
@available(*, unavailable) extension GeometryReader: Sendable {}

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

final class DrawRecorder {
  var commands: [DrawCommand] = []
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

  init(recorder: DrawRecorder, environment: EnvironmentValues) {
    self.recorder = recorder
    self.environment = environment
  }

  private func placed(_ rect: CGRect) -> CGRect {
    CGRect(
      x: rect.origin.x + offset.x, y: rect.origin.y + offset.y, width: rect.size.width,
      height: rect.size.height)
  }

  private func shaded(_ shading: Shading) -> String {
    opacity == 1 ? shading.description : "\(shading.description)@\(opacity)"
  }

  /// Draws an area.
  public func fill(_ path: Path, with shading: Shading) {
    recorder.commands.append(.fill(placed(path.boundingRect), shaded(shading)))
  }

  /// Draws lines.
  public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {
    recorder.commands.append(
      .stroke(placed(path.boundingRect), shaded(shading), lineWidth: lineWidth))
  }

  /// Draws lines.
  public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {
    stroke(path, with: shading, lineWidth: style.lineWidth)
  }

  /// Makes words ready to be drawn.
  public func resolve(_ text: Text) -> ResolvedText {
    ResolvedText(text: text.text, shading: .foreground)
  }

  /// Draws words at a point.
  public func draw(_ text: ResolvedText, at point: CGPoint, anchor: UnitPoint = .center) {
    recorder.commands.append(
      .text(text.text, CGPoint(x: point.x + offset.x, y: point.y + offset.y)))
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
  public mutating func clip(to path: Path) {}

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
    node.drawing = recorder.commands
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
    context.nodes(of: content(GeometryProxy(size: context.host.size)), at: "content")
  }
}

// Not to be handed to other threads, as in Apple's interface.
@available(*, unavailable) extension Canvas: Sendable {}
@available(*, unavailable) extension GeometryReader: Sendable {}

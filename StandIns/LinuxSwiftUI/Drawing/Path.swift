// Lines and areas.

public import Foundation

/// Lines and areas.
public struct Path: Equatable, Sendable {
  /// A step of a path.
  public enum Element: Equatable, Sendable {
    /// Goes somewhere without drawing.
    case move(to: CGPoint)
    /// A straight line.
    case line(to: CGPoint)
    /// A curve with one control point.
    case quadCurve(to: CGPoint, control: CGPoint)
    /// A curve with two control points.
    case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
    /// Back to where the last move went.
    case closeSubpath
  }

  var elements: [Element] = []

  /// Nothing.
  public init() {}

  /// A rectangle.
  public init(_ rect: CGRect) { addRect(rect) }

  /// An ellipse within a rectangle; recorded as that rectangle.
  public init(ellipseIn rect: CGRect) { addRect(rect) }

  /// A rectangle with round corners; recorded as that rectangle.
  public init(roundedRect rect: CGRect, cornerRadius: CGFloat) { addRect(rect) }

  /// What a closure adds.
  public init(_ callback: (inout Path) -> Void) {
    callback(&self)
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { elements.isEmpty }

  /// The smallest rectangle around all points.
  public var boundingRect: CGRect {
    let points = elements.compactMap { element -> CGPoint? in
      switch element {
      case .move(let point), .line(let point), .quadCurve(let point, _), .curve(let point, _, _):
        point
      case .closeSubpath: nil
      }
    }
    guard let first = points.first else { return .zero }
    var (low, high) = (first, first)
    for point in points {
      low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  /// Does something with each step.
  public func forEach(_ body: (Path.Element) -> Void) { elements.forEach(body) }

  /// Goes somewhere without drawing.
  public mutating func move(to end: CGPoint) { elements.append(.move(to: end)) }
  /// A straight line.
  public mutating func addLine(to end: CGPoint) { elements.append(.line(to: end)) }
  /// Straight lines.
  public mutating func addLines(_ lines: [CGPoint]) {
    guard let first = lines.first else { return }
    move(to: first)
    for point in lines.dropFirst() { addLine(to: point) }
  }
  /// A rectangle.
  public mutating func addRect(_ rect: CGRect) {
    let (right, bottom) = (rect.origin.x + rect.size.width, rect.origin.y + rect.size.height)
    move(to: rect.origin)
    addLine(to: CGPoint(x: right, y: rect.origin.y))
    addLine(to: CGPoint(x: right, y: bottom))
    addLine(to: CGPoint(x: rect.origin.x, y: bottom))
    closeSubpath()
  }
  /// Back to where the last move went.
  public mutating func closeSubpath() { elements.append(.closeSubpath) }
}

/// How a line is drawn.
public struct StrokeStyle: Equatable, Sendable {
  /// How wide.
  public var lineWidth: CGFloat
  /// Lengths of strokes and gaps.
  public var dash: [CGFloat]

  /// A line.
  public init(lineWidth: CGFloat = 1, dash: [CGFloat] = [CGFloat]()) {
    self.lineWidth = lineWidth
    self.dash = dash
  }
}

/// An area that fits itself into a rectangle.
nonisolated public protocol Shape: Sendable, View {
  /// The area within a rectangle.
  func path(in rect: CGRect) -> Path
}

extension Shape {
  /// The area in a style.
  public func fill<S: ShapeStyle>(_ content: S) -> some View { ShapeView(style: describe(content)) }

  /// The border in a style.
  public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View {
    ShapeView(style: describe(content))
  }

  /// A shape alone is filled with the style around it.
  public var body: some View { ShapeView(style: nil) }
}

struct ShapeView: View, PrimitiveView {
  let style: String?

  var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.shape)
    let inherited = context.environment.inherited[.foregroundStyle]
    node.attributes[.foregroundStyle] = style ?? inherited
    return [node]
  }
}

/// A rectangle.
public struct Rectangle: Shape {
  /// Makes it.
  public nonisolated init() {}
  /// The rectangle itself.
  public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
}

/// A rectangle with round corners.
public struct RoundedRectangle: Shape {
  /// How round.
  public var cornerSize: CGSize

  /// Makes it.
  public nonisolated init(cornerRadius: CGFloat) {
    cornerSize = CGSize(width: cornerRadius, height: cornerRadius)
  }
  /// The rectangle.
  public nonisolated func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: cornerSize.width)
  }
}

/// A rectangle with half circles at its ends.
public struct Capsule: Shape {
  /// Makes it.
  public nonisolated init() {}
  /// The rectangle.
  public nonisolated func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: rect.size.height / 2)
  }
}

/// A circle.
public struct Circle: Shape {
  /// Makes it.
  public nonisolated init() {}
  /// The circle.
  public nonisolated func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
}

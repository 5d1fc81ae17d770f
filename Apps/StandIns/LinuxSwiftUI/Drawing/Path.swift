public import Foundation

/// A path of lines and curves.
public struct Path: Equatable, Sendable {
  /// An element of a path.
  public enum Element: Equatable, Sendable {
    case move(to: CGPoint)
    case line(to: CGPoint)
    case quadCurve(to: CGPoint, control: CGPoint)
    /// A curve with two control points.
    case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
    case closeSubpath
  }

  var elements: [Element] = []

  /// An empty path.
  public init() {}

  /// A rectangle.
  public init(_ rect: CGRect) { addRect(rect) }

  /// An ellipse within a rectangle.
  public init(ellipseIn rect: CGRect) {
    addRounded(rect, CGSize(width: rect.size.width / 2, height: rect.size.height / 2))
  }

  /// A rectangle with round corners.
  public init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
    let radius = min(max(0, cornerRadius), rect.size.width / 2, rect.size.height / 2)
    addRounded(rect, CGSize(width: radius, height: radius))
  }

  /// Corners as curves that end on all four sides.
  private mutating func addRounded(_ rect: CGRect, _ corner: CGSize) {
    // Distance of a quarter circle's control points from the corner, as a share of the radius.
    let share = 0.4477
    let (left, top) = (rect.origin.x, rect.origin.y)
    let (right, bottom) = (left + rect.size.width, top + rect.size.height)
    func point(_ x: CGFloat, _ y: CGFloat) -> CGPoint { CGPoint(x: x, y: y) }
    let (w, h) = (corner.width, corner.height)
    move(to: point(left + w, top))
    addLine(to: point(right - w, top))
    elements.append(
      .curve(
        to: point(right, top + h), control1: point(right - w * share, top),
        control2: point(right, top + h * share)))
    addLine(to: point(right, bottom - h))
    elements.append(
      .curve(
        to: point(right - w, bottom), control1: point(right, bottom - h * share),
        control2: point(right - w * share, bottom)))
    addLine(to: point(left + w, bottom))
    elements.append(
      .curve(
        to: point(left, bottom - h), control1: point(left + w * share, bottom),
        control2: point(left, bottom - h * share)))
    addLine(to: point(left, top + h))
    elements.append(
      .curve(
        to: point(left + w, top), control1: point(left, top + h * share),
        control2: point(left + w * share, top)))
    closeSubpath()
  }

  func moved(by offset: CGPoint) -> Path {
    guard offset != .zero else { return self }
    func at(_ point: CGPoint) -> CGPoint {
      CGPoint(x: point.x + offset.x, y: point.y + offset.y)
    }
    var path = Path()
    path.elements = elements.map { element in
      switch element {
      case .move(let point): .move(to: at(point))
      case .line(let point): .line(to: at(point))
      case .quadCurve(let point, let control): .quadCurve(to: at(point), control: at(control))
      case .curve(let point, let first, let second):
        .curve(to: at(point), control1: at(first), control2: at(second))
      case .closeSubpath: .closeSubpath
      }
    }
    return path
  }

  /// The path that a closure draws.
  public init(_ callback: (inout Path) -> Void) {
    callback(&self)
  }

  /// Whether the path has no elements.
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

  /// Calls a closure with each element.
  public func forEach(_ body: (Path.Element) -> Void) { elements.forEach(body) }

  /// Starts a new subpath at a point.
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
  /// Adds a line back to the subpath's start.
  public mutating func closeSubpath() { elements.append(.closeSubpath) }
}

/// A line style.
public struct StrokeStyle: Equatable, Sendable {
  /// The width.
  public var lineWidth: CGFloat
  /// Lengths of dashes and gaps.
  public var dash: [CGFloat]

  /// A line.
  public init(lineWidth: CGFloat = 1, dash: [CGFloat] = [CGFloat]()) {
    self.lineWidth = lineWidth
    self.dash = dash
  }
}

/// A shape that fits into a rectangle.
nonisolated public protocol Shape: Sendable, View {
  func path(in rect: CGRect) -> Path
}

extension Shape {
  /// Fills the shape with a style.
  public func fill<S: ShapeStyle>(_ content: S) -> some View {
    ShapeView(style: describe(content), name: "\(Self.self)")
  }

  /// Strokes the border with a style.
  public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View {
    ShapeView(style: describe(content), name: "\(Self.self)", isBorder: true)
  }

  /// A shape alone is filled with the inherited style.
  public var body: some View { ShapeView(style: nil, name: "\(Self.self)") }
}

struct ShapeView: View, PrimitiveView {
  let style: String?
  let name: String
  var isBorder = false

  var body: Never { neverBody() }
  func nodes(in context: Context) -> [ViewNode] {
    var node = ViewNode(.shape)
    let inherited = context.environment.inherited[.foregroundStyle]
    node.attributes[.foregroundStyle] = style ?? inherited
    node.attributes[.other("shape")] = name + (isBorder ? " border" : "")
    return [node]
  }
}

/// A rectangle.
public struct Rectangle: Shape {
  /// Creates an instance.
  public nonisolated init() {}
  /// The rectangle's path.
  public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
}

/// A rectangle with round corners.
public struct RoundedRectangle: Shape {
  /// The corner size.
  public var cornerSize: CGSize

  /// Creates an instance.
  public nonisolated init(cornerRadius: CGFloat) {
    cornerSize = CGSize(width: cornerRadius, height: cornerRadius)
  }
  /// The rounded rectangle's path.
  public nonisolated func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: cornerSize.width)
  }
}

/// A rectangle with semicircular ends.
public struct Capsule: Shape {
  /// Creates an instance.
  public nonisolated init() {}
  /// The capsule's path.
  public nonisolated func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: rect.size.height / 2)
  }
}

/// A circle.
public struct Circle: Shape {
  /// Creates an instance.
  public nonisolated init() {}
  /// The circle's path.
  public nonisolated func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
}

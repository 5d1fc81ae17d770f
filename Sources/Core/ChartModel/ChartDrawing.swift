public import MarketModel

/// A point of a drawing.
public struct ChartPoint: Hashable, Sendable {
  /// Milliseconds since 1970.
  public var time: Int64
  /// The price.
  public var price: Price

  /// Creates a point; the time is clamped to ``CandleSeries/maximumTime``.
  public init(time: Int64, price: Price) {
    self.time = max(-CandleSeries.maximumTime, min(time, CandleSeries.maximumTime))
    self.price = price
  }
}

/// A line that the user drew: at a price, or between two points.
public struct ChartDrawing: Hashable, Sendable {
  /// A part of a drawing.
  public enum Part: UInt8, Sendable {
    case whole
    case start
    case end
  }

  /// Its start; a horizontal line passes through it.
  public var start: ChartPoint
  /// Its end; nil for a horizontal line.
  public var end: ChartPoint?

  /// Creates a horizontal line, or a line between two points.
  public init(start: ChartPoint, end: ChartPoint? = nil) {
    self.start = start
    self.end = end
  }
}

/// A drawn line in pixels.
public struct DrawingMark: Hashable, Sendable {
  /// X of its first point.
  public var startX: Float
  /// Y of its first point, from the top.
  public var startY: Float
  /// X of its second point; the first point's for a horizontal line.
  public var endX: Float
  /// Y of its second point, from the top.
  public var endY: Float
}

extension ChartScene {
  /// The most drawings of a chart.
  public static let maximumDrawings = 64

  /// Marks the drawings in their own order, including those outside the view.
  mutating func placeDrawings(_ axis: PriceAxis) {
    for drawing in drawings.prefix(ChartScene.maximumDrawings) {
      let end = drawing.end ?? drawing.start
      list.drawings.append(
        DrawingMark(
          startX: Float(viewport.x(of: Double(drawing.start.time))),
          startY: Float(axis.y(of: drawing.start.price)),
          endX: Float(viewport.x(of: Double(end.time))), endY: Float(axis.y(of: end.price))))
    }
  }

  /// The drawing nearest to a point of the latest picture, within a distance; nil without one.
  public func drawing(atX x: Double, y: Double, within pixels: Double) -> Int? {
    var found: (index: Int, square: Double)?
    for (index, mark) in list.drawings.enumerated() {
      let square =
        drawings[index].end == nil
        ? (Double(mark.startY) - y) * (Double(mark.startY) - y) : mark.squareDistance(x, y)
      if square <= pixels * pixels, square < found?.square ?? .infinity { found = (index, square) }
    }
    return found?.index
  }

  /// Moves part of a drawing by pixels of the latest picture; prices snap to ticks.
  public mutating func moveDrawing(
    _ index: Int, _ part: ChartDrawing.Part, byX x: Double, y: Double
  ) {
    guard let axis, x.isFinite, y.isFinite, drawings.indices.contains(index) else { return }
    let milliseconds = ChartScene.time(x * viewport.millisecondsPerPixel)
    drawings[index] = drawings[index].moving(part) { point in
      ChartPoint(
        time: saturatingSum(point.time, milliseconds),
        price: snapped(axis.price(atY: axis.y(of: point.price) + y)))
    }
  }

  /// Moves part of a drawing by drawn candles and ticks.
  public mutating func stepDrawing(
    _ index: Int, _ part: ChartDrawing.Part, candles: Int32, ticks: Int32
  ) {
    guard drawings.indices.contains(index) else { return }
    let milliseconds = Int64(candles) * drawn.milliseconds
    let (units, overflow) = max(1, tick).multipliedReportingOverflow(by: Int64(ticks))
    drawings[index] = drawings[index].moving(part) { point in
      ChartPoint(
        time: saturatingSum(point.time, milliseconds),
        price: Price(units: saturatingSum(point.price.units, overflow ? 0 : units)))
    }
  }
}

extension ChartDrawing {
  fileprivate func moving(_ part: Part, _ move: (ChartPoint) -> ChartPoint) -> ChartDrawing {
    var drawing = self
    if part != .end { drawing.start = move(start) }
    if part != .start { drawing.end = end.map(move) }
    return drawing
  }
}

extension DrawingMark {
  fileprivate func squareDistance(_ x: Double, _ y: Double) -> Double {
    let (left, top) = (Double(startX), Double(startY))
    let (width, height) = (Double(endX) - left, Double(endY) - top)
    let length = width * width + height * height
    let share = length > 0 ? ((x - left) * width + (y - top) * height) / length : 0
    let along = min(max(share, 0), 1)
    let (dx, dy) = (x - left - along * width, y - top - along * height)
    return dx * dx + dy * dy
  }
}

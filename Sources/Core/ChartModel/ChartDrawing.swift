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

/// What the user drew: at one point, or between two.
public struct ChartDrawing: Hashable, Sendable {
  /// The shape of a drawing.
  public enum Kind: UInt8, Sendable {
    /// A horizontal line.
    case level
    /// A line between two points.
    case trend
    /// A line that begins at its start and passes through its end.
    case ray
    case rectangle
    /// Fibonacci levels, from the end back to the start.
    case retracement
    /// Words at a point, which the page draws.
    case text
    /// A rectangle with the distance between its corners.
    case measure

    /// Whether it has an end.
    public var hasEnd: Bool { self != .level && self != .text }
  }

  /// A part of a drawing.
  public enum Part: UInt8, Sendable {
    case whole
    case start
    case end
  }

  /// Its shape.
  public let kind: Kind
  /// Its start; a horizontal line passes through it.
  public var start: ChartPoint
  /// Its end; nil for a drawing at one point.
  public var end: ChartPoint?

  /// Creates a drawing of a kind.
  ///
  /// Nil if the kind needs another number of points.
  public init?(_ kind: Kind, start: ChartPoint, end: ChartPoint?) {
    guard kind.hasEnd == (end != nil) else { return nil }
    self.kind = kind
    self.start = start
    self.end = end
  }

  /// Creates a horizontal line, or a line between two points.
  public init(start: ChartPoint, end: ChartPoint? = nil) {
    kind = end == nil ? .level : .trend
    self.start = start
    self.end = end
  }

  /// The thousandths of a retracement's levels.
  static let levels: [Int32] = [0, 236, 382, 500, 618, 786, 1000]

  /// The price of a retracement's level on a tick: that of its end for 0, of its start for 1000.
  func price(ofLevel thousandths: Int32, tick: Int64) -> Price {
    guard let end, thousandths != 0 else { return end?.price ?? start.price }
    if thousandths == 1000 { return start.price }
    let (from, to) = (Double(end.price.units), Double(start.price.units))
    let units = from + (to - from) * Double(thousandths) / 1000
    guard abs(units) + Double(tick) < 9e18 else { return start.price }
    let ticks = units / Double(tick)
    return Price(units: Int64(ticks < 0 ? ticks - 0.5 : ticks + 0.5) * tick)
  }
}

/// A drawing in pixels, or one level of a retracement, which follows all drawings.
public struct DrawingMark: Hashable, Sendable {
  /// X of its first point.
  public var startX: Float
  /// Y of its first point, from the top.
  public var startY: Float
  /// X of its second point; the first point's for a horizontal line.
  public var endX: Float
  /// Y of its second point, from the top.
  public var endY: Float
  /// The thousandths of a retracement's level; -1 for a drawing.
  public var level: Int32 = -1
  /// Its shape.
  public var kind: ChartDrawing.Kind
  /// The number of its drawing.
  public var drawing: UInt16
  /// The price at its end.
  public var price: Price
}

extension ChartScene {
  /// The most drawings of a chart.
  public static let maximumDrawings = 64

  /// Marks the drawings in their own order, including those outside the view, then the levels.
  mutating func placeDrawings(_ axis: PriceAxis) {
    for (index, drawing) in drawings.prefix(ChartScene.maximumDrawings).enumerated() {
      let end = drawing.end ?? drawing.start
      list.drawings.append(
        DrawingMark(
          startX: Float(viewport.x(of: Double(drawing.start.time))),
          startY: Float(axis.y(of: drawing.start.price)),
          endX: Float(viewport.x(of: Double(end.time))), endY: Float(axis.y(of: end.price)),
          kind: drawing.kind, drawing: UInt16(index), price: end.price))
    }
    for index in list.drawings.indices where drawings[index].kind == .retracement {
      for level in ChartDrawing.levels {
        var mark = list.drawings[index]
        mark.level = level
        mark.price = drawings[index].price(ofLevel: level, tick: max(1, tick))
        mark.startY = Float(axis.y(of: mark.price))
        mark.endY = mark.startY
        list.drawings.append(mark)
      }
    }
  }

  /// The drawing nearest to a point of the latest picture, within a distance; nil without one.
  public func drawing(atX x: Double, y: Double, within pixels: Double) -> Int? {
    var found: (index: Int, square: Double)?
    for mark in list.drawings {
      let square = mark.squareDistance(x, y)
      guard square <= pixels * pixels, square < found?.square ?? .infinity else { continue }
      found = (Int(mark.drawing), square)
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
    let (right, bottom) = (Double(endX), Double(endY))
    switch kind {
    case .level: return (top - y) * (top - y)
    case .rectangle, .measure:
      let corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
      return corners.indices.map {
        ChartSegment(from: corners[$0], to: corners[($0 + 1) % 4]).squareDistance(x, y)
      }.min() ?? .infinity
    case .trend, .ray, .retracement, .text:
      return ChartSegment(from: (left, top), to: (right, bottom))
        .squareDistance(x, y, isEndless: kind == .ray)
    }
  }
}

/// A straight line between two points.
private struct ChartSegment {
  let from: (x: Double, y: Double)
  let to: (x: Double, y: Double)

  /// The squared distance of a point; an endless line goes on behind its end.
  func squareDistance(_ x: Double, _ y: Double, isEndless: Bool = false) -> Double {
    let (width, height) = (to.x - from.x, to.y - from.y)
    let length = width * width + height * height
    let share = length > 0 ? ((x - from.x) * width + (y - from.y) * height) / length : 0
    let along = min(max(share, 0), isEndless ? .infinity : 1)
    let (dx, dy) = (x - from.x - along * width, y - from.y - along * height)
    return dx * dx + dy * dy
  }
}

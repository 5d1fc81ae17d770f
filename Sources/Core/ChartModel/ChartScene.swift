// Series and viewport become a draw list. The work is proportional to what is visible: a coarser
// interval stands in where several candles share a pixel. In the steady state nothing is allocated.

public import MarketModel

/// How prices are drawn.
public enum ChartStyle: UInt8, Sendable {
  /// Open, high, low and close.
  case candles
  /// A line through the closes.
  case line
}

/// A chart: its candles, what it shows of them, and the picture of that.
///
/// Pixels are those of the screen; lengths that people see are scaled by ``pixelRatio``.
public struct ChartScene: Sendable {
  /// Room right of the newest candle while the chart follows it.
  public static let liveMarginPixels = 24.0
  /// The most fills that are marked.
  public static let maximumFills = 4096
  /// The part of the height that volume bars may fill.
  private static let volumeShare = 0.16
  /// Widest body of a candle.
  private static let maximumBodyPixels = 48.0

  /// The candles.
  public var series: CandleSeries
  /// What is shown of them.
  public var viewport: Viewport
  /// Candles or line.
  public var style = ChartStyle.candles
  /// The person's own fills, in any order; the first ``maximumFills`` are marked.
  public var fills: [ChartFill] = [] {
    didSet { fillsAreSorted = false }
  }
  /// The person's waiting orders; the first ``maximumOrders`` are drawn.
  public var orders: [ChartOrder] = []
  /// The prices that the person's alerts wait for; the first ``maximumAlerts`` are drawn.
  public var alerts: [Price] = []
  /// The lines that the person drew; the first ``maximumDrawings`` are drawn.
  public var drawings: [ChartDrawing] = []
  /// Which studies are drawn.
  public var studies = StudyChoice()
  /// How prices are laid over the height.
  public var scale = PriceScale.linear
  /// The prices that the person chose to see; nil when the candles in view choose them.
  public internal(set) var range: PriceRange?
  /// The smallest step of a price in units, at least 1.
  public var tick: Int64 = 1
  /// The clock that the times are read on.
  public var zone = ZoneOffsets.utc
  /// Since when nothing can be heard; nil while the feed is up.
  ///
  /// That stretch is shaded to the right edge.
  public var interruptedSince: Int64?
  /// Pixels of the screen in one pixel of the style sheet.
  public internal(set) var pixelRatio = 1.0
  /// The interval that the person chose.
  public internal(set) var shown: CandleInterval

  /// The fills in the order of time, as far as ``fillsAreSorted``.
  var sortedFills: [ChartFill] = []
  var fillsAreSorted = true

  /// The latest picture.
  public internal(set) var list = DrawList()
  /// The interval of the candles in the latest picture: ``shown`` or a coarser one.
  public private(set) var drawn: CandleInterval
  /// The vertical scale of the latest picture; nil when nothing is visible.
  public private(set) var axis: PriceAxis?
  /// Where the right edge of the latest picture is, or would be, when it follows the newest tick.
  public private(set) var liveEdge: Double?

  /// A chart of a series.
  public init(series: CandleSeries, viewport: Viewport) {
    self.series = series
    self.viewport = viewport
    shown = series.interval
    drawn = series.interval
  }

  /// Makes the picture anew.
  ///
  /// O(visible candles), at most about one for each pixel.
  ///
  /// - Parameter now: milliseconds since 1970. While the chart follows and nothing comes, the
  ///   picture moves on with it by at most a quarter of the width; a time before the newest candle
  ///   changes nothing.
  public mutating func draw(at now: Int64) {
    list.removeAll()
    liveEdge = liveEdge(at: now)
    if let liveEdge { viewport.follow(rightTime: liveEdge) }
    keepInReach()
    axis = nil
    drawn = intervalToDraw
    let range = visibleRange
    placeTimes()
    placeGaps()
    guard let extent = extent(of: range) else { return }
    let axis = axis(of: range, extent)
    self.axis = axis
    placeCandles(range, axis, mostVolume: extent.volume)
    if style == .line { placeLine(range, axis) }
    placePrices(axis)
    placeProfile(range, axis)
    placeStudies(range, axis)
    placeFills(axis)
    placeLive(axis, at: now)
    placeLevels(axis)
    placeDrawings(axis)
  }

  /// The finest interval whose candles are wide enough to be told apart.
  private var intervalToDraw: CandleInterval {
    let least = 2.5 * pixelRatio * viewport.millisecondsPerPixel
    var interval = shown
    while Double(interval.milliseconds) < least, let coarser = interval.coarser {
      interval = coarser
    }
    return interval
  }

  /// Indices of candles that touch the view, with one more on each side for the line.
  var visibleRange: Range<Int> {
    let length = drawn.milliseconds
    let left = series.candles.firstIndex(
      notBefore: ChartScene.time(viewport.leftTime) - length, of: drawn)
    let right = series.candles.firstIndex(
      notBefore: ChartScene.time(viewport.rightTime), of: drawn)
    let first = max(0, left - 1)
    return first..<max(first, min(series.candles.count(of: drawn), right + 1))
  }

  /// Percentages are of the first candle's close.
  private func axis(
    of range: Range<Int>, _ extent: (low: Price, high: Price, volume: Int64)
  ) -> PriceAxis {
    let base = series.candles.candles(of: drawn)[range.lowerBound].close
    if let chosen = self.range {
      return PriceAxis(chosen, height: viewport.height, scale: scale, base: base)
    }
    return PriceAxis(
      low: extent.low, high: extent.high, height: viewport.height,
      below: extent.volume > 0 ? 2 : 1, scale: scale, base: base)
  }

  func extent(of range: Range<Int>) -> (low: Price, high: Price, volume: Int64)? {
    let candles = series.candles.candles(of: drawn)
    guard let first = range.first else { return nil }
    var (low, high) = (candles[first].low, candles[first].high)
    var volume: Int64 = 0
    for index in range {
      if candles[index].low < low { low = candles[index].low }
      if candles[index].high > high { high = candles[index].high }
      volume = max(volume, candles[index].volume.units)
    }
    return (low, high, volume)
  }

  private mutating func placeCandles(_ range: Range<Int>, _ axis: PriceAxis, mostVolume: Int64) {
    let candles = series.candles.candles(of: drawn)
    let width = Double(drawn.milliseconds) / viewport.millisecondsPerPixel
    let body = max(1, min(width * 0.72, ChartScene.maximumBodyPixels * pixelRatio))
    let most = Double(max(1, mostVolume))
    let volumeHeight = viewport.height * ChartScene.volumeShare
    for index in range {
      let candle = candles[index]
      var isWhole = true
      if style == .line {
        // Beside the line only the volume is drawn.
        if candle.volume <= .zero { continue }
      } else {
        let coverage = series.coverage(of: candle, drawn)
        // Neither the venue nor we say that nobody traded: there is nothing to draw.
        if !candle.hasTrades, coverage.missing >= drawn.milliseconds { continue }
        isWhole = coverage.isWhole
      }
      let isUp = candle.close >= candle.open
      list.candles.append(
        CandleMark(
          x: Float(viewport.x(of: Double(candle.start)) + width / 2), width: Float(body),
          top: Float(axis.y(of: isUp ? candle.close : candle.open)),
          bottom: Float(axis.y(of: isUp ? candle.open : candle.close)),
          wickTop: Float(axis.y(of: candle.high)), wickBottom: Float(axis.y(of: candle.low)),
          volumeHeight: Float(Double(candle.volume.units) / most * volumeHeight),
          signs: ChartScene.signs(of: candle, isWhole: isWhole)))
    }
  }

  private static func signs(of candle: Candle, isWhole: Bool) -> CandleSigns {
    var signs: CandleSigns = candle.close >= candle.open ? .rising : []
    if !isWhole { signs.insert(.partial) }
    if !candle.hasTrades { signs.insert(.withoutTrades) }
    if candle.proof == .contradicted { signs.insert(.contradicted) }
    return signs
  }

  /// A line through the closes, lifted before the candle in which an interruption ended, and where
  /// a history has a hole.
  private mutating func placeLine(_ range: Range<Int>, _ axis: PriceAxis) {
    let candles = series.candles.candles(of: drawn)
    let half = Double(drawn.milliseconds) / viewport.millisecondsPerPixel / 2
    var gap = 0
    var startsNew = true
    for index in range {
      let start = candles[index].start
      if series.interval.isOfHistory, index > 0,
        candles[index - 1].start + drawn.milliseconds < start
      {
        startsNew = true
      }
      while gap < series.gaps.count, series.gaps[gap].end < start + drawn.milliseconds {
        startsNew = true
        gap += 1
      }
      list.line.append(
        LineMark(
          x: Float(viewport.x(of: Double(start)) + half),
          y: Float(axis.y(of: candles[index].close)), startsNew: startsNew))
      startsNew = false
    }
  }

  private mutating func placePrices(_ axis: PriceAxis) {
    var marks = DrawList.take(&list.prices)
    axis.forEachGridLine(minimumPixels: 52 * pixelRatio) { marks.append($0) }
    list.prices = marks
  }

  private mutating func placeTimes() {
    let view = viewport
    var marks = DrawList.take(&list.times)
    list.timeStep = TimeAxis.forEachGridTime(
      of: view, minimumPixels: 92 * pixelRatio, zone: zone
    ) { time in
      marks.append(TimeMark(x: Float(view.x(of: Double(time))), time: time))
    }
    list.times = marks
  }

  private mutating func placeGaps() {
    for gap in series.gaps { place(from: gap.start, to: Double(gap.end)) }
    if let since = interruptedSince, series.candles.count > 0 {
      place(from: since, to: viewport.rightTime)
    }
  }

  private mutating func place(from start: Int64, to end: Double) {
    let left = viewport.x(of: Double(start))
    let right = viewport.x(of: end)
    guard right > 0, left < viewport.width, right >= left else { return }
    list.gaps.append(GapMark(left: Float(max(0, left)), right: Float(min(viewport.width, right))))
  }

  /// The middle of a drawn candle, in pixels from the left.
  func centre(of candle: Candle) -> Float {
    Float(viewport.x(of: Double(candle.start) + Double(drawn.milliseconds) / 2))
  }

  private mutating func placeLive(_ axis: PriceAxis, at now: Int64) {
    guard let price = series.latestPrice else { return }
    let time = min(max(now, -CandleSeries.maximumTime), CandleSeries.maximumTime)
    list.live = LiveMark(
      y: Float(axis.y(of: price)), price: price, isUp: series.lastMoveIsUp,
      hundredths: axis.hundredths(of: price) ?? 0,
      closesIn: drawn.start(of: time) + drawn.milliseconds - time)
  }

  /// A pixel's time as an integer, cut to what a time may be.
  static func time(_ value: Double) -> Int64 {
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -1e15), 1e15))
  }
}

// MARK: - Crosshair

/// The candle and the price under a point of the plot.
public struct Crosshair: Hashable, Sendable {
  /// The drawn candle whose span holds the point's time; nil without one.
  public let candle: Candle?
  /// The part of its span without a source; nil without a candle.
  public let coverage: CandleCoverage?
  /// Its index among the candles of the drawn interval; nil without one.
  public let index: Int?
  /// The centre of the candle, or the point itself, in pixels from the left.
  public let x: Float
  /// The price at the point's height, a multiple of the tick.
  public let price: Price
  /// The time at the point, milliseconds since 1970.
  public let time: Int64

  /// Since when its span was seen, milliseconds since 1970; nil when it was seen whole, and when
  /// more is missing than its beginning.
  public var seenSince: Int64? { coverage?.since }
}

extension ChartScene {
  /// What lies under a point of the latest picture; nil when nothing was drawn.
  ///
  /// O(log candles).
  public func crosshair(x: Double, y: Double) -> Crosshair? {
    guard let axis, x.isFinite, y.isFinite else { return nil }
    let time = ChartScene.time(viewport.time(atX: x))
    let start = drawn.start(of: time)
    let candles = series.candles.candles(of: drawn)
    let index = series.candles.firstIndex(notBefore: start, of: drawn)
    let price = snapped(axis.price(atY: y))
    guard index < candles.count, candles[index].start == start else {
      return Crosshair(
        candle: nil, coverage: nil, index: nil, x: Float(x), price: price, time: time)
    }
    return Crosshair(
      candle: candles[index], coverage: series.coverage(of: candles[index], drawn), index: index,
      x: centre(of: candles[index]), price: price, time: time)
  }

  /// The candle at an index of the drawn ones as if the pointer stood on its close; nil outside.
  public func crosshair(atIndex index: Int) -> Crosshair? {
    let candles = series.candles.candles(of: drawn)
    guard axis != nil, index >= 0, index < candles.count else { return nil }
    let candle = candles[index]
    return Crosshair(
      candle: candle, coverage: series.coverage(of: candle, drawn), index: index,
      x: centre(of: candle),
      price: candle.close, time: candle.start)
  }
}

// MARK: - Vertical scale by hand

// Stretched, moved, and back to what the candles need.

extension ChartScene {
  /// The most that one movement stretches or moves, in heights.
  private static let mostHeights = 0.9
  /// The smallest range, in ticks.
  private static let fewestTicks: Int64 = 4

  /// Stretches the prices around the middle: above 1 shows fewer of them, each higher.
  ///
  /// The scale is then the person's own, until ``fitPrices()``.
  public mutating func stretchPrices(by factor: Double) {
    guard let axis, factor.isFinite, factor > 0 else { return }
    let half = axis.height / 2 / min(max(factor, 0.4), 10)
    let wanted = PriceRange(
      axis.price(atY: axis.height / 2 + half), axis.price(atY: axis.height / 2 - half))
    let least = max(1, tick).multipliedReportingOverflow(by: ChartScene.fewestTicks)
    guard
      factor < 1 || least.overflow
        || PriceAxis.distance(wanted.low, wanted.high) >= least.partialValue
    else { return }
    take(wanted, over: axis)
  }

  /// Moves the prices by pixels, of which positive ones show higher prices.
  ///
  /// Nothing while the scale is not the person's own.
  public mutating func movePrices(byPixels pixels: Double) {
    guard let axis, range != nil, pixels.isFinite else { return }
    let most = axis.height * ChartScene.mostHeights
    let bounded = min(max(pixels, -most), most)
    take(
      PriceRange(axis.price(atY: axis.height - bounded), axis.price(atY: -bounded)), over: axis)
  }

  /// Lets the candles in view choose the prices again.
  public mutating func fitPrices() { range = nil }

  /// The price of an order or a line nearest to one: a multiple of the ``tick``, half a tick up.
  public func snapped(_ price: Price) -> Price {
    guard tick > 1 else { return price }
    let remainder = price.units % tick
    let rest = remainder < 0 ? remainder + tick : remainder
    let (down, underflow) = price.units.subtractingReportingOverflow(rest)
    if underflow { return price }
    return Price(units: rest >= tick - rest ? saturatingSum(down, tick) : down)
  }

  /// A range at the edge of what can be shown changes no more, or it would shrink there.
  private mutating func take(_ wanted: PriceRange, over axis: PriceAxis) {
    let isAtEdge =
      wanted.low.units <= -PriceRange.farthest || wanted.high.units >= PriceRange.farthest - 1
    if !isAtEdge { range = wanted }
  }
}

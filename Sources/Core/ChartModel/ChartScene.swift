public import MarketModel

/// How prices are drawn.
public enum ChartStyle: UInt8, Sendable {
  case candles
  case line
}

/// A chart: its candles, its viewport and the resulting draw list.
///
/// Work is proportional to what is visible: a coarser interval is drawn where candles would share a
/// pixel. Redrawing allocates nothing in the steady state. Pixels are screen pixels; visible
/// lengths are scaled by ``pixelRatio``.
public struct ChartScene: Sendable {
  /// Space right of the newest candle while following.
  public static let liveMarginPixels = 24.0
  /// The most fills marked.
  public static let maximumFills = 4096
  private static let volumeShare = 0.16
  private static let maximumBodyPixels = 48.0

  /// The candles.
  public var series: CandleSeries
  /// The visible time span.
  public var viewport: Viewport
  /// Candles or line.
  public var style = ChartStyle.candles
  /// The user's fills, in any order; the first ``maximumFills`` are marked.
  public var fills: [ChartFill] = [] { didSet { fillsAreSorted = false } }
  /// The user's working orders; the first ``maximumOrders`` are drawn.
  public var orders: [ChartOrder] = [] { didSet { ordersAreSorted = false } }
  /// The prices of the user's alerts; the first ``maximumAlerts`` are drawn.
  public var alerts: [Price] = []
  /// The level whose crossings are marked, while it is chosen.
  public var rehearsed: Price?
  /// The user's lines; the first ``maximumDrawings`` are drawn.
  public var drawings: [ChartDrawing] = []
  /// The studies drawn; ``StudyChoice/panes`` are below the viewport, one under the other.
  public var studies = StudyChoice()
  /// The height of a pane in screen pixels.
  public internal(set) var paneHeight = 0.0
  /// How prices map to the height.
  public var scale = PriceScale.linear
  /// The user's price range; nil to fit the candles in view.
  public internal(set) var range: PriceRange?
  /// The smallest step of a price in units, at least 1.
  public var tick: Int64 = 1
  /// The time zone of the time axis.
  public var zone = ZoneOffsets.utc
  /// The start of the current interruption, shaded to the right edge; nil while the feed is up.
  public var interruptedSince: Int64?
  /// Screen pixels per CSS pixel.
  public internal(set) var pixelRatio = 1.0
  /// The user's interval.
  public internal(set) var shown: CandleInterval

  var sortedFills: [ChartFill] = []
  var fillsAreSorted = true
  var ordersByPrice: [Int] = []
  var ordersAreSorted = true

  /// The latest draw list.
  public internal(set) var list = DrawList()
  /// The interval of the candles in the latest picture: ``shown`` or a coarser one.
  public private(set) var drawn: CandleInterval
  /// The vertical scale of the latest picture; nil when nothing is visible.
  public private(set) var axis: PriceAxis?
  /// The right edge for following the newest tick, as of the latest picture.
  public private(set) var liveEdge: Double?

  /// Creates a chart of a series.
  public init(series: CandleSeries, viewport: Viewport) {
    self.series = series
    self.viewport = viewport
    shown = series.interval
    drawn = series.interval
  }

  /// Rebuilds the draw list; O(visible candles), at most about one per pixel.
  ///
  /// - Parameter now: milliseconds since 1970. While following without new ticks, the picture moves
  ///   with it by at most a quarter of the width; a time before the newest candle has no effect.
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
    placeCrossings(axis)
    placeDrawings(axis)
  }

  private var intervalToDraw: CandleInterval {
    let least = 2.5 * pixelRatio * viewport.millisecondsPerPixel
    var interval = shown
    while Double(interval.milliseconds) < least, let coarser = interval.coarser {
      interval = coarser
    }
    return interval
  }

  /// Indices of the candles in view, plus one on each side for the line.
  var visibleRange: Range<Int> {
    let length = drawn.milliseconds
    let left = series.candles.firstIndex(
      notBefore: ChartScene.time(viewport.leftTime) - length, of: drawn)
    let right = series.candles.firstIndex(notBefore: ChartScene.time(viewport.rightTime), of: drawn)
    let first = max(0, left - 1)
    return first..<max(first, min(series.candles.count(of: drawn), right + 1))
  }

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
        if candle.volume <= .zero { continue }
      } else {
        let coverage = series.coverage(of: candle, drawn)
        // No source confirms that there were no trades: draw nothing.
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

  /// The line through the closes, broken at gaps and at holes of a history.
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

  static func time(_ value: Double) -> Int64 {
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -1e15), 1e15))
  }
}

// MARK: - Crosshair

/// The candle and price at a point of the plot.
public struct Crosshair: Hashable, Sendable {
  /// The drawn candle at the point's time; nil without one.
  public let candle: Candle?
  /// Its missing data; nil without a candle.
  public let coverage: CandleCoverage?
  /// Its index among the candles of the drawn interval; nil without one.
  public let index: Int?
  /// The candle's centre, or the point itself, from the left.
  public let x: Float
  /// The price at the point, a multiple of the tick.
  public let price: Price
  /// The time at the point, milliseconds since 1970.
  public let time: Int64

  /// The start of its data, milliseconds since 1970; nil unless only the beginning is missing.
  public var seenSince: Int64? { coverage?.since }
}

extension ChartScene {
  /// The crosshair at a point of the latest picture, O(log candles); nil when nothing was drawn.
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

  /// The crosshair at the close of a drawn candle, by index; nil when out of range.
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

// MARK: - Fixed price range

extension ChartScene {
  private static let mostHeights = 0.9
  private static let fewestTicks: Int64 = 4

  /// Stretches the prices around the middle, above 1 zooms in; fixed until ``fitPrices()``.
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

  /// Moves a fixed price range by pixels; positive shows higher prices.
  public mutating func movePrices(byPixels pixels: Double) {
    guard let axis, range != nil, pixels.isFinite else { return }
    let most = axis.height * ChartScene.mostHeights
    let bounded = min(max(pixels, -most), most)
    take(PriceRange(axis.price(atY: axis.height - bounded), axis.price(atY: -bounded)), over: axis)
  }

  /// Fits the range to the candles in view again.
  public mutating func fitPrices() { range = nil }

  /// The nearest multiple of the ``tick``; half a tick rounds up.
  public func snapped(_ price: Price) -> Price {
    guard tick > 1 else { return price }
    let remainder = price.units % tick
    let rest = remainder < 0 ? remainder + tick : remainder
    let (down, underflow) = price.units.subtractingReportingOverflow(rest)
    if underflow { return price }
    return Price(units: rest >= tick - rest ? saturatingSum(down, tick) : down)
  }

  /// Ignores a range at the limit, where clamping would shrink it.
  private mutating func take(_ wanted: PriceRange, over axis: PriceAxis) {
    let isAtEdge =
      wanted.low.units <= -PriceRange.farthest || wanted.high.units >= PriceRange.farthest - 1
    if !isAtEdge { range = wanted }
  }
}

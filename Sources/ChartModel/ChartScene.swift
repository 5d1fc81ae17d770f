// Series and viewport become a draw list. The work is proportional to what is visible: a coarser level
// of detail stands in where several candles share a pixel.

public import MarketModel

/// How prices are drawn.
public enum ChartStyle: UInt8, Sendable {
  /// Open, high, low and close.
  case candles
  /// A line through the closes.
  case line
}

/// One of the person's own fills, as a chart marks it.
public struct ChartFill: Hashable, Sendable {
  /// Milliseconds since 1970.
  public let time: Int64
  /// The price paid.
  public let price: Price
  /// Bought or sold.
  public let side: Side

  /// Makes a fill.
  public init(time: Int64, price: Price, side: Side) {
    self.time = time
    self.price = price
    self.side = side
  }
}

/// A chart: its candles, what it shows of them, and the picture of that.
public struct ChartScene: Sendable {
  /// Pixels that one drawn candle gets at least; closer ones are merged.
  static let minimumPixelsPerCandle = 2.0
  /// Room right of the newest candle while the chart follows it.
  public static let liveMarginPixels = 24.0
  /// The part of the height that volume bars may fill.
  static let volumeShare = 0.18

  /// The candles.
  public var series: CandleSeries
  /// What is shown of them.
  public var viewport: Viewport
  /// Candles or line.
  public var style = ChartStyle.candles
  /// The person's own fills, in any order.
  public var fills: [ChartFill] = []
  /// The reader's zone, milliseconds ahead of UTC.
  public var zoneOffset: Int64 = 0

  /// The latest picture.
  public private(set) var list = DrawList()
  /// The vertical scale of the latest picture; nil when nothing is visible.
  public private(set) var axis: PriceAxis?

  /// A chart of a series.
  public init(series: CandleSeries, viewport: Viewport) {
    self.series = series
    self.viewport = viewport
  }

  /// Makes the picture anew.
  ///
  /// O(visible candles ÷ level of detail).
  public mutating func draw(at now: Int64) {
    list.removeAll()
    let newest = series.candles.last.map { Double($0.start + series.interval.milliseconds) }
    if let newest {
      viewport.follow(newest: max(newest, Double(now)), marginPixels: ChartScene.liveMarginPixels)
    }
    axis = nil
    let level = levelOfDetail
    let range = visibleRange(level)
    guard let extent = extent(of: range, level) else { return }
    let scale = PriceAxis(low: extent.low, high: extent.high, height: viewport.height)
    axis = scale
    placeCandles(range, level, scale, mostVolume: extent.volume)
    placeGrid(scale)
    placeGaps()
    placeFills(scale)
    list.liveY = series.candles.last.map { Float(scale.y(of: $0.close)) }
  }

  /// The finest level whose candles are wide enough to be told apart.
  private var levelOfDetail: Int {
    let pixels = Double(series.interval.milliseconds) / viewport.millisecondsPerPixel
    var level = 0
    while level + 1 < series.candles.levelCount,
      pixels * Double(CandlePyramid.span(ofLevel: level)) < ChartScene.minimumPixelsPerCandle
    {
      level += 1
    }
    return level
  }

  /// Indices of a level that touch the view, with one more on each side for the line.
  private func visibleRange(_ level: Int) -> Range<Int> {
    let span = CandlePyramid.span(ofLevel: level)
    let left = series.candles.firstIndex(notBefore: ChartScene.time(viewport.leftTime))
    let right = series.candles.firstIndex(notBefore: ChartScene.time(viewport.rightTime))
    let count = series.candles.candles(atLevel: level).count
    let first = max(0, left / span - 1)
    return first..<max(first, min(count, right / span + 1))
  }

  private func extent(
    of range: Range<Int>, _ level: Int
  ) -> (low: Price, high: Price, volume: Int64)? {
    let candles = series.candles.candles(atLevel: level)
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

  private mutating func placeCandles(
    _ range: Range<Int>, _ level: Int, _ axis: PriceAxis, mostVolume: Int64
  ) {
    let candles = series.candles.candles(atLevel: level)
    let width = Double(series.interval.milliseconds) / viewport.millisecondsPerPixel
    let body = max(1, min(width * Double(CandlePyramid.span(ofLevel: level)) * 0.7, 40))
    var previous: Int64?
    for index in range {
      let candle = candles[index]
      let x = viewport.x(of: Double(candle.start)) + width / 2
      if style == .line {
        let broken = previous.map { series.isInterrupted(from: $0, to: candle.start) } ?? true
        list.line.append(
          LineMark(x: Float(x), y: Float(axis.y(of: candle.close)), startsNew: broken))
        previous = candle.start
      } else {
        list.candles.append(mark(candle, x: x, body: body, axis, mostVolume))
      }
    }
  }

  private func mark(
    _ candle: Candle, x: Double, body: Double, _ axis: PriceAxis, _ mostVolume: Int64
  ) -> CandleMark {
    let isUp = candle.close >= candle.open
    let share = mostVolume > 0 ? Double(candle.volume.units) / Double(mostVolume) : 0
    return CandleMark(
      x: Float(x), width: Float(body), top: Float(axis.y(of: isUp ? candle.close : candle.open)),
      bottom: Float(axis.y(of: isUp ? candle.open : candle.close)),
      wickTop: Float(axis.y(of: candle.high)), wickBottom: Float(axis.y(of: candle.low)),
      volumeHeight: Float(share * viewport.height * ChartScene.volumeShare), isUp: isUp)
  }

  private mutating func placeGrid(_ axis: PriceAxis) {
    for price in axis.gridPrices(minimumPixels: 48) {
      list.prices.append(PriceMark(y: Float(axis.y(of: price)), price: price))
    }
    for time in TimeAxis.gridTimes(of: viewport, minimumPixels: 96, offset: zoneOffset) {
      list.times.append(TimeMark(x: Float(viewport.x(of: Double(time))), time: time))
    }
  }

  private mutating func placeGaps() {
    for gap in series.gaps {
      let left = viewport.x(of: Double(gap.start))
      let right = viewport.x(of: Double(gap.end))
      guard right > 0, left < viewport.width else { continue }
      list.gaps.append(
        GapMark(left: Float(max(0, left)), right: Float(min(viewport.width, right))))
    }
  }

  private mutating func placeFills(_ axis: PriceAxis) {
    for fill in fills {
      let x = viewport.x(of: Double(fill.time))
      guard x >= 0, x <= viewport.width else { continue }
      list.fills.append(FillMark(x: Float(x), y: Float(axis.y(of: fill.price)), side: fill.side))
    }
  }

  /// A pixel's time as an integer, cut to what a time may be.
  private static func time(_ value: Double) -> Int64 {
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -1e15), 1e15))
  }
}

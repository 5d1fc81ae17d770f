// Motion is bounded by the existing candles, so the user can't scroll to an empty picture.

public import MarketModel

extension ChartScene {
  static let maximumCandlePixels = 96.0
  /// The widest view holds at least this many candles.
  static let fewestCandlesInWidestView = 240.0

  /// Changes the size in screen pixels, without panes; a new ratio keeps the visible time.
  public mutating func resize(
    width: Double, height: Double, paneHeight: Double = 0, pixelRatio ratio: Double
  ) {
    let ratio = ratio.isFinite ? min(max(ratio, 0.25), 8) : 1
    if ratio != pixelRatio {
      viewport.zoom(by: ratio / pixelRatio, atX: viewport.width)
      pixelRatio = ratio
    }
    viewport.resize(width: width, height: height)
    self.paneHeight = paneHeight.isFinite ? min(max(paneHeight, 0), viewport.height) : 0
  }

  /// Copies the settings and viewport of the chart that this one replaces.
  public mutating func takePlace(of other: ChartScene) {
    resize(
      width: other.viewport.width, height: other.viewport.height, paneHeight: other.paneHeight,
      pixelRatio: other.pixelRatio)
    style = other.style
    fills = other.fills
    orders = other.orders
    alerts = other.alerts
    rehearsed = other.rehearsed
    drawings = other.drawings
    studies = other.studies
    scale = other.scale
    range = other.range
    tick = other.tick
    zone = other.zone
    interruptedSince = other.interruptedSince
    viewport = other.viewport
    shown = other.shown.rawValue < series.interval.rawValue ? series.interval : other.shown
  }

  /// Moves by pixels, positive to earlier times; follows the newest candle when it is reached.
  public mutating func pan(byPixels pixels: Double) {
    viewport.pan(byPixels: pixels)
    if pixels < 0, let liveEdge, viewport.rightTime >= liveEdge { viewport.backToLive() }
    keepInReach()
  }

  /// Zooms in (factor above 1) or out around pixel `x`, or around the right edge while following.
  public mutating func zoom(by factor: Double, atX x: Double) {
    guard factor.isFinite, factor > 0, x.isFinite else { return }
    let closest = Double(shown.milliseconds) / (ChartScene.maximumCandlePixels * pixelRatio)
    let widest = max(span * 1.25, Double(shown.milliseconds) * ChartScene.fewestCandlesInWidestView)
    let target = viewport.millisecondsPerPixel / factor
    let bounded = min(max(target, closest), max(closest, widest / viewport.width))
    viewport.zoom(by: viewport.millisecondsPerPixel / bounded, atX: x)
  }

  /// Shows another interval, `pixelsPerCandle` for each candle; false when the series is coarser.
  ///
  /// Keeps the right edge; with the newest candle in view, the chart follows it.
  @discardableResult
  public mutating func show(_ interval: CandleInterval, pixelsPerCandle: Double) -> Bool {
    guard interval.rawValue >= series.interval.rawValue, pixelsPerCandle > 0 else { return false }
    shown = interval
    viewport.show(interval, pixelsPerCandle: pixelsPerCandle * pixelRatio)
    if let last = series.candles.candles(of: interval).last,
      viewport.rightTime > Double(last.start)
    {
      viewport.backToLive()
    }
    keepInReach()
    return true
  }

  /// Follows the newest tick again.
  public mutating func backToLive() { viewport.backToLive() }

  /// Aligns the oldest candles with the left edge.
  public mutating func showOldest() {
    guard let first = series.candles.candles(of: shown).first else { return }
    viewport.show(rightTime: Double(first.start) + viewport.width * viewport.millisecondsPerPixel)
    if let liveEdge, viewport.rightTime >= liveEdge { viewport.backToLive() }
  }

  /// Moves as little as needed to show a drawn candle, by index.
  public mutating func reveal(_ index: Int) {
    let candles = series.candles.candles(of: drawn)
    guard index >= 0, index < candles.count else { return }
    let length = Double(drawn.milliseconds)
    let start = Double(candles[index].start)
    if start < viewport.leftTime {
      pan(byPixels: (viewport.leftTime - start + length) / viewport.millisecondsPerPixel)
    } else if start + length > viewport.rightTime {
      pan(byPixels: -(start + 2 * length - viewport.rightTime) / viewport.millisecondsPerPixel)
    }
  }

  /// The right edge while following: the end of the newest candle or of the span around `now`.
  func liveEdge(at now: Int64) -> Double? {
    guard let last = series.candles.candles(of: shown).last else { return nil }
    let newest = Double(last.start + shown.milliseconds)
    let bounded = min(max(now, -CandleSeries.maximumTime), CandleSeries.maximumTime)
    let current = Double(shown.start(of: bounded) + shown.milliseconds)
    let silence = max(0, current - newest)
    let mostSilence = viewport.width * viewport.millisecondsPerPixel / 4
    let margin = ChartScene.liveMarginPixels * pixelRatio * viewport.millisecondsPerPixel
    return newest + min(silence, mostSilence) + margin
  }

  /// Keeps a tenth of the width filled and nothing beyond the newest candle, which is followed.
  mutating func keepInReach() {
    guard !viewport.followsLive, let first = series.candles.candles(of: shown).first,
      let liveEdge
    else { return }
    let tenth = viewport.width * viewport.millisecondsPerPixel / 10
    let earliest = Double(first.start) + max(tenth, Double(shown.milliseconds))
    let right = min(max(viewport.rightTime, min(earliest, liveEdge)), liveEdge)
    if right != viewport.rightTime { viewport.show(rightTime: right) }
    if right >= liveEdge { viewport.backToLive() }
  }

  /// Milliseconds from the first candle to the end of the last one.
  private var span: Double {
    let candles = series.candles.candles(of: shown)
    guard let first = candles.first, let last = candles.last else { return 0 }
    return Double(last.start - first.start + shown.milliseconds)
  }
}

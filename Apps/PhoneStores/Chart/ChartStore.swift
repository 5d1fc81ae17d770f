package import AppState
package import ChartModel
package import Combine
package import Foundation
import MarketHistory
package import MarketModel
import MarketStreams

/// One instrument's chart: loads candles of the chosen interval, follows the latest prices and
/// holds the viewport that all its views share.
@MainActor package final class ChartStore: ObservableObject {
  package enum Pointer: Equatable {
    case point(CGPoint)
    /// A candle, by its index among those drawn.
    case candle(Int)
  }

  /// Width of a candle after an interval was chosen, in points.
  static let pixelsPerCandle = 7.0
  /// From the finest to the coarsest.
  private static let allIntervals: [CandleInterval] = [
    .second, .fiveSeconds, .fifteenSeconds, .minute, .fiveMinutes, .fifteenMinutes, .hour,
    .fourHours, .day,
  ]
  /// Intervals that only a venue's history can fill.
  private static let intervalsOfHistory: Set<CandleInterval> = [.fourHours]

  @Published package private(set) var state: ChartState
  /// The time from which ages are calculated.
  @Published package private(set) var now: ClockReading
  /// Counts changes of the picture that come without a tick.
  @Published package private(set) var changes: UInt64 = 0
  /// The problem with the venue's connection; nil without one.
  @Published package private(set) var notice: ConnectionNotice?
  /// The crosshair's position; nil without one.
  @Published package private(set) var pointer: Pointer?

  package private(set) var scene: ChartScene
  private var screen: ChartScreen
  private let feeds: FeedClient
  private var observations: [FeedClient.Observation] = []
  private var clock: FeedClient.Observation?
  /// The latest tick in the picture; nil while candles are loading.
  private var lastArrival: UInt64?
  /// The history's revision in the picture.
  private var revision: UInt64 = 0
  /// Whether the picture lacks available data.
  private var isOutdated = false
  private var asked: CandleInterval?
  /// When candles were last requested; at most once a second.
  private var askedAt: MonotonicTime?
  /// Whether there are older candles than those in the picture.
  private var hasOlder = false
  private var isAskingOlder = false
  private var notices: ConnectionNotices

  /// Nil when the venue has no such instrument.
  package init?(venue: Venue, symbol: Symbol, feeds: FeedClient) {
    guard let screen = ChartScreen(venue: venue, symbol: symbol) else { return nil }
    self.screen = screen
    self.feeds = feeds
    notices = ConnectionNotices(venue, feeds: feeds)
    state = screen.state
    now = feeds.now()
    scene = ChartScene(
      series: CandleSeries(interval: .second),
      viewport: Viewport(
        width: 320, height: 200, rightTime: Double(feeds.now().wall.milliseconds),
        millisecondsPerPixel: 1000 / ChartStore.pixelsPerCandle))
    // Without venue history there are only seconds at first.
    scene.show(hasHistory ? .minute : .fiveSeconds, pixelsPerCandle: ChartStore.pixelsPerCandle)
  }

  var hasHistory: Bool { state.candles.history != .none }

  /// The intervals on offer, from the finest to the coarsest; as on the page.
  package var intervals: [CandleInterval] {
    ChartStore.allIntervals.filter {
      hasHistory || $0 == interval || !ChartStore.intervalsOfHistory.contains($0)
    }
  }

  /// Follows the candles from now on, for as long as the chart lives.
  package func open() {
    guard observations.isEmpty else { return }
    let instrument = state.instrument
    notices = ConnectionNotices(instrument.venue, feeds: feeds)
    observations = [
      feeds.observeConnections { [weak self] in
        self?.notices.take($0)
        self?.noteTroubles()
      },
      feeds.observeCandles(instrument) { [weak self] in self?.take($0) },
    ]
    load()
  }

  /// Updates ages while the chart is visible.
  package func show() {
    open()
    now = feeds.now()
    clock = feeds.observeTime { [weak self] in self?.tick() }
  }

  /// Keeps recording, without the clock.
  package func hide() { clock = nil }

  // MARK: Input

  private func take(_ candles: CandleStreamState) {
    _ = screen.receive(.candles(state.instrument, candles), at: feeds.now())
    let isOtherScale = candles.quantityScale != state.quantityScale
    if state != screen.state { state = screen.state }
    noteTroubles()
    judge()
    if isOtherScale {
      lastArrival = nil
      load(asked ?? scene.shown)
    } else {
      addTicks()
      if candles.revision != revision { load() }
    }
  }

  private func noteTroubles() {
    let news = notices.notice(isWaiting: state.freshness.state == .waiting)
    if notice != news { notice = news }
  }

  /// Adds missing ticks; after a gap, loads all candles again.
  private func addTicks() {
    guard var last = lastArrival else { return }
    for tick in state.candles.ticks where tick.arrival > last {
      guard tick.arrival == last + 1 else {
        lastArrival = nil
        return load()
      }
      last = tick.arrival
      _ = scene.series.add(tick.price, volume: tick.quantity, at: tick.time)
    }
    lastArrival = last
  }

  private func judge() {
    let freshness = state.freshness
    switch freshness.state {
    case .stale, .resyncing, .disconnected:
      guard scene.interruptedSince == nil else { return }
      scene.interruptedSince = (freshness.confirmedAt ?? feeds.now()).wall.milliseconds
    case .live, .late, .closed:
      if scene.interruptedSince != nil { load() }
      scene.interruptedSince = nil
    case .waiting, .queued: break
    }
  }

  /// Advances a live chart once a second even without ticks, and retries outdated candles.
  private func tick() {
    let time = feeds.now()
    if time.monotonic.milliseconds(since: now.monotonic) >= 1000 { now = time }
    if isOutdated { load() }
  }

  // MARK: Candles

  /// Loads candles: another interval at once, the same one at most once a second.
  private func load(_ choice: CandleInterval? = nil) {
    isOutdated = true
    let time = feeds.now().monotonic
    let isEarly = askedAt.map { time.milliseconds(since: $0) < 1000 } ?? false
    guard choice != nil || asked == nil && !isEarly else { return }
    let interval = choice ?? scene.shown
    let revision = state.candles.revision
    (asked, askedAt, isOutdated) = (interval, time, false)
    feeds.candles(state.instrument, interval, nil) { [weak self] page in
      guard let self, asked == interval else { return }
      asked = nil
      if let page { show(page, revision) }
    }
  }

  private func show(_ page: CandlePage, _ revision: UInt64) {
    let isOther = scene.shown != page.interval
    var series = CandleSeries(interval: page.interval)
    _ = series.append(count: page.candles.count) { page.candles[$0] }
    if let seenSince = page.seenSince { series.note(seenSince: seenSince) }
    page.gaps.forEach { series.note($0) }
    scene.series = series
    if isOther { scene.show(page.interval, pixelsPerCandle: ChartStore.pixelsPerCandle) }
    scene.draw(at: feeds.now().wall.milliseconds)
    (lastArrival, self.revision, hasOlder) = (page.lastArrival, revision, page.hasOlder)
    addTicks()
    changes += 1
  }

  private func loadOlder() {
    let first = scene.series.candles.first
    guard hasOlder, !isAskingOlder, let first,
      scene.viewport.leftTime < Double(first.start + 100 * scene.series.interval.milliseconds)
    else { return }
    isAskingOlder = true
    feeds.candles(state.instrument, scene.series.interval, first.start) { [weak self] page in
      guard let self else { return }
      isAskingOlder = false
      guard let page, page.interval == scene.series.interval else { return }
      _ = scene.series.prepend(count: page.candles.count) { page.candles[$0] }
      hasOlder = page.hasOlder && !page.candles.isEmpty
      changes += 1
    }
  }

  // MARK: User actions

  package func follow(_ remedy: ConnectionNotice.Remedy) { notices.follow(remedy) }

  /// Moves by points; to the right shows earlier times.
  package func pan(by points: Double) {
    scene.pan(byPixels: points)
    loadOlder()
    pointer = nil
    changes += 1
  }

  /// Zooms in (factor above 1) or out around a point.
  package func zoom(by factor: Double, atX x: Double) {
    scene.zoom(by: factor, atX: x)
    loadOlder()
    pointer = nil
    changes += 1
  }

  /// Shows the crosshair at a point, or removes it if it is shown.
  package func point(at place: CGPoint) {
    let isOutside = place.x > scene.viewport.width || place.y > scene.viewport.height
    pointer = pointer == nil && !isOutside ? .point(place) : nil
  }

  /// Moves the crosshair to a point, at most to the plot's edge; it stays there.
  package func inspect(at place: CGPoint) {
    let (width, height) = (CGFloat(scene.viewport.width), CGFloat(scene.viewport.height))
    pointer = .point(
      CGPoint(x: min(max(place.x, 0), width), y: min(max(place.y, 0), height)))
  }

  /// Removes the crosshair, since the pointer has left the chart.
  package func endInspection() { pointer = nil }

  /// Moves the crosshair by candles, starting from the latest.
  package func walk(by steps: Int) {
    let last = scene.series.candles.candles(of: scene.drawn).count - 1
    guard last >= 0 else { return }
    let index = min(max((crosshair?.index ?? last + 1) + steps, 0), last)
    scene.reveal(index)
    pointer = .candle(index)
    changes += 1
  }

  package func backToLive() {
    scene.backToLive()
    pointer = nil
    changes += 1
  }

  package var interval: CandleInterval {
    get { asked ?? scene.shown }
    set {
      pointer = nil
      if newValue == scene.series.interval {
        scene.show(newValue, pixelsPerCandle: ChartStore.pixelsPerCandle)
        // The texts describe what is drawn, and are written before the picture is.
        scene.draw(at: feeds.now().wall.milliseconds)
      } else {
        load(newValue)
      }
      changes += 1
    }
  }

  package var style: ChartStyle {
    get { scene.style }
    set {
      scene.style = newValue
      changes += 1
    }
  }

  /// Marks fills of the user's orders in a market; O(fills), so call it when orders change, not at
  /// each tick.
  package func mark(_ orders: [OrderRowState], in market: Symbol) {
    let fills = orders.filter { $0.symbol == market }.flatMap { order in
      order.fills.compactMap { fill in
        fill.price.exactly(at: state.priceScale).map {
          ChartFill(
            time: fill.time.milliseconds, price: Price(units: $0.units), side: order.side)
        }
      }
    }
    guard scene.fills != fills else { return }
    scene.fills = fills
    changes += 1
  }

  /// How often the loaded candles crossed a price, at least, and since when; nil without any.
  package func crossings(of price: FixedDecimal) -> (count: Int, since: Timestamp)? {
    let series = scene.series
    guard let first = series.candles.first, let level = price.exactly(at: state.priceScale)
    else { return nil }
    let count = (0..<series.candles.count).count {
      series.isCrossed(Price(units: level.units), at: $0)
    }
    return (count, Timestamp(milliseconds: first.start))
  }

  // MARK: Drawing

  /// Draws into a plot of this size, in points; O(visible candles).
  package func draw(width: Double, height: Double, zone: TimeZone) -> DrawList {
    let time = feeds.now().wall.milliseconds
    scene.zone = ZoneOffsets(
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1000))) * 1000)
    scene.resize(width: width, height: height, pixelRatio: 1)
    scene.draw(at: time)
    return scene.list
  }

  /// The crosshair's values in the latest picture; nil without one.
  package var crosshair: Crosshair? {
    switch pointer {
    case .point(let place)?: scene.crosshair(x: place.x, y: place.y)
    case .candle(let index)?: scene.crosshair(atIndex: index)
    case nil: nil
    }
  }

  /// The parts of ``candle``'s span without a source; nil without a candle.
  package var candleCoverage: CandleCoverage? {
    candle.map { scene.series.coverage(of: $0, scene.drawn) }
  }

  /// The candle under the crosshair, or else the latest.
  package var candle: Candle? {
    if let crosshair { return crosshair.candle }
    return scene.series.candles.candles(of: scene.drawn).last
  }
}

// One instrument's chart: records from the moment it is first asked for, and holds the picture that
// all its views share, so that a person who comes back finds the past and the place in it.

import AppState
import ChartModel
import Combine
import Foundation
import MarketModel

/// A chart with its past and its viewport.
@MainActor final class ChartStore: ObservableObject {
  /// What the crosshair stands on.
  enum Pointer: Equatable {
    /// A point of the plot.
    case point(CGPoint)
    /// A candle, by its index among the drawn ones.
    case candle(Int)
  }

  /// Width of a candle after an interval was chosen, in points.
  static let pixelsPerCandle = 7.0
  /// What a person can choose, from the finest to the coarsest.
  static let intervals: [CandleInterval] = [
    .second, .fiveSeconds, .fifteenSeconds, .minute, .fiveMinutes, .fifteenMinutes, .hour, .day,
  ]

  /// What the screen of AppState says.
  @Published private(set) var state: ChartState
  /// The time to tell ages by.
  @Published private(set) var now: ClockReading
  /// Counts what changes the picture without a tick.
  @Published private(set) var changes: UInt64 = 0
  /// What is wrong with the connection of the chart's venue; nil while nothing is.
  @Published private(set) var notice: ConnectionNotice?
  /// Where the crosshair is; nil without one.
  @Published private(set) var pointer: Pointer?

  private(set) var scene: ChartScene
  private var screen: ChartScreen
  private let feeds: FeedClient
  private var observations: [FeedClient.Observation] = []
  private var lastArrival: UInt64 = 0
  private var notices: ConnectionNotices

  /// Prepares a chart; nil when the venue has no such instrument.
  init?(venue: Venue, symbol: Symbol, feeds: FeedClient) {
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
    scene.show(.fiveSeconds, pixelsPerCandle: ChartStore.pixelsPerCandle)
  }

  /// Records from now on, as long as the app lives: what is not recorded could not be drawn later.
  func open() {
    guard observations.isEmpty else { return }
    notices = ConnectionNotices(state.venue, feeds: feeds)
    observations = [
      feeds.observeConnections { [weak self] in
        self?.notices.take($0)
        self?.take(.connection($0))
      },
      feeds.observeEvents(screen.wantedEvents) { [weak self] in self?.take(.event($0, $1)) },
      feeds.observeTime { [weak self] in self?.tick() },
    ]
    observations += screen.wanted.map { key in
      feeds.observe(key) { [weak self] in self?.take(.value(key, $0)) }
    }
  }

  // MARK: What comes in

  private func take(_ input: ScreenInput) {
    _ = screen.receive(input, at: feeds.now())
    if case .event = input { record() } else { judge() }
    if state != screen.state { state = screen.state }
    let news = notices.notice(isWaiting: state.freshness.state == .waiting)
    if notice != news { notice = news }
  }

  /// The scene has candles of its own: shared with the recorder, each tick would copy them all.
  private func record() {
    let recorder = screen.recorder
    let isAnew =
      recorder.quantityScale != state.quantityScale
      || recorder.series.candles.count < scene.series.candles.count
    if isAnew { scene.series = recorder.series }
    for tick in recorder.ticks where tick.arrival > lastArrival {
      lastArrival = tick.arrival
      if !isAnew { _ = scene.series.add(tick.price, volume: tick.quantity, at: tick.time) }
    }
  }

  private func judge() {
    let gaps = screen.recorder.series.gaps
    if gaps.count != scene.series.gaps.count || gaps.last != scene.series.gaps.last {
      gaps.forEach { scene.series.note($0) }
    }
    let freshness = screen.state.freshness
    switch freshness.state {
    case .stale, .resyncing, .disconnected:
      guard scene.interruptedSince == nil else { return }
      scene.interruptedSince = (freshness.confirmedAt ?? feeds.now()).wall.milliseconds
    case .live, .late, .closed: scene.interruptedSince = nil
    case .waiting: break
    }
  }

  /// While the chart follows and nothing comes, silence moves it on once a second.
  private func tick() {
    take(.timer)
    let time = feeds.now()
    if time.monotonic.milliseconds(since: now.monotonic) >= 1000 { now = time }
  }

  // MARK: What a person does

  /// Does what the notice offers.
  func follow(_ remedy: ConnectionNotice.Remedy) { notices.follow(remedy) }

  /// Moves by points: to the right shows earlier times.
  func pan(by points: Double) {
    scene.pan(byPixels: points)
    pointer = nil
    changes += 1
  }

  /// Zooms in (factor above 1) or out around a point.
  func zoom(by factor: Double, atX x: Double) {
    scene.zoom(by: factor, atX: x)
    pointer = nil
    changes += 1
  }

  /// Puts the crosshair at a point, or takes it away when there is one.
  func point(at place: CGPoint) {
    let isOutside = place.x > scene.viewport.width || place.y > scene.viewport.height
    pointer = pointer == nil && !isOutside ? .point(place) : nil
  }

  /// Leads the crosshair to a point, at most to the edge of the plot; it stays there.
  func inspect(at place: CGPoint) {
    let (width, height) = (CGFloat(scene.viewport.width), CGFloat(scene.viewport.height))
    pointer = .point(
      CGPoint(x: min(max(place.x, 0), width), y: min(max(place.y, 0), height)))
  }

  /// Moves the crosshair by candles, from the latest one if there is none.
  func walk(by steps: Int) {
    let last = scene.series.candles.candles(of: scene.drawn).count - 1
    guard last >= 0 else { return }
    let index = min(max((crosshair?.index ?? last + 1) + steps, 0), last)
    scene.reveal(index)
    pointer = .candle(index)
    changes += 1
  }

  /// Follows the newest tick again.
  func backToLive() {
    scene.backToLive()
    pointer = nil
    changes += 1
  }

  /// The interval that the person chose.
  var interval: CandleInterval {
    get { scene.shown }
    set {
      scene.show(newValue, pixelsPerCandle: ChartStore.pixelsPerCandle)
      // The words tell of what is drawn, and are written before the picture is.
      scene.draw(at: feeds.now().wall.milliseconds)
      pointer = nil
      changes += 1
    }
  }

  /// Candles or line.
  var style: ChartStyle {
    get { scene.style }
    set {
      scene.style = newValue
      changes += 1
    }
  }

  /// Marks the fills of the person's own orders; O(fills), so it is called when orders change, not
  /// at each tick.
  func mark(_ orders: [OrderRowState]) {
    let fills = orders.flatMap { order in
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

  // MARK: What is drawn

  /// Draws into a plot of this size; O(visible candles).
  func draw(width: Double, height: Double, zone: TimeZone) -> DrawList {
    let time = feeds.now().wall.milliseconds
    scene.zoneOffset =
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1000))) * 1000
    scene.resize(width: width, height: height, pixelRatio: 1)
    scene.draw(at: time)
    return scene.list
  }

  /// What the crosshair stands on in the latest picture; nil without one.
  var crosshair: Crosshair? {
    switch pointer {
    case .point(let place)?: scene.crosshair(x: place.x, y: place.y)
    case .candle(let index)?: scene.crosshair(atIndex: index)
    case nil: nil
    }
  }

  /// What of the span of ``candle`` nobody vouches for; nil without a candle.
  var candleCoverage: CandleCoverage? {
    candle.map { scene.series.coverage(of: $0, scene.drawn) }
  }

  /// The candle to write in words: under the crosshair, or else the latest.
  var candle: Candle? {
    if let crosshair { return crosshair.candle }
    return scene.series.candles.candles(of: scene.drawn).last
  }
}

// EX2, OB2: a live chart. A drag pans and a pinch zooms; a tap, a long press and drag, or an iPad's
// pointer moves the crosshair; a screen reader reads a summary and steps through candles.

import AppState
import ChartModel
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

struct ChartView: View {
  /// The picture's height where very large text makes the whole chart scroll.
  static let scrollingHeight: CGFloat = 240

  let name: String
  @ObservedObject var store: ChartStore
  /// Whether no other part of the screen shows the connection.
  var isAlone = true
  /// The freshness that is shown beside the chart already; nil for none.
  var said: Freshness?
  /// The picture's height; nil to fill the available space.
  var height: CGFloat?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      ChartBar(store: store)
      if said?.saysTheSame(as: store.state.freshness) != true {
        FreshnessLine(freshness: store.state.freshness, now: store.now)
      }
      if isAlone { NoticeView(notice: store.notice) { store.follow($0) } }
      if let problem = words.problem {
        Text(locale.text(problem)).font(.footnote).foregroundStyle(.secondary)
      }
      ChartLegend(store: store, words: words)
      ChartSurface(name: name, store: store, words: words).frame(height: height)
    }
    .padding(.horizontal, 8)
    // Never closed: unrecorded ticks would be missing when the user comes back.
    .onAppear { store.show() }
    .onDisappear { store.hide() }
  }

  private var words: ChartWords {
    ChartWords(numbers: model.numbers, state: store.state, locale: locale, zone: timeZone)
  }
}

struct ChartBar: View {
  @ObservedObject var store: ChartStore
  @Environment(\.locale) private var locale
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    layout {
      Picker("Interval", selection: $store.interval) {
        ForEach(store.intervals, id: \.self) { interval in
          Text(locale.text(interval.short)).accessibilityLabel(locale.text(interval.words)).tag(
            interval)
        }
      }
      .pickerStyle(.menu)
      Picker("Style", selection: $store.style) {
        Text("Candles").tag(ChartStyle.candles)
        Text("Line").tag(ChartStyle.line)
      }
      .pickerStyle(.segmented)
      if !store.scene.viewport.followsLive {
        Button("Back to live") { store.backToLive() }
      }
    }
  }

  private var layout: AnyLayout {
    typeSize.isAccessibilitySize
      ? AnyLayout(VStackLayout(alignment: .leading)) : AnyLayout(HStackLayout())
  }
}

/// The values of the candle under the crosshair, or else of the latest.
struct ChartLegend: View {
  @ObservedObject var store: ChartStore
  let words: ChartWords
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      HStack(spacing: 8) {
        Text(moment).foregroundStyle(.secondary)
        if let candle = store.candle, let coverage = store.candleCoverage {
          if let seen = words.seen(coverage, of: candle, store.scene.drawn, at: store.now.wall) {
            Text(words.locale.text(seen))
          }
          if !candle.hasTrades {
            Text("no trade")
          } else if coverage.isWhole {
            // Names the candle's interval, since this is not the day's change.
            Text(words.locale.text("\(store.scene.drawn.short) candle")).foregroundStyle(.secondary)
            Text(words.change(candle))
              .foregroundStyle(Palette(colorScheme).color(of: candle.direction))
          }
          Text(words.locale.text(words.source(candle))).foregroundStyle(.secondary)
        }
      }
      Text(values)
    }
    .font(.caption)
    .monospacedDigit()
    .lineLimit(typeSize.isAccessibilitySize ? nil : 1)
    .minimumScaleFactor(0.7)
    .accessibilityHidden(true)
  }

  private var moment: String {
    guard let candle = store.candle else { return " " }
    let drawn = store.scene.drawn
    // Candles that would share a pixel are drawn as coarser ones; the label names their interval.
    let moment = words.moment(candle, drawn)
    return drawn == store.scene.shown
      ? moment : words.locale.text("\(moment) (\(drawn.words) each)")
  }

  private var values: String {
    guard let candle = store.candle else { return " " }
    let (open, high) = (words.price(candle.open), words.price(candle.high))
    let (low, close) = (words.price(candle.low), words.price(candle.close))
    let prices: Sentence = "O \(open) H \(high) L \(low) C \(close)"
    return words.locale.text(
      candle.volume > .zero ? "\(prices) V \(words.quantity(candle.volume))" : prices)
  }
}

struct ChartCanvas: View {
  @ObservedObject var store: ChartStore
  let words: ChartWords
  @ScaledMetric(relativeTo: .caption2) private var wordScale: CGFloat = 1
  @Environment(\.colorScheme) private var colorScheme

  var body: some View {
    GeometryReader { proxy in
      let picture = ChartPicture(
        store, size: proxy.size, words: words, wordScale: max(1, wordScale))
      let painter = ChartPainter(picture: picture, colours: ChartColours(colorScheme))
      Canvas(renderer: painter.paint)
    }
  }
}

struct ChartSurface: View {
  /// How long a press takes to move the crosshair, in seconds; as on the page.
  static let pressSeconds = 0.35

  let name: String
  @ObservedObject var store: ChartStore
  let words: ChartWords
  @GestureState private var pan: Pan?
  @GestureState private var pinch: MagnifyGesture.Value?

  /// A drag measured from its first step, so that the recognition distance causes no jump.
  private struct Pan: Equatable {
    /// Whether it began mostly sideways; vertical drags belong to the enclosing scroll view.
    let isSideways: Bool
    /// Distance from its start, in points.
    var distance: CGFloat

    init(_ translation: CGSize) {
      isSideways = abs(translation.width) >= abs(translation.height)
      distance = translation.width
    }
  }

  var body: some View {
    ZStack {
      // Larger text would leave no room for the picture; the legend has the values at any size.
      ChartCanvas(store: store, words: words).dynamicTypeSize(...DynamicTypeSize.xxxLarge)
      if store.scene.series.latestPrice == nil {
        Text(words.locale.text(words.nothing))
          .font(.footnote)
          .foregroundStyle(.secondary)
      }
    }
    .contentShape(Rectangle())
    // One finger does one of these: the tap that ends a press would remove the crosshair. None of
    // them blocks the enclosing scroll view.
    .simultaneousGesture(inspect.exclusively(before: drag).exclusively(before: tap))
    .simultaneousGesture(magnify)
    .onContinuousHover { phase in
      if case .active(let place) = phase { store.inspect(at: place) } else { store.endInspection() }
    }
    .onChange(of: pan) { before, now in
      guard let before, let now, now.isSideways else { return }
      store.pan(by: now.distance - before.distance)
    }
    .onChange(of: pinch) { before, now in
      guard let now else { return }
      store.zoom(
        by: now.magnification / (before?.magnification ?? 1), atX: now.startLocation.x)
    }
    .accessibilityElement(children: .ignore)
    .accessibilityIdentifier("chart")
    .accessibilityLabel(summary)
    .accessibilityValue(value)
    .accessibilityChartDescriptor(
      AudioGraph(
        name: name, summary: summary,
        axes: (words.locale.text("Time"), words.locale.text("Price")),
        points: AudioGraph.points(of: store.scene), interval: store.scene.drawn,
        priceScale: store.state.priceScale,
        decimals: store.state.priceDecimals, zone: words.zone, locale: words.locale)
    )
    .accessibilityAdjustableAction { direction in
      switch direction {
      case .increment: store.walk(by: 1)
      case .decrement: store.walk(by: -1)
      @unknown default: break
      }
    }
  }

  private var summary: String {
    words.locale.text(words.summary(store.scene, named: name))
  }

  private var value: String {
    guard let candle = store.candle, let coverage = store.candleCoverage else {
      return words.locale.text("nothing yet")
    }
    return words.locale.text(
      words.sentence(candle, store.scene.drawn, coverage, at: store.now.wall))
  }

  private var tap: some Gesture {
    SpatialTapGesture().onEnded { store.point(at: $0.location) }
  }

  private var inspect: some Gesture {
    LongPressGesture(minimumDuration: ChartSurface.pressSeconds)
      .sequenced(before: DragGesture(minimumDistance: 0))
      .onChanged { inspect($0) }
      .onEnded { inspect($0) }
  }

  private func inspect(_ value: SequenceGesture<LongPressGesture, DragGesture>.Value) {
    if case .second(true, let finger?) = value { store.inspect(at: finger.location) }
  }

  private var drag: some Gesture {
    DragGesture(minimumDistance: 6).updating($pan) { value, pan, _ in
      if pan == nil { pan = Pan(value.translation) }
      pan?.distance = value.translation.width
    }
  }

  private var magnify: some Gesture {
    MagnifyGesture().updating($pinch) { value, pinch, _ in pinch = value }
  }
}

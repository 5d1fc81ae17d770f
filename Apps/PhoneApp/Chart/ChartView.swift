// EX2, OB2: a live chart. A drag moves it, two fingers zoom it; a tap, or a finger that stays and
// then moves, shows what lies under it; a screen reader hears a summary and walks the candles.

import AppState
import ChartModel
import Foundation
import MarketModel
import SwiftUI

/// A chart with its controls.
struct ChartView: View {
  /// The picture's height where very large words make the whole chart scroll.
  static let scrollingHeight: CGFloat = 240

  let name: String
  @ObservedObject var store: ChartStore
  /// Whether no other part of the screen tells of the connection.
  var isAlone = true
  /// What is said beside the chart already of the prices that it draws; nil for nothing.
  var said: Freshness?
  /// The picture's height; nil where it takes the room there is.
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
      if let problem = words.problem { Text(problem).font(.footnote).foregroundStyle(.secondary) }
      ChartLegend(store: store, words: words)
      ChartSurface(name: name, store: store, words: words).frame(height: height)
    }
    .padding(.horizontal, 8)
    // Never closed: what is not recorded could not be drawn when the person comes back.
    .onAppear { store.open() }
  }

  private var words: ChartWords {
    ChartWords(numbers: model.numbers, state: store.state, locale: locale, zone: timeZone)
  }
}

/// Interval, style, and the way back.
struct ChartBar: View {
  @ObservedObject var store: ChartStore
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    layout {
      Picker("Interval", selection: $store.interval) {
        ForEach(store.intervals, id: \.self) { interval in
          Text(interval.short).accessibilityLabel(interval.words).tag(interval)
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

/// The values of a candle: under the crosshair, or else the latest.
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
            Text(seen)
          }
          if !candle.hasTrades {
            Text("no trade")
          } else if coverage.isWhole {
            // It says what it is a change of: it is none of the day.
            Text("\(store.scene.drawn.short) candle").foregroundStyle(.secondary)
            Text(words.change(candle))
              .foregroundStyle(Palette(colorScheme).color(of: candle.direction))
          }
          Text(words.source(candle)).foregroundStyle(.secondary)
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
    // Candles that would share a pixel are drawn as coarser ones; then that is said.
    let merged = drawn == store.scene.shown ? "" : " (\(drawn.words) each)"
    return words.moment(candle, drawn) + merged
  }

  private var values: String {
    guard let candle = store.candle else { return " " }
    let volume = candle.volume > .zero ? " V \(words.quantity(candle.volume))" : ""
    return "O \(words.price(candle.open)) H \(words.price(candle.high)) "
      + "L \(words.price(candle.low)) C \(words.price(candle.close))\(volume)"
  }
}

/// The picture.
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

/// The picture, and the hands on it.
struct ChartSurface: View {
  /// How long a finger has to stay before it leads the crosshair, in seconds; as on the page.
  static let pressSeconds = 0.35

  let name: String
  @ObservedObject var store: ChartStore
  let words: ChartWords
  @GestureState private var pan: Pan?
  @GestureState private var pinch: MagnifyGesture.Value?

  /// A drag from its first step on, so that what it took to be one is no jump.
  private struct Pan: Equatable {
    /// Whether it began rather sideways; up and down belong to what the chart lies in.
    let isSideways: Bool
    /// How far it is from where it began, in points.
    var distance: CGFloat

    init(_ translation: CGSize) {
      isSideways = abs(translation.width) >= abs(translation.height)
      distance = translation.width
    }
  }

  var body: some View {
    ZStack {
      // Larger words would leave no room for the picture; the legend has the values at any size.
      ChartCanvas(store: store, words: words).dynamicTypeSize(...DynamicTypeSize.xxxLarge)
      if store.scene.series.latestPrice == nil {
        Text(words.nothing)
          .font(.footnote)
          .foregroundStyle(.secondary)
      }
    }
    .contentShape(Rectangle())
    // One finger does one of these: the tap that ends a press would take away what it showed. None
    // keeps what the chart lies in from scrolling.
    .simultaneousGesture(inspect.exclusively(before: drag).exclusively(before: tap))
    .simultaneousGesture(magnify)
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
    .accessibilityLabel(words.summary(store.scene, named: name))
    .accessibilityValue(value)
    .accessibilityAdjustableAction { direction in
      switch direction {
      case .increment: store.walk(by: 1)
      case .decrement: store.walk(by: -1)
      @unknown default: break
      }
    }
  }

  private var value: String {
    guard let candle = store.candle, let coverage = store.candleCoverage else {
      return "nothing yet"
    }
    return words.sentence(candle, store.scene.drawn, coverage, at: store.now.wall)
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

  /// Where the finger is, once it is known; lifting it changes nothing.
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

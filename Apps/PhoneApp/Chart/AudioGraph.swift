#if canImport(Accessibility)
  import Accessibility
#endif
import AppState
import ChartModel
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

/// The visible candles' closes as the audio graph of screen readers, from the oldest to the newest.
///
/// Nothing is formatted before a screen reader requests it. Apple promises no thread for that, so
/// the formatters are the graph's own.
struct AudioGraph: AXChartDescriptorRepresentable {
  struct Point: Equatable {
    /// The start of the candle, in milliseconds since 1970.
    let time: Int64
    let close: Price
  }

  static let maximumPoints = 200

  let name: String
  let summary: String
  /// The titles of the axes.
  let axes: (time: String, price: String)
  let points: [Point]
  let interval: CandleInterval
  let priceScale: Scale
  /// The market's decimals; nil while unknown.
  let decimals: Scale?
  let zone: TimeZone
  let locale: Locale

  /// The closes of the candles in view, at most ``maximumPoints``: of more candles every second or
  /// third and so on, counted from the newest.
  static func points(of scene: ChartScene) -> [Point] {
    let (pyramid, view) = (scene.series.candles, scene.viewport)
    let candles = pyramid.candles(of: scene.drawn)
    func index(_ time: Double) -> Int {
      pyramid.firstIndex(notBefore: Int64(exactly: time.rounded()) ?? 0, of: scene.drawn)
    }
    let range = index(view.leftTime)..<max(index(view.leftTime), index(view.rightTime))
    let step = max(1, (range.count + maximumPoints - 1) / maximumPoints)
    return stride(from: range.upperBound - 1, through: range.lowerBound, by: -step).reversed().map {
      Point(time: candles[$0].start, close: candles[$0].close)
    }
  }

  func makeChartDescriptor() -> AXChartDescriptor {
    AXChartDescriptor(
      title: name, summary: summary, xAxis: times, yAxis: prices,
      series: [
        AXDataSeriesDescriptor(
          name: axes.price, isContinuous: true,
          dataPoints: points.map { AXDataPoint(x: Double($0.time), y: Double($0.close.units)) })
      ])
  }

  func updateChartDescriptor(_ descriptor: AXChartDescriptor) {
    let current = makeChartDescriptor()
    descriptor.title = current.title
    descriptor.summary = current.summary
    descriptor.xAxis = current.xAxis
    descriptor.yAxis = current.yAxis
    descriptor.series = current.series
  }

  private var times: AXNumericDataAxisDescriptor {
    let pattern = NumberTexts.TimePattern(step: interval.milliseconds)
    let formatter = NumberTexts.formatter(pattern, zone, locale)
    return AXNumericDataAxisDescriptor(
      title: axes.time, range: Self.range(of: points.map(\.time)), gridlinePositions: []
    ) { formatter.string(from: Date(timeIntervalSince1970: $0 / 1000)) }
  }

  /// In units of ``priceScale``, spoken in the market's decimals.
  private var prices: AXNumericDataAxisDescriptor {
    let (formatter, scale, decimals) = (AmountFormatter(locale: locale), priceScale, decimals)
    return AXNumericDataAxisDescriptor(
      title: axes.price, range: Self.range(of: points.map(\.close.units)),
      gridlinePositions: []
    ) { units in
      let exact = FixedDecimal(units: Int64(exactly: units.rounded()) ?? 0, scale: scale)
      return formatter.string(from: decimals.flatMap { exact.rounded(to: $0) } ?? exact.trimmed)
    }
  }

  /// Never of length 0, on which no pitch could be placed.
  private static func range(of values: [Int64]) -> ClosedRange<Double> {
    let (low, high) = (Double(values.min() ?? 0), Double(values.max() ?? 0))
    return low...max(high, low + 1)
  }
}

import AppState
import ChartModel
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing
import VenueCatalogue

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct AudioGraphTests {
  /// A minute chart of so many candles, of which the newest `visible` are in view.
  private func scene(_ count: Int, visible: Int) -> ChartScene {
    var series = CandleSeries(interval: .minute)
    for number in 0..<Int64(count) {
      _ = series.append(
        Candle(start: number * 60_000, price: Price(units: 100 + number), volume: .zero))
    }
    let viewport = Viewport(
      width: Double(visible) * 3, height: 200, rightTime: Double(count) * 60_000,
      millisecondsPerPixel: 20_000)
    return ChartScene(series: series, viewport: viewport)
  }

  @Test(arguments: [(0, 10), (1, 10), (50, 10), (150, 200), (200, 200), (5000, 1000)])
  func `the candles in view are its points, at most 200, with the newest`(
    count: Int, visible: Int
  ) throws {
    let points = AudioGraph.points(of: scene(count, visible: visible))
    #expect(points.count == min(count, visible, AudioGraph.maximumPoints))
    guard count > 0 else { return }
    #expect(points.last?.close == Price(units: 99 + Int64(count)))
    #expect(points.last?.time == Int64(count - 1) * 60_000)
    let steps = Set(zip(points, points.dropFirst()).map { $1.time - $0.time })
    #expect(steps.count <= 1 && steps.allSatisfy { $0 > 0 }, "evenly, from old to new")
  }

  @Test func `without a time in reach there is no point`() {
    for time in [Double.infinity, -.infinity, .nan, 1e300] {
      var scene = scene(10, visible: 10)
      scene.viewport = Viewport(
        width: 100, height: 100, rightTime: time, millisecondsPerPixel: 1000)
      #expect(AudioGraph.points(of: scene).count <= 10)
    }
  }

  @Test func `the chart is an audio graph in the market's decimals and the user's time`() throws {
    let app = TestApp()
    try app.host.tap("Exchange")
    #expect(try graph(app).series.map(\.dataPoints.count) == [0])
    for number in 0..<3 {
      try app.feeds.tick(UInt64(number) + 1, last: "10\(number).50")
      app.feeds.pass(5000)
    }
    app.host.render()
    let graph = try graph(app)
    #expect(graph.title == ExchangeCatalogue.name)
    #expect(graph.summary?.hasPrefix("Candle chart of \(ExchangeCatalogue.name)") == true)
    let points = try #require(graph.series.first).dataPoints.map(\.place)
    let (prices, times) = (
      try #require(graph.yAxis), try #require(graph.xAxis as? AXNumericDataAxisDescriptor)
    )
    #expect(
      points.map { prices.valueDescriptionProvider($0.y ?? 0) } == ["100.50", "101.50", "102.50"])
    #expect(
      points.map { times.valueDescriptionProvider($0.x) } == ["00:00:00", "00:00:05", "00:00:10"])
    #expect(points.allSatisfy { prices.range.contains($0.y ?? 0) && times.range.contains($0.x) })
    #expect(prices.valueDescriptionProvider(.nan) == "0.00")
    app.host.set(\.locale, Locale(identifier: "de_DE"))
    let german = try #require(try self.graph(app).yAxis)
    #expect(german.title == "Kurs")
    #expect(german.valueDescriptionProvider(points.first?.y ?? 0) == "100,50")
    #expect(app.host.complaints.isEmpty)
  }

  private func graph(_ app: TestApp) throws -> AXChartDescriptor {
    try #require(app.host.all.lazy.compactMap(\.chart).first)
  }
}

// From candles to pixels: scales, level of detail, gaps, crosshair, pan and zoom.

import MarketModel
import Testing

@testable import ChartModel

@Suite struct ChartSceneTests {
  private func series(_ count: Int, seed: UInt64 = 5) -> CandleSeries {
    var random = SplitMix64(seed: seed)
    var series = CandleSeries(interval: .second)
    var units: Int64 = 100_000
    for index in 0..<count {
      units += random.below(21) - 10
      series.add(
        Price(units: units), volume: Quantity(units: random.below(50)), at: Int64(index) * 1000)
    }
    return series
  }

  private func scene(_ count: Int, pixelsPerSecond: Double = 8) -> ChartScene {
    ChartScene(
      series: series(count),
      viewport: Viewport(
        width: 800, height: 400, rightTime: Double(count) * 1000,
        millisecondsPerPixel: 1000 / pixelsPerSecond))
  }

  @Test func `an empty series draws nothing and has no scale`() {
    var scene = ChartScene(
      series: CandleSeries(interval: .minute),
      viewport: Viewport(width: 300, height: 200, rightTime: 0, millisecondsPerPixel: 100))
    scene.draw(at: 0)
    #expect(scene.list == DrawList())
    #expect(scene.axis == nil)
    #expect(scene.crosshair(x: 10, y: 10) == nil)
  }

  @Test func `only visible candles are drawn, each inside the height`() {
    var scene = scene(10_000)
    scene.draw(at: 10_000_000)
    #expect(scene.list.candles.count <= 102)
    #expect(scene.list.candles.count > 90)
    for mark in scene.list.candles {
      #expect(mark.wickTop >= 0 && mark.wickBottom <= 400)
      #expect(mark.wickTop <= mark.top && mark.top <= mark.bottom)
      #expect(mark.bottom <= mark.wickBottom)
    }
  }

  @Test func `a million candles are drawn as at most one for each two pixels`() {
    var scene = scene(1_000_000, pixelsPerSecond: 0.0008)
    scene.draw(at: 1_000_000_000)
    #expect(scene.list.candles.count <= 402)
    #expect(scene.list.candles.count >= 40)
    let all = (0..<1_000_000).map { scene.series.candles[$0] }
    let lowest = scene.list.candles.map(\.wickBottom).max() ?? 0
    let expected = scene.axis.map { Float($0.y(of: all.map(\.low).min() ?? Price(units: 0))) }
    #expect(expected == lowest, "merging must not lose the extreme")
  }

  @Test func `the newest candle stays in view while the chart follows it and not after a pan`() {
    var scene = scene(100)
    scene.draw(at: 100_000)
    #expect(scene.viewport.rightTime == 100_000 + 24 * 125)
    scene.series.add(Price(units: 1), volume: .zero, at: 200_000)
    scene.draw(at: 200_500)
    #expect(scene.viewport.rightTime == 201_000 + 24 * 125)
    scene.viewport.pan(byPixels: 80)
    let right = scene.viewport.rightTime
    scene.series.add(Price(units: 1), volume: .zero, at: 300_000)
    scene.draw(at: 300_000)
    #expect(scene.viewport.rightTime == right)
    scene.viewport.backToLive()
    scene.draw(at: 300_000)
    #expect(scene.viewport.rightTime > 300_000)
  }

  @Test func `zooming keeps the time under the pointer where it is`() {
    var viewport = Viewport(width: 800, height: 400, rightTime: 1e9, millisecondsPerPixel: 100)
    viewport.pan(byPixels: 10)
    let time = viewport.time(atX: 300)
    viewport.zoom(by: 1.7, atX: 300)
    #expect(abs(viewport.time(atX: 300) - time) < 0.001)
    #expect(abs(viewport.millisecondsPerPixel - 100 / 1.7) < 0.001)
    viewport.zoom(by: 0, atX: 300)
    viewport.zoom(by: .nan, atX: 300)
    viewport.zoom(by: 1e300, atX: 300)
    #expect(viewport.millisecondsPerPixel == Viewport.minimumMillisecondsPerPixel)
    viewport.pan(byPixels: .infinity)
    #expect(viewport.rightTime.isFinite)
  }

  @Test func `a line is lifted over an interruption and over nothing else`() {
    var scene = scene(60)
    scene.style = .line
    scene.series.note(SeriesGap(start: 20_500, end: 29_500))
    scene.draw(at: 60_000)
    let lifted = scene.list.line.indices.filter { scene.list.line[$0].startsNew }
    #expect(lifted.first == 0)
    #expect(lifted.count > 1)
    #expect(scene.list.gaps.count == 1)
    #expect(scene.list.candles.isEmpty)
    let outside = scene.list.line.filter { mark in
      mark.startsNew
        && !(scene.viewport.x(of: 20_000)...scene.viewport.x(of: 31_000))
          .contains(Double(mark.x))
    }
    #expect(outside.count == 1)
  }

  @Test func `grid prices are round numbers far enough apart`() {
    let axis = PriceAxis(low: Price(units: 4471), high: Price(units: 4569), height: 400)
    let prices = axis.gridPrices(minimumPixels: 48)
    #expect(prices.count >= 3)
    for (first, second) in zip(prices, prices.dropFirst()) {
      #expect(axis.y(of: first) - axis.y(of: second) >= 47)
      #expect([1, 2, 5, 10, 20, 50].contains(second.units - first.units))
    }
  }

  @Test func `a scale survives equal and extreme prices`() {
    for (low, high) in [(5, 5), (Int64.min, Int64.max), (Int64.max, Int64.max), (-3, 3)]
      as [(Int64, Int64)]
    {
      let axis = PriceAxis(low: Price(units: low), high: Price(units: high), height: 300)
      #expect(axis.low < axis.high)
      #expect(axis.y(of: axis.high) == 0)
      #expect(axis.gridPrices(minimumPixels: 20).count <= 64)
      _ = axis.price(atY: -1e9)
      _ = axis.price(atY: 1e9)
    }
  }

  @Test func `grid times fall on the reader's round hours`() {
    let viewport = Viewport(
      width: 1000, height: 100, rightTime: 1.7e12, millisecondsPerPixel: 36_000)
    let offset: Int64 = 5 * 3_600_000 + 1_800_000
    let times = TimeAxis.gridTimes(of: viewport, minimumPixels: 96, offset: offset)
    #expect(times.count >= 4)
    for time in times { #expect((time + offset) % 3_600_000 == 0) }
  }

  @Test func `the crosshair finds the candle under the pointer and nothing in a gap`() {
    var scene = scene(100)
    scene.draw(at: 100_000)
    let x = scene.viewport.x(of: 50_400)
    let hit = scene.crosshair(x: x, y: 200)
    #expect(hit?.candle?.start == 50_000)
    #expect(hit?.candle == scene.series.candles[50])
    #expect(scene.crosshair(x: -1e6, y: 0)?.candle == nil)
    #expect(scene.crosshair(x: .nan, y: 0) == nil)
  }

  @Test func `own fills are marked where they happened`() {
    var scene = scene(100)
    scene.fills = [
      ChartFill(time: 50_000, price: Price(units: 100_000), side: .buy),
      ChartFill(time: -50_000_000, price: Price(units: 1), side: .sell),
    ]
    scene.draw(at: 100_000)
    #expect(scene.list.fills.count == 1)
    #expect(scene.list.fills.first?.x == Float(scene.viewport.x(of: 50_000)))
  }

  @Test func `the same input gives the same picture`() {
    var one = scene(3000)
    var two = scene(3000)
    one.draw(at: 3_000_000)
    two.draw(at: 3_000_000)
    #expect(one.list == two.list)
  }
}

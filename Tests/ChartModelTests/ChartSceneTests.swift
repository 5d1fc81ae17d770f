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
    #expect(scene.list.candles.isEmpty && scene.list.prices.isEmpty && scene.list.live == nil)
    #expect(scene.axis == nil)
    #expect(scene.crosshair(x: 10, y: 10) == nil)
  }

  @Test func `only visible candles are drawn, each inside the height`() {
    var scene = scene(10_000)
    scene.draw(at: 10_000_000)
    #expect(scene.list.candles.count <= 103)
    #expect(scene.list.candles.count > 90)
    for mark in scene.list.candles {
      #expect(mark.wickTop >= 0 && mark.wickBottom <= 400)
      #expect(mark.wickTop <= mark.top && mark.top <= mark.bottom)
      #expect(mark.bottom <= mark.wickBottom)
    }
  }

  @Test func `a million candles are drawn as at most one for each 2.5 pixels`() {
    var scene = scene(1_000_000, pixelsPerSecond: 0.0008)
    scene.draw(at: 0)
    #expect(scene.drawn == .hour)
    #expect(scene.list.candles.count <= 323)
    #expect(scene.list.candles.count >= 200)
    let all = scene.series.candles.candles(of: .second)
    let lowest = scene.list.candles.map(\.wickBottom).max() ?? 0
    let expected = scene.axis.map { Float($0.y(of: all.map(\.low).min() ?? Price(units: 0))) }
    #expect(expected == lowest, "merging must not lose the extreme")
  }

  @Test func `no candle of any zoom spans a silence`() {
    var series = CandleSeries(interval: .second)
    for second in 0..<Int64(600) {
      series.add(Price(units: 100), volume: .zero, at: second * 1000)
      series.add(Price(units: 100), volume: .zero, at: 1_000_000_000 + second * 1000)
    }
    var scene = ChartScene(
      series: series,
      viewport: Viewport(
        width: 800, height: 400, rightTime: 1_000_700_000, millisecondsPerPixel: 1_300_000))
    scene.draw(at: 0)
    for mark in scene.list.candles {
      let time = scene.viewport.time(atX: Double(mark.x))
      #expect(time < 20_000_000 || time > 980_000_000)
    }
  }

  @Test func `the newest candle stays in view while the chart follows it and not after a pan`() {
    var scene = scene(100)
    scene.draw(at: 99_500)
    #expect(scene.viewport.rightTime == 100_000 + 24 * 125)
    scene.series.add(Price(units: 1), volume: .zero, at: 200_000)
    scene.draw(at: 200_500)
    #expect(scene.viewport.rightTime == 201_000 + 24 * 125)
    scene.pan(byPixels: 80)
    let right = scene.viewport.rightTime
    scene.series.add(Price(units: 1), volume: .zero, at: 250_000)
    scene.draw(at: 250_000)
    #expect(scene.viewport.rightTime == right)
    scene.backToLive()
    scene.draw(at: 250_000)
    #expect(scene.viewport.rightTime > 250_000)
  }

  @Test func `silence moves the picture on, by steps, and by no more than a quarter`() {
    var scene = scene(100)
    scene.draw(at: 0)
    let edge = scene.viewport.rightTime
    scene.draw(at: 103_200)
    #expect(scene.viewport.rightTime == edge + 4000)
    scene.draw(at: 103_900)
    #expect(scene.viewport.rightTime == edge + 4000)
    scene.draw(at: .max)
    #expect(scene.viewport.rightTime == edge + 800 * 125 / 4)
  }

  @Test func `a pan stops at both ends, and coming back to the newest candle follows it again`() {
    var scene = scene(1000)
    scene.draw(at: 0)
    scene.pan(byPixels: 1e7)
    scene.draw(at: 0)
    #expect(scene.list.candles.count >= 10)
    #expect(!scene.viewport.followsLive)
    scene.pan(byPixels: -1e7)
    #expect(scene.viewport.followsLive)
    scene.showOldest()
    scene.draw(at: 0)
    #expect(scene.viewport.leftTime == 0)
  }

  @Test func `zoom is bounded by the widest candle and by what there is`() {
    var scene = scene(5000)
    scene.draw(at: 0)
    scene.zoom(by: 1e9, atX: 100)
    scene.draw(at: 0)
    #expect(abs((scene.list.candles.first?.width ?? 0) - 48) < 0.01)
    scene.zoom(by: 1e-9, atX: 100)
    scene.draw(at: 0)
    #expect(abs(scene.viewport.width * scene.viewport.millisecondsPerPixel - 6_250_000) < 1)
    scene.zoom(by: .nan, atX: 1)
    scene.zoom(by: -1, atX: 1)
    #expect(scene.viewport.millisecondsPerPixel.isFinite)
  }

  @Test func `another interval shows the same ticks`() {
    var scene = scene(1000)
    scene.show(.minute, pixelsPerCandle: 10)
    scene.draw(at: 0)
    #expect(scene.drawn == .minute)
    #expect(scene.list.candles.count == 17)
    scene.series.add(Price(units: 5), volume: .zero, at: 999_500)
    scene.draw(at: 0)
    #expect(scene.list.live?.price == Price(units: 5))
    var minutes = ChartScene(series: CandleSeries(interval: .minute), viewport: scene.viewport)
    let finer = minutes.show(.second, pixelsPerCandle: 8)
    #expect(!finer)
  }

  @Test func `a screen with twice the pixels shows the same time`() {
    var scene = scene(1000)
    scene.draw(at: 0)
    let span = scene.viewport.rightTime - scene.viewport.leftTime
    let count = scene.list.candles.count
    scene.resize(width: 1600, height: 800, pixelRatio: 2)
    scene.draw(at: 0)
    #expect(scene.viewport.rightTime - scene.viewport.leftTime == span)
    #expect(scene.list.candles.count == count)
    scene.resize(width: .nan, height: -3, pixelRatio: 0)
    scene.draw(at: 0)
    #expect(scene.viewport.width == 1)
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
    #expect(lifted.count == 2, "once for the first, once after the interruption")
    #expect(scene.list.gaps.count == 1)
    let outside = scene.list.line.filter { mark in
      mark.startsNew
        && !(scene.viewport.x(of: 20_000)...scene.viewport.x(of: 31_000))
          .contains(Double(mark.x))
    }
    #expect(outside.count == 1)
  }

  @Test func `grid prices are round numbers far enough apart`() {
    let axis = PriceAxis(low: Price(units: 4471), high: Price(units: 4569), height: 400)
    var prices: [Price] = []
    axis.forEachGridLine(minimumPixels: 48) { prices.append($0.price) }
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
      var lines = 0
      axis.forEachGridLine(minimumPixels: 20) { _ in lines += 1 }
      #expect(lines <= 64)
      _ = axis.price(atY: -1e9)
      _ = axis.price(atY: 1e9)
    }
  }

  @Test func `grid times fall on the reader's round hours`() {
    let viewport = Viewport(
      width: 1000, height: 100, rightTime: 1.7e12, millisecondsPerPixel: 36_000)
    let offset: Int64 = 5 * 3_600_000 + 1_800_000
    var times: [Int64] = []
    let step = TimeAxis.forEachGridTime(of: viewport, minimumPixels: 96, zone: ZoneOffsets(offset))
    {
      times.append($0)
    }
    #expect(step == 3_600_000)
    #expect(times.count >= 4)
    for time in times { #expect((time + offset) % 3_600_000 == 0) }
  }

  @Test func `wide views have lines on firsts of months and years`() {
    // 1 January 2024, 1 March 2024, 1 January 2000, 1 December 1969
    for first: Int64 in [1_704_067_200_000, 1_709_251_200_000, 946_684_800_000, -2_678_400_000] {
      let month = TimeAxis.monthIndex(of: first)
      #expect(TimeAxis.start(ofMonth: month) == first)
      #expect(TimeAxis.monthIndex(of: first - 1) == month - 1)
    }
    let viewport = Viewport(
      width: 1000, height: 100, rightTime: 1_709_251_200_000, millisecondsPerPixel: 2.5e7)
    var times: [Int64] = []
    let step = TimeAxis.forEachGridTime(of: viewport, minimumPixels: 96, zone: .utc) {
      times.append($0)
    }
    #expect(step == 2_592_000_000)
    #expect(times.last == 1_709_251_200_000)
    #expect(times.contains(1_704_067_200_000))
  }

  @Test func `a continuing interruption is shaded to the right edge`() {
    var scene = scene(100)
    scene.interruptedSince = 95_000
    scene.draw(at: 110_000)
    #expect(scene.list.gaps.last?.right == 800)
    #expect(scene.list.gaps.last?.left == Float(scene.viewport.x(of: 95_000)))
  }

  @Test func `the crosshair can be walked from candle to candle and the view comes along`() {
    var scene = scene(500)
    scene.draw(at: 0)
    #expect(scene.crosshair(atIndex: 500) == nil)
    scene.reveal(20)
    scene.draw(at: 0)
    let hit = scene.crosshair(atIndex: 20)
    #expect(hit?.candle == scene.series.candles[20])
    #expect((hit?.x ?? -1) > 0)
    scene.reveal(499)
    scene.draw(at: 0)
    #expect((scene.crosshair(atIndex: 499)?.x ?? 9999) < 800)
  }

  /// The page reads these structures in memory; its reader has the same numbers.
  @Test func `marks lie in memory as the page reads them`() {
    #expect(MemoryLayout<CandleMark>.stride == 32)
    #expect(MemoryLayout<CandleMark>.offset(of: \.volumeHeight) == 24)
    #expect(MemoryLayout<CandleMark>.offset(of: \.signs) == 28)
    let signs: [CandleSigns] = [.rising, .partial, .withoutTrades, .contradicted]
    #expect(signs.map(\.rawValue) == [1, 2, 4, 8])
    #expect(MemoryLayout<LineMark>.stride == 12)
    #expect(MemoryLayout<LineMark>.offset(of: \.startsNew) == 8)
    #expect(MemoryLayout<GapMark>.stride == 8)
    #expect(MemoryLayout<PriceMark>.stride == 16)
    #expect(MemoryLayout<PriceMark>.offset(of: \.price) == 8)
    #expect(MemoryLayout<TimeMark>.stride == 16)
    #expect(MemoryLayout<TimeMark>.offset(of: \.time) == 8)
    #expect(MemoryLayout<PriceMark>.offset(of: \.hundredths) == 4)
    #expect(MemoryLayout<FillMark>.stride == 16)
    #expect(MemoryLayout<FillMark>.offset(of: \.count) == 8)
    #expect(MemoryLayout<FillMark>.offset(of: \.side) == 12)
    #expect(MemoryLayout<StudyMark>.stride == 12)
    #expect(MemoryLayout<StudyMark>.offset(of: \.study) == 8)
    #expect(MemoryLayout<StudyMark>.offset(of: \.startsNew) == 9)
    #expect(MemoryLayout<ProfileMark>.stride == 16)
    #expect(MemoryLayout<ProfileMark>.offset(of: \.isMost) == 12)
    #expect(MemoryLayout<OrderMark>.stride == 16)
    #expect(MemoryLayout<OrderMark>.offset(of: \.tag) == 8)
    #expect(MemoryLayout<OrderMark>.offset(of: \.count) == 12)
    #expect(MemoryLayout<DrawingMark>.stride == 32)
    #expect(MemoryLayout<DrawingMark>.offset(of: \.level) == 16)
    #expect(MemoryLayout<DrawingMark>.offset(of: \.kind) == 20)
    #expect(MemoryLayout<DrawingMark>.offset(of: \.drawing) == 22)
    #expect(MemoryLayout<DrawingMark>.offset(of: \.price) == 24)
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

  @Test func `own fills are marked once for each candle and side, outside of it`() throws {
    var scene = scene(100)
    let price = Price(units: 100_000)
    scene.fills = [
      ChartFill(time: 50_100, price: price, side: .buy),
      ChartFill(time: 50_200, price: price, side: .sell),
      ChartFill(time: 50_900, price: price, side: .buy),
      ChartFill(time: -50_000_000, price: Price(units: 1), side: .sell),
    ]
    scene.draw(at: 100_000)
    #expect(scene.list.fills.map(\.side) == [.buy, .sell])
    let axis = try #require(scene.axis)
    let candle = scene.series.candles[50]
    #expect(scene.list.fills.first?.x == Float(scene.viewport.x(of: 50_500)))
    #expect(scene.list.fills.first?.y == Float(axis.y(of: candle.low)))
    #expect(scene.list.fills.last?.y == Float(axis.y(of: candle.high)))
  }

  @Test func `the live price shows which way it moved last`() {
    var scene = scene(10)
    let last = scene.series.latestPrice?.units ?? 0
    for (change, isUp) in [(5, true), (5, true), (3, false), (3, false), (4, true)]
      as [(Int64, Bool)]
    {
      scene.series.add(Price(units: last + change), volume: .zero, at: 9500)
      scene.draw(at: 10_000)
      #expect(scene.list.live?.isUp == isUp, "\(change)")
    }
  }

  @Test func `with the newest candle in view another interval follows it`() {
    var scene = scene(1000)
    scene.draw(at: 1_000_000)
    scene.pan(byPixels: 80)
    #expect(!scene.viewport.followsLive)
    scene.show(.minute, pixelsPerCandle: 9)
    #expect(scene.viewport.followsLive)
    scene.show(.second, pixelsPerCandle: 9)
    scene.draw(at: 1_000_000)
    scene.pan(byPixels: 2000)
    scene.show(.fiveSeconds, pixelsPerCandle: 9)
    #expect(!scene.viewport.followsLive)
  }

  @Test func `the same input gives the same picture`() {
    var one = scene(3000)
    var two = scene(3000)
    one.draw(at: 3_000_000)
    two.draw(at: 3_000_000)
    #expect(one.list == two.list)
  }

  @Test func `a partial candle is marked and has its start, at every interval`() {
    let start: Int64 = 1_790_000_000_000
    var series = CandleSeries(interval: .second)
    for second in 0..<600 {
      series.add(Price(units: 100), volume: Quantity(units: 1), at: start + Int64(second) * 1000)
    }
    var scene = ChartScene(
      series: series,
      viewport: Viewport(
        width: 800, height: 300, rightTime: Double(start), millisecondsPerPixel: 125))
    for interval in [CandleInterval.minute, .hour, .day, .week] {
      _ = scene.show(interval, pixelsPerCandle: 20)
      scene.showOldest()
      scene.draw(at: start + 600_000)
      #expect(scene.list.candles.first?.isPartial == true, "\(interval)")
      #expect(scene.crosshair(atIndex: 0)?.seenSince == start, "\(interval)")
    }
    _ = scene.show(.minute, pixelsPerCandle: 20)
    scene.draw(at: start + 600_000)
    #expect(scene.crosshair(atIndex: 1)?.seenSince == nil, "the minutes after it are whole")
  }
}

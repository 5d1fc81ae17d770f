// The price scale in its three forms, against the C library's logarithm and plain fractions.

import Foundation
import MarketModel
import Testing

@testable import ChartModel

@Suite struct PriceAxisTests {
  private static let seed: UInt64 = 20_261_123

  private func scene(_ count: Int = 400) -> ChartScene {
    var random = SplitMix64(seed: PriceAxisTests.seed)
    var series = CandleSeries(interval: .second)
    var units: Int64 = 100_000
    for index in 0..<count {
      units += random.below(2001) - 1000
      units = max(500, units)
      series.add(
        Price(units: units), volume: Quantity(units: random.below(50)), at: Int64(index) * 1000)
    }
    return ChartScene(
      series: series,
      viewport: Viewport(
        width: 800, height: 400, rightTime: Double(count) * 1000, millisecondsPerPixel: 125))
  }

  @Test func `the logarithm and its inverse are those of the C library`() {
    var random = SplitMix64(seed: PriceAxisTests.seed)
    for _ in 0..<20_000 {
      let value = Double(random.next() >> UInt64(random.below(63))) / 1000 + 1e-9
      let found = Logarithm.of(value)
      #expect(abs(found - Foundation.log(value)) <= 1e-14 * max(1, abs(found)), "\(value)")
      let back = Logarithm.inverse(found)
      #expect(abs(back - Foundation.exp(found)) <= 1e-13 * back, "\(found)")
    }
    #expect(Logarithm.of(1) == 0 && Logarithm.inverse(0) == 1)
    for hostile in [0, -1, .infinity, -.infinity, .nan, .leastNonzeroMagnitude] as [Double] {
      #expect(Logarithm.of(hostile).isFinite && Logarithm.inverse(hostile).isFinite)
    }
  }

  @Test func `equal ratios are equally high on a logarithmic scale`() {
    let axis = PriceAxis(
      PriceRange(Price(units: 1000), Price(units: 64_000)), height: 600, scale: .logarithmic)
    for power in 0...6 {
      let y = axis.y(of: Price(units: 1000 << power))
      #expect(abs(y - (600 - 100 * Double(power))) < 1e-9)
      #expect(axis.price(atY: y) == Price(units: 1000 << power))
    }
    #expect(axis.y(of: Price(units: 0)) > 600 && axis.y(of: Price(units: -5)) > 600)
  }

  @Test func `grid lines and a profile survive any range, base and tick`() {
    let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, 7, 1 << 53, .max - 1, .max]
    for low in extremes {
      for high in extremes where high >= low {
        for base in extremes {
          let axis = PriceAxis(
            PriceRange(Price(units: low), Price(units: high)), height: 600, scale: .percent,
            base: Price(units: base))
          axis.forEachGridLine(minimumPixels: 40) { #expect($0.y.isFinite) }
        }
        for tick: Int64 in [1, .max] {
          let profile = VolumeProfile(
            low: Price(units: low), high: Price(units: high), tick: tick, rows: 1)
          #expect((1...2).contains(profile.rows.count))
        }
      }
    }
  }

  @Test(arguments: PriceScale.allCases)
  func `a price and its pixel lead to each other`(scale: PriceScale) {
    var random = SplitMix64(seed: PriceAxisTests.seed)
    for _ in 0..<2000 {
      let low = 1 + random.below(1_000_000)
      let high = low + 2000 + random.below(1_000_000)
      let axis = PriceAxis(
        PriceRange(Price(units: low), Price(units: high)), height: 2000, scale: scale,
        base: Price(units: low))
      #expect(axis.scale == scale)
      let price = Price(units: low + random.below(high - low))
      #expect(axis.price(atY: axis.y(of: price)) == price, "seed \(PriceAxisTests.seed)")
    }
  }

  @Test(arguments: PriceScale.allCases)
  func `lines are round, in order and far enough apart`(scale: PriceScale) {
    var random = SplitMix64(seed: PriceAxisTests.seed)
    for _ in 0..<500 {
      let low = 1 + random.below(100_000)
      let high = low + 1 + random.below(1 + low * random.below(40))
      let axis = PriceAxis(
        low: Price(units: low), high: Price(units: high), height: 500, scale: scale,
        base: Price(units: low))
      var marks: [PriceMark] = []
      axis.forEachGridLine(minimumPixels: 52) { marks.append($0) }
      #expect(marks.count <= 12)
      for (first, second) in zip(marks, marks.dropFirst()) {
        #expect(first.price <= second.price && first.y - second.y >= 49, "\(low) \(high)")
        let step =
          scale == .percent
          ? Int64(second.hundredths - first.hundredths) : second.price.units - first.price.units
        if scale != .logarithmic {
          #expect([1, 2, 5].contains(leading(step)), "\(step)")
        }
      }
      for mark in marks where scale == .percent {
        let exact = Double(low) * (1 + Double(mark.hundredths) / 10_000)
        #expect(abs(Double(mark.price.units) - exact) <= 0.500_001)
        #expect(abs(axis.y(of: mark.price) - Double(mark.y)) <= 500 / Double(high - low) + 0.01)
      }
    }
  }

  private func leading(_ number: Int64) -> Int64 {
    var number = number
    while number >= 10, number % 10 == 0 { number /= 10 }
    return number
  }

  @Test func `a percentage is of the base, rounded half to even, and never of nothing`() {
    let range = PriceRange(Price(units: 0), Price(units: 40_000))
    let axis = PriceAxis(range, height: 100, scale: .percent, base: Price(units: 20_000))
    for (units, hundredths) in [
      (20_000, 0), (20_001, 0), (20_003, 2), (30_000, 5000), (0, -10_000),
    ]
      as [(Int64, Int64)]
    {
      #expect(axis.hundredths(of: Price(units: units)) == hundredths, "\(units)")
    }
    for base in [0, -1] as [Int64] {
      let none = PriceAxis(range, height: 100, scale: .percent, base: Price(units: base))
      #expect(none.scale == .linear && none.hundredths(of: Price(units: 5)) == nil)
    }
    let below = PriceAxis(
      PriceRange(Price(units: -5), Price(units: 5)), height: 100, scale: .logarithmic)
    #expect(below.scale == .linear)
  }

  @Test(arguments: PriceScale.allCases)
  func `a stretched scale stays until automatic scaling is chosen again`(scale: PriceScale) throws {
    var scene = scene()
    scene.scale = scale
    scene.draw(at: 0)
    let fitted = try #require(scene.axis)
    let middle = fitted.price(atY: 200)
    scene.movePrices(byPixels: 50)
    #expect(scene.range == nil, "the candles choose: nothing to move")
    scene.stretchPrices(by: 2)
    scene.draw(at: 0)
    let stretched = try #require(scene.axis)
    #expect(abs(stretched.y(of: middle) - 200) < 1)
    let wanted = fitted.price(atY: 100)
    #expect(abs(stretched.y(of: wanted)) < 1, "what stood half way up stands at the top")
    scene.movePrices(byPixels: 40)
    scene.draw(at: 0)
    #expect(abs((scene.axis?.y(of: middle) ?? 0) - 240) < 1)
    scene.pan(byPixels: 300)
    scene.draw(at: 0)
    #expect(scene.axis?.range == scene.range)
    scene.fitPrices()
    scene.backToLive()
    scene.draw(at: 0)
    #expect(scene.axis == fitted)
  }

  @Test func `no hand and no price makes a scale that can't be drawn`() {
    var random = SplitMix64(seed: PriceAxisTests.seed)
    for scale in PriceScale.allCases {
      var scene = scene()
      scene.scale = scale
      scene.tick = 5
      for _ in 0..<300 {
        scene.draw(at: 0)
        let size = Double(random.below(20_001)) / 100
        switch random.below(4) {
        case 0: scene.stretchPrices(by: size / 20)
        case 1: scene.stretchPrices(by: 0.4)
        case 2: scene.movePrices(byPixels: size * 20 - 2000)
        default: scene.stretchPrices(by: [0, -1, .nan, .infinity, 1e300][Int(random.below(5))])
        }
        guard let range = scene.range else { continue }
        #expect(range.low < range.high, "seed \(PriceAxisTests.seed)")
        #expect(PriceAxis.distance(range.low, range.high) >= 20)
      }
      scene.draw(at: 0)
      #expect(scene.list.candles.allSatisfy { $0.top.isFinite && $0.wickBottom.isFinite })
    }
  }

  @Test func `prices snap to the tick, half a tick upwards, on both sides of 0`() {
    var scene = scene(10)
    scene.tick = 5
    for (units, expected) in [(0, 0), (2, 0), (3, 5), (-2, 0), (-3, -5), (7, 5), (8, 10)]
      as [(Int64, Int64)]
    {
      #expect(scene.snapped(Price(units: units)).units == expected, "\(units)")
    }
    scene.tick = 10
    #expect(
      scene.snapped(Price(units: 5)).units == 10 && scene.snapped(Price(units: -5)).units == 0)
    for extreme in [Int64.min, .max] { _ = scene.snapped(Price(units: extreme)) }
    scene.draw(at: 0)
    #expect((scene.crosshair(x: 3, y: 77)?.price.units ?? 1) % 10 == 0)
  }

  @Test func `the latest price shows how long its candle lasts`() {
    var scene = scene(100)
    scene.show(.minute, pixelsPerCandle: 20)
    scene.draw(at: 99_000)
    #expect(scene.list.live?.closesIn == 21_000)
    scene.draw(at: 120_000)
    #expect(scene.list.live?.closesIn == 60_000)
    for hostile in [Int64.min, .max] {
      scene.draw(at: hostile)
      #expect((1...60_000).contains(scene.list.live?.closesIn ?? 0))
    }
  }
}

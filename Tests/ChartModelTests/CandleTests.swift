// Candles from ticks, and their coarser copies.

import MarketModel
import Testing

@testable import ChartModel

@Suite struct CandleTests {
  private func price(_ units: Int64) -> Price { Price(units: units) }
  private let one = Quantity(units: 1)

  @Test func `ticks of one span make one candle with open, high, low, close and volume`() {
    var series = CandleSeries(interval: .second)
    for (units, time) in [(10, 1000), (14, 1200), (8, 1500), (11, 1999)] as [(Int64, Int64)] {
      series.add(price(units), volume: one, at: time)
    }
    let candle = series.candles.last
    #expect(series.candles.count == 1)
    #expect(candle?.open == price(10))
    #expect(candle?.high == price(14))
    #expect(candle?.low == price(8))
    #expect(candle?.close == price(11))
    #expect(candle?.volume == Quantity(units: 4))
    #expect(candle?.start == 1000)
  }

  @Test func `a span without ticks has no candle`() {
    var series = CandleSeries(interval: .second)
    series.add(price(10), volume: one, at: 1000)
    series.add(price(10), volume: one, at: 4000)
    #expect(series.candles.count == 2)
    #expect(series.candles[1].start == 4000)
  }

  @Test func `a clock that steps back widens an old candle and never moves a close`() {
    var series = CandleSeries(interval: .second)
    series.add(price(10), volume: one, at: 1000)
    series.add(price(11), volume: one, at: 2000)
    series.add(price(99), volume: one, at: 1500)
    #expect(series.candles[0].high == price(99))
    #expect(series.candles[0].close == price(10))
    #expect(series.candles[1].close == price(11))
    series.add(price(1), volume: one, at: 0)
    #expect(series.candles.count == 2)
    #expect(series.lateTicks == 2)
  }

  @Test(arguments: CandleInterval.allCases)
  func `spans start at multiples of their length, before 1970 as well`(interval: CandleInterval) {
    for time: Int64 in [-1, 0, 1, 1_700_000_123_456, -86_400_001] {
      let start = interval.start(of: time)
      #expect(start % interval.milliseconds == 0)
      #expect(start <= time && time < start + interval.milliseconds)
    }
  }

  @Test func `sizes add up to the largest number and not beyond`() {
    var series = CandleSeries(interval: .second)
    series.add(price(1), volume: Quantity(units: .max), at: 0)
    series.add(price(1), volume: one, at: 1)
    #expect(series.candles.last?.volume == Quantity(units: .max))
  }

  @Test func `interruptions that touch are joined and the oldest are forgotten`() {
    var series = CandleSeries(interval: .second)
    series.note(SeriesGap(start: 10, end: 20))
    series.note(SeriesGap(start: 15, end: 30))
    #expect(series.gaps == [SeriesGap(start: 10, end: 30)])
    #expect(series.isInterrupted(from: 0, to: 11))
    #expect(!series.isInterrupted(from: 30, to: 40))
    for number in 0..<Int64(400) {
      series.note(SeriesGap(start: 100 * number, end: 100 * number + 1))
    }
    #expect(series.gaps.count <= CandleSeries.maximumGaps)
  }

  @Test func `a history's candle must follow the last one and be in order`() {
    var series = CandleSeries(interval: .minute)
    let good = Candle(
      start: 60_000, open: price(5), high: price(9), low: price(4), close: price(6), volume: one)
    var skewed = good
    skewed.start = 120_001
    var inverted = good
    inverted.start = 120_000
    inverted.low = price(10)
    let taken = [good, good, skewed, inverted].map { series.append($0) }
    #expect(taken == [true, false, false, false])
    #expect(series.candles.count == 1)
  }

  @Test func `every level of detail equals the candles it stands for`() {
    let seed: UInt64 = 31
    var random = SplitMix64(seed: seed)
    var pyramid = CandlePyramid()
    for index in 0..<5000 {
      pyramid.append(
        Candle(start: Int64(index) * 1000, price: price(random.below(1000)), volume: one))
      if random.below(4) == 0 {
        let old = Int(random.below(Int64(pyramid.count)))
        let extra = price(random.below(2000) - 500)
        pyramid.update(old) { $0.add(extra, volume: one, isLatest: old == index) }
      }
    }
    #expect(pyramid.levelCount > 3)
    for level in 1..<pyramid.levelCount {
      let span = CandlePyramid.span(ofLevel: level)
      let coarse = pyramid.candles(atLevel: level)
      #expect(coarse.count == (pyramid.count + span - 1) / span)
      for (group, candle) in coarse.enumerated() {
        let fine = (group * span..<min((group + 1) * span, pyramid.count)).map { pyramid[$0] }
        #expect(candle.high == fine.map(\.high).max(), "seed \(seed), level \(level)")
        #expect(candle.low == fine.map(\.low).min())
        #expect(candle.open == fine.first?.open)
        #expect(candle.close == fine.last?.close)
        #expect(candle.volume.units == fine.reduce(0) { $0 + $1.volume.units })
      }
    }
  }

  @Test func `the first candle at or after a time is found`() {
    var pyramid = CandlePyramid()
    for start: Int64 in [0, 1000, 5000, 6000] {
      pyramid.append(Candle(start: start, price: price(1), volume: one))
    }
    #expect(pyramid.firstIndex(notBefore: -5) == 0)
    #expect(pyramid.firstIndex(notBefore: 1000) == 1)
    #expect(pyramid.firstIndex(notBefore: 1001) == 2)
    #expect(pyramid.firstIndex(notBefore: 7000) == 4)
  }
}

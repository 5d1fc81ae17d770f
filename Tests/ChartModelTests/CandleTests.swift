import MarketModel
import Testing

@testable import ChartModel

@Suite struct CandleTests {
  private func price(_ units: Int64) -> Price { Price(units: units) }
  private let one = Quantity(units: 1)

  /// The time from which a candle was observed; nil for a whole one.
  private func since(
    _ series: CandleSeries, _ start: Int64, of interval: CandleInterval
  ) -> Int64? {
    let index = series.candles.firstIndex(notBefore: start, of: interval)
    return series.coverage(of: series.candles.candles(of: interval)[index], interval).since
  }

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
      #expect((start + 259_200_000) % interval.milliseconds == 0)
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
    var outside = good
    outside.start = 180_000
    outside.close = price(10)
    let tookOutside = series.append(outside)
    #expect(!tookOutside)
    #expect(taken == [true, false, false, false])
    #expect(series.candles.count == 1)
  }

  @Test(arguments: [3, 2000])
  func `every interval agrees with the finest candles`(secondsApart: Int64) {
    let seed: UInt64 = 31
    var random = SplitMix64(seed: seed)
    var series = CandleSeries(interval: .second)
    var time: Int64 = 1_700_000_000_000
    for _ in 0..<5000 {
      time += random.below(secondsApart * 2000)
      let late = random.below(4) == 0 ? random.below(60_000) : 0
      series.add(price(random.below(2000) - 500), volume: one, at: time - late)
    }
    #expect(series.lateTicks > 5)
    for interval in CandleInterval.allCases {
      let coarse = series.candles.candles(of: interval)
      let groups = Dictionary(grouping: series.candles.candles(of: .second)) {
        interval.start(of: $0.start)
      }
      #expect(coarse.map(\.start) == groups.keys.sorted(), "seed \(seed), \(interval)")
      for candle in coarse {
        guard let fine = groups[candle.start] else { continue }
        #expect(candle.high == fine.map(\.high).max(), "seed \(seed), \(interval)")
        #expect(candle.low == fine.map(\.low).min())
        #expect(candle.open == fine.first?.open)
        #expect(candle.close == fine.last?.close)
        #expect(candle.volume.units == fine.reduce(0) { $0 + $1.volume.units })
      }
    }
  }

  @Test func `a history and ticks make the same candles`() {
    var ticks = CandleSeries(interval: .second)
    var random = SplitMix64(seed: 8)
    for number in 0..<Int64(3000) {
      ticks.add(price(random.below(900)), volume: one, at: number * 370)
    }
    var history = CandleSeries(interval: .second)
    for candle in ticks.candles.candles(of: .second) {
      let taken = history.append(candle)
      #expect(taken)
    }
    for interval in CandleInterval.allCases {
      #expect(history.candles.candles(of: interval) == ticks.candles.candles(of: interval))
    }
    #expect(history.latestPrice == ticks.latestPrice)
  }

  @Test func `weeks begin on Monday`() {
    let monday: Int64 = 1_699_833_600_000  // 13 November 2023
    for day in 0..<Int64(7) {
      #expect(CandleInterval.week.start(of: monday + day * 86_400_000 + 5) == monday)
    }
  }

  @Test func `the first candle at or after a time is found`() {
    var pyramid = CandlePyramid(interval: .second)
    for start: Int64 in [0, 1000, 5000, 6000] {
      pyramid.append(Candle(start: start, price: price(1), volume: one))
    }
    #expect(pyramid.firstIndex(notBefore: -5, of: .second) == 0)
    #expect(pyramid.firstIndex(notBefore: 1000, of: .second) == 1)
    #expect(pyramid.firstIndex(notBefore: 1001, of: .second) == 2)
    #expect(pyramid.firstIndex(notBefore: 7000, of: .second) == 4)
    #expect(pyramid.firstIndex(notBefore: 1, of: .fiveSeconds) == 1)
  }

  @Test func `interruptions added out of order are kept in order and joined where they touch`() {
    var series = CandleSeries(interval: .second)
    series.note(SeriesGap(start: 100, end: 200))
    series.note(SeriesGap(start: 10, end: 20))
    series.note(SeriesGap(start: 400, end: 500))
    series.note(SeriesGap(start: 150, end: 390))
    #expect(
      series.gaps == [
        SeriesGap(start: 10, end: 20), SeriesGap(start: 100, end: 390),
        SeriesGap(start: 400, end: 500),
      ])
    series.note(SeriesGap(start: 390, end: 400))
    #expect(series.gaps == [SeriesGap(start: 10, end: 20), SeriesGap(start: 100, end: 500)])
  }

  @Test func `times beyond any calendar are refused`() {
    var series = CandleSeries(interval: .day)
    for time in [Int64.max, Int64.min, 2_000_000_000_000_000] {
      let tookTick = series.add(price(1), volume: one, at: time)
      let tookCandle = series.append(Candle(start: time, price: price(1), volume: one))
      #expect(!tookTick && !tookCandle)
    }
    #expect(series.candles.count == 0)
  }

  @Test func `an interruption makes the candles that it touches partial, since its end`() {
    var series = CandleSeries(interval: .second)
    for second in 0..<300 where !(100..<110).contains(second) {
      series.add(Price(units: 5), volume: .zero, at: Int64(second) * 1000)
    }
    series.note(SeriesGap(start: 100_000, end: 110_000))
    #expect(since(series, 0, of: .minute) == nil)
    #expect(since(series, 60_000, of: .minute) == 110_000)
    #expect(since(series, 120_000, of: .minute) == nil)
    #expect(since(series, 0, of: .hour) == 110_000)
    #expect(since(series, 110_000, of: .second) == nil, "nothing finer is known")
  }

  @Test func `a history is whole unless it has an observation start`() {
    var series = CandleSeries(interval: .second)
    _ = series.append(Candle(start: 30_000, price: Price(units: 5), volume: .zero))
    series.add(Price(units: 6), volume: .zero, at: 31_000)
    #expect(since(series, 0, of: .minute) == nil)
    series.note(seenSince: 30_500)
    #expect(since(series, 0, of: .minute) == 30_500)
  }
}

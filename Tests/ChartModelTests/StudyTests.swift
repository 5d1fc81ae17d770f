// Studies against plain sums, candle by candle, of seeded series with gaps and interruptions.

import MarketModel
import Testing

@testable import ChartModel

@Suite struct StudyTests {
  private static let minute: Int64 = 60_000
  /// 23 November 2026, 00:00 UTC.
  private static let midnight: Int64 = 1_795_392_000_000

  private func scene(seed: UInt64, count: Int = 900, holes: Bool = true) -> ChartScene {
    var random = SplitMix64(seed: seed)
    var series = CandleSeries(interval: .minute)
    var units: Int64 = 45_000
    var start = StudyTests.midnight - 6 * 3_600_000
    for _ in 0..<count {
      if holes, random.below(60) == 0 { start += StudyTests.minute * (1 + random.below(40)) }
      let close = max(100, units + random.below(401) - 200)
      let high = max(units, close) + random.below(50)
      let low = min(units, close) - random.below(50)
      _ = series.append(
        Candle(
          start: start, open: Price(units: units), high: Price(units: high),
          low: Price(units: low), close: Price(units: close),
          volume: Quantity(units: 1 + random.below(900)), source: .venue))
      if holes, random.below(80) == 0 {
        series.note(SeriesGap(start: start + 70_000, end: start + 130_000))
      }
      (units, start) = (close, start + StudyTests.minute)
    }
    return ChartScene(
      series: series,
      viewport: Viewport(
        width: 900, height: 400, rightTime: Double(start), millisecondsPerPixel: 10_000))
  }

  /// The indices of the uninterrupted candles that end at an index.
  private func run(_ candles: [Candle], _ gaps: [SeriesGap], endingAt index: Int) -> Range<Int> {
    var first = index
    while first > 0 {
      let end = candles[first - 1].start + StudyTests.minute
      let next = candles[first].start
      if end < candles[first].start || gaps.contains(where: { $0.end >= end && $0.start < next }) {
        break
      }
      first -= 1
    }
    return first..<index + 1
  }

  /// The seconds from the first candle on that no candle covers or that an interruption contains.
  private func blindSeconds(_ candles: [Candle], _ gaps: [SeriesGap]) -> [Int64] {
    guard let first = candles.first?.start, let last = candles.last?.start else { return [] }
    let starts = Set(candles.map(\.start))
    return stride(from: first, to: last + StudyTests.minute, by: 1000).filter { second in
      !starts.contains(second / StudyTests.minute * StudyTests.minute)
        || gaps.contains { $0.start <= second && second < $0.end }
    }
  }

  private func half(_ sum: Int64, by count: Int64) -> Int64 {
    let exact = Double(sum) / Double(count)
    return Int64(exact.rounded(.toNearestOrEven))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `averages equal plain sums and restart after each gap`(seed: UInt64) {
    var scene = scene(seed: seed)
    scene.studies = StudyChoice(movingAverage: 20, exponentialAverage: 9)
    scene.draw(at: 0)
    let candles = Array(scene.series.candles.candles(of: .minute))
    var values = 0
    for index in candles.indices {
      let run = run(candles, scene.series.gaps, endingAt: index)
      let closes = candles[run].map(\.close.units)
      let mean = scene.reading(of: .movingAverage, atIndex: index)
      #expect(mean?.candles == min(20, run.count), "seed \(seed) index \(index)")
      let expected =
        run.count < 20 ? nil : half(closes.suffix(20).reduce(0, +), by: 20)
      #expect(mean?.value?.units == expected, "seed \(seed) index \(index)")
      var weighted = closes.prefix(9).map(Double.init).reduce(0, +) / Double(min(9, run.count))
      for close in closes.dropFirst(9) { weighted += (Double(close) - weighted) * 2 / 10 }
      let found = scene.reading(of: .exponentialAverage, atIndex: index)?.value?.units
      #expect((found == nil) == (run.count < 9), "seed \(seed) index \(index)")
      if let found {
        values += 1
        #expect(abs(Double(found) - weighted) <= 0.51, "seed \(seed) index \(index)")
      }
    }
    #expect(values > 200)
  }

  @Test(arguments: [4, 5, 6] as [UInt64])
  func `the volume profile covers its day, and shows its start and gaps`(seed: UInt64) {
    var scene = scene(seed: seed)
    scene.studies = StudyChoice(hasVolumeWeighted: true)
    scene.zone = ZoneOffsets(2 * 3_600_000)
    scene.draw(at: 0)
    let candles = Array(scene.series.candles.candles(of: .minute))
    let day: Int64 = 86_400_000
    let blind = blindSeconds(candles, scene.series.gaps)
    for index in stride(from: 0, to: candles.count, by: 29) {
      let last = candles[index]
      let midnight = (last.start + 7_200_000) / day * day - 7_200_000
      let ofDay = candles[...index].filter { $0.start >= midnight }
      let volume = ofDay.reduce(0) { $0 + $1.volume.units }
      let sum = ofDay.reduce(0.0) {
        $0 + Double($1.high.units + $1.low.units + $1.close.units) * Double($1.volume.units)
      }
      let found = scene.reading(of: .volumeWeighted, atIndex: index)
      #expect(
        abs(Double(found?.value?.units ?? 0) - sum / Double(3 * volume)) <= 0.500_1, "seed \(seed)")
      #expect(found?.since == ofDay.first?.start && found?.candles == ofDay.count)
      let end = last.start + StudyTests.minute
      let expected = blind.count { $0 >= ofDay[0].start && $0 < end }
      let told = found?.blind.reduce(0) { $0 + ($1.end - $1.start) / 1000 } ?? 0
      #expect(Int(told) == expected, "seed \(seed) index \(index)")
    }
  }

  @Test func `what is drawn is what is read, and does not change while the view moves`() throws {
    var scene = scene(seed: 7)
    scene.studies = StudyChoice(movingAverage: 20, exponentialAverage: 20, hasVolumeWeighted: true)
    for pan in [0.0, 90, 130, 700] {
      scene.pan(byPixels: pan)
      scene.draw(at: 0)
      let axis = try #require(scene.axis)
      let candles = scene.series.candles.candles(of: scene.drawn)
      #expect(scene.list.studies.count > 100)
      for mark in scene.list.studies {
        let time = scene.viewport.time(atX: Double(mark.x))
        let index = scene.series.candles.firstIndex(
          notBefore: scene.drawn.start(of: Int64(time)), of: scene.drawn)
        let read = scene.reading(of: mark.study, atIndex: index)?.value
        #expect(mark.y == Float(axis.y(of: try #require(read))), "\(mark.study) \(candles[index])")
      }
    }
  }

  @Test func `lines are lifted behind gaps and where a day begins`() {
    var scene = scene(seed: 8, count: 700, holes: false)
    scene.studies = StudyChoice(movingAverage: 5, hasVolumeWeighted: true)
    scene.series.note(
      SeriesGap(start: StudyTests.midnight + 30_000, end: StudyTests.midnight + 95_000))
    scene.viewport.show(rightTime: Double(StudyTests.midnight) + 1_800_000)
    scene.draw(at: 0)
    let lifted = { (study: Study) in
      scene.list.studies.filter { $0.study == study && $0.startsNew }.count
    }
    #expect(lifted(.volumeWeighted) == 3, "the first in view, midnight, the gap")
    #expect(lifted(.movingAverage) == 2, "the first in view, and five candles behind the gap")
  }

  @Test func `an interruption within a candle hides no close, and breaks no average`() {
    var scene = scene(seed: 14, count: 700, holes: false)
    scene.studies = StudyChoice(movingAverage: 5)
    let last = scene.series.candles.candles(of: .minute).count - 1
    let start = scene.series.candles.candles(of: .minute)[last].start
    scene.series.note(SeriesGap(start: start, end: start + 1000))
    scene.draw(at: 0)
    #expect(scene.reading(of: .movingAverage, atIndex: last)?.value != nil)
    scene.series.note(SeriesGap(start: start - 1, end: start + 1000))
    scene.draw(at: 0)
    #expect(scene.reading(of: .movingAverage, atIndex: last)?.candles == 1)
  }

  @Test func `days have no price by volume of a day, and hostile prices no study`() {
    var scene = scene(seed: 9, count: 300)
    scene.studies = StudyChoice(
      movingAverage: 5, exponentialAverage: 5, hasVolumeWeighted: true, hasProfile: true, bands: 2,
      bandTenths: 100, relativeStrength: 2,
      convergence: ConvergenceLengths(fast: 2, slow: 3, signal: 2), trueRange: 2)
    scene.show(.day, pixelsPerCandle: 20)
    scene.draw(at: 0)
    #expect(scene.reading(of: .volumeWeighted, atIndex: 0) == nil)
    var hostile = CandleSeries(interval: .minute)
    for (index, units) in [Int64.min, .max, -5, 0, 1 << 43, -1 << 43, (1 << 43) + 1, 7].enumerated()
    {
      _ = hostile.append(
        Candle(
          start: Int64(index) * StudyTests.minute, open: Price(units: units),
          high: Price(units: units), low: Price(units: units), close: Price(units: units),
          volume: Quantity(units: .max)))
    }
    scene.series = hostile
    for interval in [CandleInterval.minute, .fiveMinutes] {
      scene.show(interval, pixelsPerCandle: 20)
      scene.draw(at: 0)
      for index in 0..<8 {
        for study in Study.allCases { _ = scene.reading(of: study, atIndex: index) }
      }
    }
    #expect(scene.reading(of: .movingAverage, atIndex: 999) == nil)
    #expect(StudyChoice(movingAverage: .max, exponentialAverage: -4).movingAverage == 400)
  }

  @Test(arguments: [10, 11, 12] as [UInt64])
  func `rows of volume add up to the volume, and the fullest is marked`(seed: UInt64) throws {
    var scene = scene(seed: seed)
    scene.studies = StudyChoice(hasProfile: true)
    scene.tick = 10
    scene.draw(at: 0)
    let range = scene.visibleRange
    let candles = Array(scene.series.candles.candles(of: scene.drawn)[range])
    let low = try #require(candles.map(\.low).min())
    let high = try #require(candles.map(\.high).max())
    var profile = VolumeProfile(low: low, high: high, tick: 10, rows: 30)
    for candle in candles { profile.add(candle) }
    #expect(profile.rows.reduce(0, +) == candles.reduce(0) { $0 + $1.volume.units })
    #expect(profile.rows.count <= 31 && profile.step % 10 == 0 && profile.low % 10 == 0)
    // Unit by unit: each candle adds its volume to the rows of its prices.
    var plain = Array(repeating: 0.0, count: profile.rows.count)
    for candle in candles {
      let touched = Set(
        (candle.low.units...candle.high.units).map { Int(($0 - profile.low) / profile.step) })
      for row in touched { plain[row] += Double(candle.volume.units) / Double(touched.count) }
    }
    for (row, expected) in zip(profile.rows, plain) {
      #expect(abs(Double(row) - expected) <= Double(candles.count), "seed \(seed)")
    }
    #expect(scene.list.profile.count(where: \.isMost) == 1)
    let reading = try #require(scene.profileReading)
    #expect(reading.since == candles[0].start && reading.range.low < reading.range.high)
  }

  @Test func `a wide sum is that of 128 bits`() {
    var random = SplitMix64(seed: 13)
    for _ in 0..<200 {
      var sum = WideSum()
      var plain: UInt128 = 0
      for _ in 0..<50 {
        let (one, other) = (random.next() >> 8, random.next() >> 8)
        sum.add(one, times: other)
        plain += UInt128(one) * UInt128(other)
      }
      let divisor = random.next() | 1 << 63
      let (quotient, remainder) = plain.quotientAndRemainder(dividingBy: UInt128(divisor))
      let doubled = remainder * 2
      let isUp =
        doubled > UInt128(divisor) || (doubled == UInt128(divisor) && quotient % 2 == 1)
      #expect(sum.quotient(by: divisor) == Int64(exactly: quotient + (isUp ? 1 : 0)))
    }
    var flood = WideSum()
    for _ in 0..<3 { flood.add(.max, times: .max) }
    #expect(flood.hasOverflowed && flood.quotient(by: .max) == nil)
    #expect(WideSum().quotient(by: 0) == nil)
  }
}

// A day's figures from stored candles: never of an unobserved day, never a change from an unknown
// price.

import ChartModel
import MarketHistory
import MarketModel
import Testing

@Suite struct DayFiguresTests {
  static let now: Int64 = 1_795_428_330_000  // 10:05:30 UTC
  static let minute: Int64 = 60_000

  /// Minutes until the forming one, of rising prices.
  private func minutes(_ count: Int) -> [Candle] {
    let newest = CandleInterval.minute.start(of: Self.now)
    return (0..<Int64(count)).map { index in
      let price = 1000 + index
      return Candle(
        start: newest - (Int64(count) - 1 - index) * Self.minute, open: Price(units: price),
        high: Price(units: price + 5), low: Price(units: price - 5),
        close: Price(units: price + 1), volume: Quantity(units: 10), count: 2, source: .trades)
    }
  }

  private func figures(
    _ candles: [Candle], _ interval: CandleInterval = .minute, gaps: [SeriesGap] = [],
    at now: Int64 = now
  ) -> DayFigures {
    DayFigures.from(
      candles, of: interval, gaps: gaps, symbol: Symbol(known: "XBTUSD"),
      scales: (Scale(clamping: 2), Scale(clamping: 1)), at: Timestamp(milliseconds: now),
      freshness: .waiting(.simulated))
  }

  private func text(_ value: FixedDecimal?) -> String { value?.description ?? "none" }

  @Test("A whole day of minutes gives the figures of 24 hours")
  func wholeDay() {
    let found = figures(minutes(2000))
    // The window begins with the minute that contains the moment 24 hours ago.
    let opening = 2000 - 1441
    #expect(found.window == .last24Hours)
    #expect(text(found.last) == "30.00")
    #expect(
      text(found.change)
        == text(FixedDecimal(units: 3000 - 1000 - Int64(opening), scale: Scale(clamping: 2))))
    #expect(text(found.high) == "30.04" && text(found.low) == "15.54")
    #expect(text(found.volume) == "1441.0" && found.trades == 2882)
    #expect(found.vwap == nil && found.changePercent == nil && found.bid == nil)
  }

  @Test("1,441 minutes are a day, 1,440 are not, and have a start")
  func exactCoverage() {
    #expect(figures(minutes(1441)).window == .last24Hours)
    let less = figures(minutes(1440))
    let newest = CandleInterval.minute.start(of: Self.now)
    #expect(less.window == .since(Timestamp(milliseconds: newest - 1439 * Self.minute)))
    #expect(text(less.change) == "14.40", "the minute that opens it is whole")
  }

  @Test("Two minutes after a start there is no change, and the window has a start")
  func justStarted() {
    var candles = minutes(3)
    candles[0].missing = 20_000
    candles[0].source = .seen
    let found = figures(candles)
    #expect(found.window == .since(Timestamp(milliseconds: candles[0].start + 20_000)))
    #expect(found.change == nil && found.trades == nil)
    #expect(text(found.high) == "10.07" && text(found.volume) == "3.0")
  }

  @Test("A minute that is not whole cuts the day short, wherever it lies", arguments: 0..<30)
  func partialMinute(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var candles = minutes(1441)
    let index = Int(random.below(1441))
    candles[index].missing = Int32(1 + random.below(60_000))
    let found = figures(candles)
    let expected = min(candles[index].start + Int64(candles[index].missing), Self.now)
    #expect(found.window == .since(Timestamp(milliseconds: expected)), "seed \(seed)")
    #expect(found.change == nil, "seed \(seed)")
  }

  @Test(
    "A minute that is not there, or a gap, starts a new window",
    arguments: 1..<30 as Range<UInt64>)
  func hole(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let all = minutes(1441)
    let index = Int(random.below(1438)) + 1
    var candles = all
    candles.remove(at: index)
    let without = figures(candles)
    #expect(without.window == .since(Timestamp(milliseconds: all[index + 1].start)), "seed \(seed)")
    #expect(without.change?.units == Int64(1440 - index), "seed \(seed)")
    let gap = SeriesGap(start: all[index].start + 1000, end: all[index].start + 31_000)
    let cut = figures(all, gaps: [gap])
    #expect(cut.window == .since(Timestamp(milliseconds: gap.end)), "seed \(seed)")
    #expect(cut.change == nil, "seed \(seed)")
  }

  @Test("A gap before the window, or in the future, is ignored")
  func gapElsewhere() {
    let candles = minutes(1441)
    let before = SeriesGap(start: 0, end: candles[0].start)
    let after = SeriesGap(start: Self.now, end: Self.now + 5000)
    #expect(figures(candles, gaps: [before, after]).window == .last24Hours)
  }

  @Test("Minutes without a trade count as seen, and their price is no high and no low")
  func noTrades() {
    var candles = minutes(1441)
    for index in 0..<100 {
      let price = Price(units: 1)
      candles[index] = Candle(
        start: candles[index].start, open: price, high: price, low: price, close: price,
        volume: .zero, count: 0, source: .venue)
    }
    let found = figures(candles)
    #expect(found.window == .last24Hours && text(found.low) == "10.95")
    #expect(text(found.change) == "24.40", "the price that held when the window began")
    let silent = figures(Array(candles.prefix(100)), at: candles[99].start)
    #expect(silent.high == nil && silent.low == nil && text(silent.volume) == "0.0")
    #expect(silent.trades == 0)
  }

  @Test("A feed that names no sizes has no volume, and ticks are not trades")
  func ticks() {
    var candles = minutes(10)
    for index in candles.indices {
      candles[index].volume = .zero
      candles[index].source = .seen
    }
    let found = figures(candles)
    #expect(found.volume == nil && found.trades == nil && found.high != nil)
  }

  @Test("Candles that do not reach until now give nothing but the last price")
  func old() {
    let candles = minutes(1441)
    #expect(figures(candles, at: Self.now + 60_000).window == .last24Hours)
    let found = figures(candles, at: Self.now + 120_000)
    #expect(found.window == .since(Timestamp(milliseconds: Self.now + 120_000)))
    #expect(text(found.last) == "24.41" && found.change == nil && found.high == nil)
    #expect(found.volume == nil && found.trades == nil)
    #expect(figures([]).last == nil)
  }

  @Test("A clock far behind the candles changes nothing")
  func unsetClock() {
    let found = figures(minutes(1441), at: 0)
    #expect(found.window == .last24Hours && text(found.change) == "14.41")
  }

  @Test("Hours do as well, to the hour")
  func hours() {
    let newest = CandleInterval.hour.start(of: Self.now)
    let candles = (0..<Int64(25)).map {
      Candle(
        start: newest - (24 - $0) * 3_600_000, price: Price(units: 100 + $0),
        volume: Quantity(units: 1))
    }
    #expect(figures(candles, .hour).window == .last24Hours)
    #expect(figures(Array(candles.dropFirst()), .hour).window != .last24Hours)
  }

  @Test("Volumes and changes that do not fit are left out")
  func overflow() {
    var candles = minutes(3)
    candles[0].volume = Quantity(units: .max)
    candles[0].open = Price(units: .min)
    candles[0].low = Price(units: .min)
    let found = figures(candles)
    #expect(found.volume == nil && found.change == nil && found.high != nil)
  }
}

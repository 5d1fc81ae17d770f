// The candles that a chart marks while an alert is moved, against the alert itself.

import ChartModel
import MarketModel
import PriceAlerts
import Testing

@Suite struct RehearsalTests {
  private static let level: Int64 = 100

  private func crossed(_ series: CandleSeries, _ level: Int64 = level) -> [Int64] {
    (0..<series.candles.count).filter { series.isCrossed(Price(units: level), at: $0) }
      .map { series.candles[$0].start }
  }

  /// How often prices cross a level, by the alert's rule.
  private func crossings(_ prices: [Price], _ level: Price) -> Int {
    zip(prices, prices.dropFirst()).count { before, next in
      before < level && next >= level || before > level && next <= level
    }
  }

  /// Whether a candle's trades cross the level, whether its low or its high came first.
  private func isCertain(_ candle: Candle, after last: Price?, _ level: Price) -> Bool {
    guard candle.hasTrades else { return false }
    let first = [last, candle.open].compactMap(\.self)
    return [[candle.low, candle.high], [candle.high, candle.low]].allSatisfy {
      crossings(first + $0 + [candle.close], level) > 0
    }
  }

  @Test(arguments: (1...24).map { UInt64($0) })
  func `every marked second has a firing, and with one trade in each, no other has`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let isSingle = seed % 2 == 0
    var series = CandleSeries(interval: .second)
    var book = AlertBook()
    var fired: Set<Int64> = []
    var (clock, price) = (Int64(1_790_000_000_000), Int64(100))
    func begin() throws {
      book = AlertBook()
      try book.add(
        xbt, .price(FixedDecimal(units: Self.level, scale: .whole)), repeats: true,
        at: Timestamp(milliseconds: clock))
    }
    try begin()
    for number in 1...Int64(3000) {
      clock += isSingle ? 1000 + 1000 * random.below(3) : random.below(900)
      if random.below(60) == 0 {
        let start = clock / 1000 * 1000 + 1000
        clock = start + 1000 * (1 + random.below(9))
        series.note(SeriesGap(start: start, end: clock))
        price += random.below(9) - 4
        try begin()
      }
      price = max(90, min(110, price + random.below(5) - 2))
      series.add(Price(units: price), volume: Quantity(units: 1), at: clock)
      let trade = Trade(
        price: Price(units: price), size: Quantity(units: 1), side: .buy,
        time: Timestamp(milliseconds: clock), arrival: UInt64(number), identifier: number)
      let firings = book.receive(
        AlertTrade(trade, scale: .whole, sizes: .whole), of: xbt, at: Timestamp(milliseconds: clock)
      )
      if !firings.isEmpty { fired.insert(clock / 1000 * 1000) }
    }
    let marked = crossed(series)
    #expect(marked == marked.sorted() && Set(marked).count == marked.count, "seed \(seed)")
    #expect(
      fired.isSuperset(of: marked), "seed \(seed): \(Set(marked).subtracting(fired).sorted())")
    #expect(marked.count > fired.count / 2, "seed \(seed)")
    if isSingle { #expect(fired == Set(marked), "seed \(seed)") }
  }

  @Test(arguments: (1...24).map { UInt64($0) })
  func `of a history every certain crossing is marked, and after missing data the side is unknown`(
    _ seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let minute: Int64 = 60_000
    var (price, candles): (Int64, [Candle]) = (100, [])
    for number in 0..<Int64(9000) where random.below(40) > 0 {
      let start = 1_790_000_040_000 + number * minute
      if random.below(5) == 0 {
        candles.append(
          Candle(
            start: start, open: Price(units: price), high: Price(units: price),
            low: Price(units: price), close: Price(units: price), volume: .zero, count: 0))
        continue
      }
      // Mostly away from the level, as prices are.
      if number % 2000 == 0 { price = 100 }
      let trades = (0..<1 + random.below(6)).map { _ in
        price += random.below(3) - 1
        return price
      }
      candles.append(
        Candle(
          start: start, open: Price(units: trades[0]), high: Price(units: trades.max() ?? 0),
          low: Price(units: trades.min() ?? 0), close: Price(units: price),
          volume: Quantity(units: 1), count: Int32(trades.count),
          missing: random.below(30) == 0 ? 500 : 0))
    }
    var series = CandleSeries(interval: .minute)
    let half = candles.count / 2
    let newer = series.append(count: half) { candles[half + $0] }
    let older = series.prepend(count: half) { candles[$0] }
    #expect(newer == half && older == half)
    let all = (0..<series.candles.count).map { series.candles[$0] }
    for level in [Int64(99), 100, 101, 104] {
      let expected = all.indices.filter { index in
        let before = index > 0 ? all[index - 1] : nil
        let isJoined = before.map {
          $0.start + minute == all[index].start && $0.missing == 0 && all[index].missing == 0
        }
        return isCertain(
          all[index], after: isJoined == true ? before?.close : nil, Price(units: level))
      }
      #expect(crossed(series, level) == expected.map { all[$0].start }, "seed \(seed), \(level)")
      #expect(!expected.isEmpty, "seed \(seed), \(level)")
    }
  }

  @Test func `without candles nothing is crossed, whatever the level`() {
    let series = CandleSeries(interval: .minute)
    for level in [Int64.min, 0, .max] { #expect(crossed(series, level).isEmpty) }
    var one = series
    let isTaken = one.append(
      Candle(
        start: 0, open: Price(units: .min), high: Price(units: .max), low: Price(units: .min),
        close: Price(units: .max), volume: .zero))
    #expect(isTaken && crossed(one, 0) == [0] && crossed(one, .min).isEmpty)
  }
}

// The coverage of a history's candles at every interval, against sums over minutes.

import MarketModel
import Testing

@testable import ChartModel

@Suite struct CandleCoverageTests {
  private static let minute: Int64 = 60_000

  private func candle(
    _ start: Int64, _ units: Int64 = 10, count: Int32 = 1, missing: Int32 = 0,
    source: CandleSource = .venue, proof: CandleProof = .none
  ) -> Candle {
    let price = Price(units: units)
    return Candle(
      start: start, open: price, high: price, low: price, close: price,
      volume: Quantity(units: count == 0 ? 0 : 1), count: count, missing: missing, source: source,
      proof: proof)
  }

  private func series(_ candles: [Candle], _ interval: CandleInterval = .minute) -> CandleSeries {
    var series = CandleSeries(interval: interval)
    let taken = series.append(count: candles.count) { candles[$0] }
    #expect(taken == candles.count)
    return series
  }

  private func coverage(
    _ series: CandleSeries, _ start: Int64, _ interval: CandleInterval
  ) -> CandleCoverage? {
    let index = series.candles.firstIndex(notBefore: start, of: interval)
    let candles = series.candles.candles(of: interval)
    guard index < candles.count, candles[index].start == start else { return nil }
    return series.coverage(of: candles[index], interval)
  }

  @Test(arguments: 0..<UInt64(40))
  func `every interval misses what its minutes miss, however they came`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let first = 1_790_000_000_000 / Self.minute * Self.minute
    var minutes: [Candle] = []
    for number in 0..<Int64(6000) where random.below(12) > 0 {
      let lost = random.below(9) == 0 ? Int32(random.below(60_001)) : 0
      minutes.append(
        candle(
          first + number * Self.minute, 10 + random.below(5), missing: lost,
          source: random.below(2) == 0 ? .venue : .trades))
    }
    let series = arranged(minutes, &random)
    #expect(Array(series.candles.candles(of: .minute)) == minutes, "seed \(seed)")
    guard let last = minutes.last else { return }
    for interval in CandleInterval.allCases where interval.rawValue > CandleInterval.minute.rawValue
    {
      let groups = Dictionary(grouping: minutes) { interval.start(of: $0.start) }
      for coarse in series.candles.candles(of: interval) {
        let fine = groups[coarse.start] ?? []
        let end = min(coarse.start + interval.milliseconds, last.start + Self.minute)
        let vouched = fine.reduce(Int64(0)) { $0 + Self.minute - Int64($1.missing) }
        #expect(
          Int64(coarse.missing) == end - coarse.start - vouched,
          "seed \(seed), \(interval), \(coarse.start)")
        #expect(coarse.source == (fine.contains { $0.source == .trades } ? .trades : .venue))
        #expect(coarse.count == Int32(fine.count))
      }
    }
  }

  /// The same candles in one of the orders in which they load: all, one by one, older ones later.
  private func arranged(_ minutes: [Candle], _ random: inout SplitMix64) -> CandleSeries {
    let middle = Int(random.below(Int64(minutes.count - 2))) + 1
    switch random.below(4) {
    case 0: return series(minutes)
    case 1:
      var one = CandleSeries(interval: .minute)
      for minute in minutes { _ = one.append(minute) }
      return one
    case 2:
      var joined = series(Array(minutes[middle...]))
      let older = middle / 2
      _ = joined.prepend(count: middle - older) { minutes[older + $0] }
      _ = joined.prepend(count: minutes.count) { minutes[$0] }
      return joined
    default:
      var renewed = series(minutes.map { self.candle($0.start, 99, missing: 7) })
      renewed.forget(notBefore: minutes[middle].start)
      _ = renewed.prepend(count: 0) { _ in nil }
      var again = series(Array(minutes[..<middle]))
      #expect(again.candles.count == renewed.candles.count)
      again.note(SeriesGap(start: 1, end: 2))
      again.forget(notBefore: .max)
      #expect(again.gaps.isEmpty)
      _ = again.append(count: minutes.count - middle) { minutes[middle + $0] }
      return again
    }
  }

  @Test func `a day with two observed minutes has its start`() {
    let day: Int64 = 1_789_948_800_000
    let opened = day + 32_700_000
    var history = series([candle(day, missing: Int32(opened - day), source: .seen)], .day)
    history.note(seenSince: opened)
    history.add(Price(units: 12), volume: .zero, at: opened + 120_000)
    let coverage = coverage(history, day, .day)
    #expect(coverage?.since == opened)
    #expect(coverage?.missing == opened - day)
    #expect(self.coverage(history, day, .week)?.isWhole == false)
  }

  @Test func `an interruption within a candle is not missing twice`() {
    let day: Int64 = 1_789_948_800_000
    let opened = day + 32_700_000
    var history = series([candle(day, missing: Int32(opened - day), source: .seen)], .day)
    history.note(SeriesGap(start: opened - 90_000, end: opened - 60_000))
    history.note(SeriesGap(start: opened - 30_000, end: opened))
    history.note(seenSince: opened)
    #expect(coverage(history, day, .day)?.missing == opened - day)
    #expect(coverage(history, day, .day)?.since == opened)
    // A gap in its future counts.
    history.note(SeriesGap(start: day + 86_400_000, end: day + 86_400_000 + 5000))
    #expect(coverage(history, day, .week)?.missing == opened - day + 5000)
  }

  @Test func `the first tick of an empty history begins a candle that was seen in part`() {
    var history = CandleSeries(interval: .day)
    history.note(seenSince: 3_600_000)
    history.add(Price(units: 12), volume: .zero, at: 3_601_000)
    #expect(coverage(history, 0, .day)?.since == 3_600_000)
    var unsaid = CandleSeries(interval: .hour)
    unsaid.add(Price(units: 12), volume: .zero, at: 5_000_000)
    #expect(coverage(unsaid, 3_600_000, .hour)?.since == 5_000_000)
    #expect(coverage(unsaid, 3_600_000, .hour)?.missing == 1_400_000)
  }

  @Test func `minutes without a tick before a tick are candles without trades`() {
    var history = series([candle(0, 10, source: .trades), candle(60_000, 12, source: .trades)])
    history.add(Price(units: 20), volume: Quantity(units: 3), at: 250_000)
    let minutes = history.candles.candles(of: .minute)
    #expect(minutes.map(\.start) == [0, 60_000, 120_000, 180_000, 240_000])
    #expect(minutes.map(\.count) == [1, 1, 0, 0, 1])
    #expect(minutes[2].low == Price(units: 12) && minutes[3].high == Price(units: 12))
    #expect(coverage(history, 0, .fiveMinutes)?.isWhole == true)
    // A gap is not silence.
    history.note(SeriesGap(start: 120_000, end: 200_000))
    #expect(coverage(history, 120_000, .minute)?.missing == 60_000)
    #expect(coverage(history, 180_000, .minute)?.since == nil)
    #expect(coverage(history, 0, .fiveMinutes)?.missing == 80_000)
  }

  @Test func `a tick from the far future makes no silence, but a hole`() {
    var history = series([candle(0)])
    history.add(Price(units: 20), volume: .zero, at: 900_000_000_000)
    #expect(history.candles.count == 2)
  }

  @Test func `a candle without trades widens nothing and lends no open`() {
    let quiet = candle(0, 50, count: 0)
    var history = series([quiet, candle(60_000, 10), candle(120_000, 90, count: 0)])
    let coarse = history.candles.candles(of: .fiveMinutes)[0]
    #expect(coarse.open == Price(units: 10) && coarse.high == Price(units: 10))
    #expect(coarse.low == Price(units: 10) && coarse.close == Price(units: 10))
    #expect(coarse.count == 1)
    history.add(Price(units: 70), volume: .zero, at: 130_000)
    #expect(history.candles.last?.open == Price(units: 70))
    #expect(history.candles.last?.low == Price(units: 70))
    let silent = series([quiet, candle(60_000, 50, count: 0)]).candles.candles(of: .hour)[0]
    #expect(silent.open == Price(units: 50) && silent.hasTrades == false)
  }

  @Test func `an interruption leaves the venue's own candles whole`() {
    var history = series([
      candle(0), candle(60_000, source: .trades), candle(120_000, source: .trades, proof: .proven),
      candle(180_000, missing: 50_000, source: .trades),
    ])
    history.note(SeriesGap(start: 0, end: 240_000))
    #expect(coverage(history, 0, .minute)?.isWhole == true)
    #expect(coverage(history, 60_000, .minute)?.missing == 60_000)
    #expect(coverage(history, 120_000, .minute)?.isWhole == true)
    #expect(coverage(history, 180_000, .minute)?.missing == 60_000)
    #expect(coverage(history, 0, .fiveMinutes)?.missing == 120_000)
  }

  @Test func `proven are all or none, and one contradiction contradicts the whole`() {
    let proven = candle(0, proof: .proven)
    func proof(_ next: CandleProof) -> CandleProof? {
      series([proven, candle(60_000, proof: next)]).candles.candles(of: .hour).first?.proof
    }
    #expect(proof(.proven) == .proven)
    #expect(proof(.none) == CandleProof.none)
    #expect(proof(.contradicted) == .contradicted)
    var changed = series([candle(0, source: .trades, proof: .proven)])
    changed.add(Price(units: 11), volume: .zero, at: 30_000)
    #expect(changed.candles.last?.proof == CandleProof.none, "it is not what was compared")
  }

  @Test func `figures that can't be are left out`() {
    var history = CandleSeries(interval: .minute)
    var ranged = candle(60_000, 10, count: 0)
    ranged.high = Price(units: 11)
    for wrong in [
      ranged, candle(60_000, count: -1), candle(60_000, missing: -1),
      candle(60_000, missing: 60_001),
    ] {
      let taken = history.append(wrong)
      #expect(!taken)
    }
  }

  @Test func `the picture marks what was seen in part, what was silent and what is contradicted`() {
    var history = series([
      candle(0), candle(60_000, missing: 1), candle(120_000, count: 0),
      candle(180_000, source: .trades, proof: .contradicted),
      candle(240_000, count: 0, source: .trades), candle(300_000, source: .trades),
    ])
    history.note(SeriesGap(start: 240_000, end: 300_000))
    var scene = ChartScene(
      series: history,
      viewport: Viewport(width: 600, height: 300, rightTime: 0, millisecondsPerPixel: 1000))
    scene.draw(at: 0)
    #expect(
      scene.list.candles.map(\.signs) == [
        .rising, [.rising, .partial], [.rising, .withoutTrades], [.rising, .contradicted],
        .rising,
      ], "nobody vouches for the silence of the fifth")
    #expect(scene.crosshair(atIndex: 1)?.coverage?.missing == 1)
  }
}

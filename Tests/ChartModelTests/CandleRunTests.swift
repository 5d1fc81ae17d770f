// Candles in blocks, against a plain list; and a history built from newest to oldest, against one
// loaded at once.

import MarketModel
import Testing

@testable import ChartModel

@Suite struct CandleRunTests {
  private func candle(_ number: Int64) -> Candle {
    Candle(start: number * 60_000, price: Price(units: number), volume: Quantity(units: 1))
  }

  @Test(arguments: 0..<UInt64(40))
  func `blocks hold what a plain list holds`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (run, plain): (CandleRun, [Candle]) = (CandleRun(), [])
    var (oldest, newest): (Int64, Int64) = (0, 0)
    for step in 0..<60 {
      switch random.below(6) {
      case 0:
        var older = CandleRun()
        let more = random.below(2500)
        for number in (oldest - more)..<oldest { older.append(candle(number)) }
        plain = older + plain
        run.prepend(older)
        oldest -= more
      case 1:
        for _ in 0..<random.below(1200) where !plain.isEmpty {
          plain.removeFirst()
          run.dropFirst()
        }
      case 2:
        let kept = Int(random.below(Int64(plain.count) + 2))
        plain = Array(plain.prefix(kept))
        run.truncate(to: kept)
      case 3:
        let last = plain.popLast()
        #expect(run.popLast() == last, "seed \(seed), step \(step)")
      default:
        for _ in 0..<random.below(2500) {
          plain.append(candle(newest))
          run.append(candle(newest))
          newest += 1
        }
      }
      #expect(run.count == plain.count && Array(run) == plain, "seed \(seed), step \(step)")
      guard !plain.isEmpty else { continue }
      let index = Int(random.below(Int64(plain.count)))
      let before = run
      plain[index].count = 7
      run[index].count = 7
      #expect(run[index] == plain[index], "seed \(seed), step \(step)")
      #expect(before[index].count != 7 || before == run, "a copy changed, seed \(seed)")
    }
  }

  @Test(arguments: 0..<UInt64(20))
  func `a history put before itself piece by piece draws the same picture`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var price: Int64 = 450_000
    var minutes: [Candle] = []
    for number in 0..<Int64(4000 + random.below(4000)) where random.below(40) > 0 {
      var next = candle(29_000_000 + number)
      (next.open, next.count) = (Price(units: price), Int32(random.below(3)))
      price += next.count > 0 ? random.below(61) - 30 : 0
      next.close = Price(units: price)
      next.high = max(next.open, next.close)
      next.low = min(next.open, next.close)
      if next.count == 0 { next.volume = .zero }
      next.missing = random.below(30) == 0 ? 60_000 : 0
      minutes.append(next)
    }
    var (atOnce, pieces) = (CandleSeries(interval: .minute), CandleSeries(interval: .minute))
    #expect(atOnce.append(count: minutes.count) { minutes[$0] } == minutes.count)
    var end = minutes.count
    while end > 0 {
      let start = max(0, end - Int(random.below(1500)) - 1)
      let taken = pieces.prepend(count: end - start) { minutes[start + $0] }
      #expect(taken == end - start, "seed \(seed)")
      end = start
    }
    for style in [ChartStyle.candles, .line] {
      for pixels in [0.01, 0.2, 3.0, 12.0] {
        let lists = [atOnce, pieces].map { list(of: $0, style, pixelsPerMinute: pixels) }
        #expect(lists[0] == lists[1], "seed \(seed), \(style), \(pixels) pixels")
        #expect(!lists[0].prices.isEmpty)
      }
    }
  }

  private func list(
    of series: CandleSeries, _ style: ChartStyle, pixelsPerMinute: Double
  ) -> DrawList {
    var scene = ChartScene(
      series: series,
      viewport: Viewport(
        width: 900, height: 400, rightTime: 0, millisecondsPerPixel: 60_000 / pixelsPerMinute))
    scene.style = style
    scene.draw(at: 0)
    return scene.list
  }

  @Test func `a year of minutes takes older ones without moving`() {
    var series = CandleSeries(interval: .minute)
    let year = 525_600
    #expect(series.append(count: year) { candle(Int64(year + $0)) } == year)
    let copy = series
    #expect(series.prepend(count: 1000) { candle(Int64(year - 1000 + $0)) } == 1000)
    #expect(series.candles.count == year + 1000 && copy.candles.count == year)
    #expect(series.candles.first?.start == Int64(year - 1000) * 60_000)
    #expect(series.candles.last == copy.candles.last)
  }

  @Test func `a line has no more points than candles would be drawn, and volumes below it`() {
    var series = CandleSeries(interval: .minute)
    for number in 0..<Int64(20_000) {
      var next = candle(number)
      if number % 2 == 0 { next.volume = .zero }
      _ = series.append(next)
    }
    let candles = list(of: series, .candles, pixelsPerMinute: 2.5)
    let line = list(of: series, .line, pixelsPerMinute: 2.5)
    #expect(line.line.count <= candles.candles.count + 2 && line.line.count > 300)
    #expect(line.candles.allSatisfy { $0.volumeHeight > 0 })
    #expect(line.candles.count == candles.candles.count { $0.volumeHeight > 0 })
  }
}

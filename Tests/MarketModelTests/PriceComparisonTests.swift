// LT2: streams with the same prices in their own time never mismatch, however they arrive; one with
// other prices does, within twice the tolerance.

import MarketModel
import Testing

private func moment(_ milliseconds: Int64) -> ClockReading {
  ClockReading(milliseconds: milliseconds)
}

@Suite struct PriceComparisonTests {
  /// "s 100" and "w 100": a price of the source or the witness; "?" expects a mismatch, "=" none.
  private func play(_ steps: [(Int64, String)]) {
    var comparison = PriceComparison()
    for (time, step) in steps {
      let words = step.split(separator: " ")
      let units = words.count > 1 ? Int64(words[1]) : nil
      switch words[0] {
      case "s": comparison.hearSource(units, at: moment(time))
      case "w": comparison.hearWitness(units, at: moment(time))
      default:
        let dissents = comparison.isDissenting(at: moment(time).monotonic)
        #expect(dissents == (words[0] == "?"), "at \(time) of \(steps)")
      }
    }
  }

  @Test(
    arguments: [
      // Nothing to compare with.
      [(0, "s 1"), (600_000, "=")],
      [(0, "w 1"), (600_000, "=")],
      // The witness lags, within the tolerance of 15 s.
      [(0, "s 1"), (100, "w 1"), (1000, "s 2"), (15_000, "="), (15_500, "w 2"), (200_000, "=")],
      // It is ahead.
      [(0, "s 1"), (100, "w 1"), (1000, "w 2"), (15_000, "="), (15_500, "s 2"), (200_000, "=")],
      // It repeats a price of a moment ago.
      [
        (0, "s 1"), (100, "w 1"), (5000, "s 2"), (6000, "s 3"), (7000, "w 2"), (21_000, "w 3"),
        (200_000, "="),
      ],
      // And sends no more.
      [
        (0, "s 1"), (100, "w 1"), (5000, "s 2"), (6000, "s 3"), (7000, "w 2"), (21_900, "="),
        (22_000, "?"),
      ],
      // It sends a price that never was.
      [(0, "s 1"), (100, "w 1"), (1000, "w 9"), (15_900, "="), (16_000, "?"), (200_000, "?")],
      // It stops while the source continues.
      [
        (0, "s 1"), (100, "w 1"), (1000, "s 2"), (15_900, "="), (16_000, "?"), (20_000, "s 3"),
        (20_010, "?"),
      ],
      // It repeats a price of long ago.
      [
        (0, "s 1"), (100, "w 1"), (1000, "s 2"), (1100, "w 2"), (50_000, "w 1"), (64_900, "="),
        (65_000, "?"),
      ],
      // A side is empty.
      [(0, "s"), (100, "w"), (200_000, "="), (200_100, "w 1"), (216_000, "?")],
      // An agreement ends a mismatch only once it has lasted.
      [
        (0, "s 1"), (100, "w 2"), (16_000, "?"), (20_000, "w 1"), (34_900, "?"), (35_100, "="),
        (90_000, "="),
      ],
      // It does not if the next mismatch comes before.
      [
        (0, "s 1"), (100, "w 2"), (16_000, "?"), (20_000, "w 1"), (21_000, "w 2"), (35_100, "?"),
        (90_000, "?"),
      ],
      // It does in a moving market, too.
      [
        (0, "s 1"), (100, "w 2"), (16_000, "?"), (20_000, "w 1"), (23_000, "s 3"), (26_000, "w 3"),
        (29_000, "s 4"), (32_000, "w 4"), (34_900, "s 5"), (36_000, "?"), (37_000, "w 5"),
        (37_010, "="),
      ],
    ] as [[(Int64, String)]])
  func `a case of the table`(steps: [(Int64, String)]) { play(steps) }

  @Test func `a restarted stream is not judged by its earlier data`() {
    var comparison = PriceComparison()
    comparison.hearSource(1, at: moment(0))
    comparison.hearWitness(2, at: moment(10))
    #expect(comparison.isDissenting(at: moment(20_000).monotonic))
    comparison.forgetSource()
    #expect(!comparison.isComparable)
    #expect(!comparison.isDissenting(at: moment(60_000).monotonic))
    comparison.hearSource(2, at: moment(60_000))
    #expect(!comparison.isDissenting(at: moment(90_000).monotonic))
  }

  @Test func `the tolerance is that of the slower stream, within its bounds`() {
    var comparison = PriceComparison()
    for step in Int64(0)..<20 { comparison.hearSource(step, at: moment(step * 100)) }
    #expect(comparison.toleranceMilliseconds == 15_000, "one of them has no rhythm yet")
    for step in Int64(0)..<20 { comparison.hearWitness(step, at: moment(2000 + step * 2000)) }
    #expect(comparison.toleranceMilliseconds == 6000)
    for step in Int64(0)..<80 { comparison.hearSource(step, at: moment(40_000 + step * 60_000)) }
    #expect(comparison.toleranceMilliseconds == 30_000)
  }

  @Test func `words of one burst do not make the stream quicker than it is`() {
    var comparison = PriceComparison()
    for step in Int64(0)..<20 { comparison.hearSource(step, at: moment(step * 100)) }
    for step in Int64(0)..<200 {
      comparison.hearWitness(step, at: moment(step / 10 * 4000 + step % 10))
    }
    #expect(comparison.toleranceMilliseconds == 12_000)
  }

  // MARK: Any streams

  /// How one stream sends the same price: how often, how late, how unevenly.
  private struct Pace {
    let period: Int64
    let delay: Int64
    let jitter: Int64

    init(_ random: inout SplitMix64) {
      period = [0, 50, 100, 500, 1000, 5000][Int(random.below(6))]
      delay = random.below(300)
      jitter = random.below(300)
    }
  }

  /// When a stream sends which price: each change at once, or the present price every period.
  private func words(
    _ prices: [(at: Int64, units: Int64)], _ pace: Pace, until end: Int64,
    _ random: inout SplitMix64
  ) -> [(at: Int64, units: Int64)] {
    var said: [(at: Int64, units: Int64)] = []
    var arrived: Int64 = 0
    func say(_ at: Int64, _ units: Int64, _ random: inout SplitMix64) {
      // Messages of a connection do not overtake each other.
      arrived = max(arrived, at + pace.delay + random.below(pace.jitter + 1))
      said.append((arrived, units))
    }
    if pace.period == 0 {
      for (at, units) in prices { say(at, units, &random) }
      return said
    }
    var index = 0
    for time in stride(from: Int64(0), to: end, by: Int64.Stride(pace.period)) {
      while index + 1 < prices.count, prices[index + 1].at <= time { index += 1 }
      say(time, prices[index].units, &random)
    }
    return said
  }

  private func market(_ random: inout SplitMix64, until end: Int64) -> [(at: Int64, units: Int64)] {
    let pace = 1 + [20, 200, 3000][Int(random.below(3))]
    var prices: [(at: Int64, units: Int64)] = [(0, 1000)]
    while let last = prices.last, last.at < end {
      prices.append((last.at + 1 + random.below(Int64(pace)), last.units + random.below(5) - 2))
    }
    return prices
  }

  @Test(arguments: Array(UInt64(1)...60))
  func `streams of one market never dissent, whatever their pace`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let end: Int64 = 120_000
    let prices = market(&random, until: end)
    let paces = (Pace(&random), Pace(&random))
    let source = words(prices, paces.0, until: end, &random)
    let witness = words(prices, paces.1, until: end, &random)
    var comparison = PriceComparison()
    var (next, other) = (0, 0)
    for time in stride(from: Int64(0), to: end, by: 10) {
      while next < source.count, source[next].at <= time {
        comparison.hearSource(source[next].units, at: moment(source[next].at))
        next += 1
      }
      while other < witness.count, witness[other].at <= time {
        comparison.hearWitness(witness[other].units, at: moment(witness[other].at))
        other += 1
      }
      guard comparison.isDissenting(at: moment(time).monotonic) else { continue }
      Issue.record("seed \(seed), \(paces): dissents at \(time)")
      return
    }
  }

  @Test(arguments: Array(UInt64(1)...60))
  func `a source that stops while the market continues is found`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let end: Int64 = 120_000
    // A market that has left its earlier prices for good.
    var prices = market(&random, until: 60_000)
    prices += market(&random, until: 60_000).map { ($0.at + 60_001, $0.units + 5000) }
    let pace = Pace(&random)
    let witness = words(prices, pace, until: end, &random)
    var comparison = PriceComparison()
    var found: Int64?
    for (at, units) in witness {
      // The source is right until it breaks.
      if at < 60_000 { comparison.hearSource(units, at: moment(at)) }
      comparison.hearWitness(units, at: moment(at))
      if comparison.isDissenting(at: moment(at).monotonic), found == nil { found = at }
    }
    let tolerance = comparison.toleranceMilliseconds
    #expect((found ?? .max) <= 60_000 + 2 * tolerance + 2 * pace.period + 10_000, "seed \(seed)")
    #expect((found ?? 0) >= 60_000, "seed \(seed)")
  }
}

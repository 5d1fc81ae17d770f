// Percentiles of counted durations against those of all durations in order.

import MarketModel
import Testing

@testable import MarketStreams

@Suite struct LatencyHistogramTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `a percentile is the exact one or at most 3.2 % longer`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var histogram = LatencyHistogram()
    let values = (0..<5000).map { _ in
      Int64(random.next() % 1000) << Int64(random.next() % 27)
    }
    for value in values { histogram.record(value) }
    let ordered = values.sorted()
    for perMille in [1, 10, 500, 900, 990, 999, 1000] {
      let exact = ordered[(5000 * perMille + 999) / 1000 - 1]
      let found = histogram.percentile(perMille: perMille)
      #expect(found >= exact, "seed \(seed), \(perMille)")
      #expect((found - exact) * 32 <= exact, "seed \(seed), \(perMille): \(found) for \(exact)")
    }
    #expect(histogram.max == ordered.last && histogram.count == 5000)
  }

  @Test func `no duration is too short or too long to be counted`() {
    var histogram = LatencyHistogram()
    for value in [Int64.min, -1, 0, 1, .max] { histogram.record(value) }
    #expect(histogram.count == 5 && histogram.max == .max)
    #expect(histogram.percentile(perMille: 500) == 0)
    #expect(histogram.percentile(perMille: 1000) >= 137_000_000_000)
    #expect(LatencyHistogram().percentile(perMille: 500) == 0)
  }

  @Test func `the last minute forgets and the total does not`() {
    let second: Int64 = 1_000_000_000
    var rolling = RollingHistogram()
    rolling.record(100, at: 5 * second)
    rolling.record(200, at: 54 * second)
    #expect(rolling.lastMinute(at: 54 * second).count == 2)
    #expect(rolling.lastMinute(at: 59 * second).count == 2)
    #expect(rolling.lastMinute(at: 60 * second).count == 1)
    #expect(rolling.lastMinute(at: 60 * second).max == 200)
    #expect(rolling.lastMinute(at: 1000 * second).count == 0)
    rolling.record(7, at: 1000 * second)
    #expect(rolling.lastMinute(at: 1000 * second).max == 7)
    #expect(rolling.total.count == 3 && rolling.total.max == 200)
  }
}

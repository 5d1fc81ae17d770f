// Over many runs with cuts, losses, rejections and delays: the join's candles match what happened,
// and gaps are marked.

import ChartModel
import Foundation
import MarketHistory
import MarketModel
import Testing

@Suite struct HistoryJoinPropertyTests {
  /// Set LIVETAPE_SEEDS for more or fewer.
  private static let seeds =
    ProcessInfo.processInfo.environment["LIVETAPE_SEEDS"].flatMap { UInt64($0) } ?? 300

  @Test(
    "Whatever the stream loses, each candle is right or marked, and no trade counts twice",
    arguments: [false, true])
  func wholeOrMarked(isBackwards: Bool) {
    var whole = 0
    for seed in 1...Self.seeds {
      var venue = ModelVenue(seed: seed, isBackwards: isBackwards) { ModelVenueHabits(&$0) }
      for _ in 0..<420 { venue.step() }
      venue.calmDown(seconds: 5)
      for interval in [CandleInterval.minute, .fiveMinutes] {
        whole += check(venue, interval, "seed \(seed)")
      }
    }
    #expect(whole > Int(Self.seeds) * 5, "most candles are whole: \(whole)")
    print("history join: \(Self.seeds) seeds, \(whole) whole candles")
  }

  @Test(
    "Where the history answers, every cut is repaired within two minutes",
    arguments: [false, true])
  func repaired(isBackwards: Bool) {
    for seed in 1...(Self.seeds / 4 + 1) {
      var venue = ModelVenue(seed: seed, isBackwards: isBackwards) { ModelVenueHabits.calm(&$0) }
      for _ in 0..<420 { venue.step() }
      venue.calmDown(seconds: 150)
      _ = check(venue, .minute, "seed \(seed)")
      let join = venue.harness.join
      #expect(join.gaps.isEmpty, "seed \(seed): \(join.gaps)")
      #expect(join.candles(of: .minute).allSatisfy { $0.missing == 0 }, "seed \(seed)")
      #expect(join.mismatches.isEmpty && join.status == .ready, "seed \(seed)")
    }
  }

  /// Compares with the truth; returns how many candles are whole.
  private func check(_ venue: ModelVenue, _ interval: CandleInterval, _ seed: String) -> Int {
    let join = venue.harness.join
    let truth = Dictionary(uniqueKeysWithValues: venue.truth(of: interval).map { ($0.start, $0) })
    let candles = join.candles(of: interval)
    let gaps = join.gaps(of: interval)
    var whole = 0
    for (former, next) in zip(candles, candles.dropFirst()) {
      #expect(former.start < next.start, "\(seed)")
    }
    for candle in candles {
      guard let right = truth[candle.start] else {
        Issue.record("\(seed): a candle at \(candle.start) that never was")
        continue
      }
      if candle.missing == 0 {
        whole += 1
        #expect(candle.words == right.words, "\(seed) \(interval) at \(candle.start)")
      } else {
        #expect(candle.count <= right.count && candle.volume <= right.volume, "\(seed) twice")
        #expect(candle.low >= right.low && candle.high <= right.high, "\(seed)")
      }
      #expect(candle.proof != .contradicted, "\(seed)")
    }
    let starts = Set(candles.map(\.start))
    guard let first = candles.first?.start else { return 0 }
    for (start, right) in truth where start > first && !starts.contains(start) {
      let end = start + interval.milliseconds
      let isMarked = gaps.contains { $0.start < end && $0.end > start }
      #expect(isMarked || right.count == 0, "\(seed) \(interval): nothing at \(start)")
    }
    return whole
  }
}

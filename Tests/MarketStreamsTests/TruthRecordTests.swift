// LT2: the truth strip's own arithmetic: spans, days, bounds, and clocks that go back.

import MarketModel
import Testing

@testable import MarketStreams

@Suite struct TruthRecordTests {
  private let day: Int64 = 86_400_000
  private let midnight: Int64 = 20_000 * 86_400_000

  @Test func `each change begins a span, and the day counts what was between`() throws {
    var record = TruthRecord(origin: .venue)
    #expect(record.day(at: midnight) == nil)
    let start = midnight + 1000
    let isNew1 = record.note(.proven, at: start)
    #expect(isNew1)
    let isNew2 = record.note(.proven, at: start + 500)
    #expect(!isNew2)
    let isNew3 = record.note(.resyncing, cause: "checksum", at: start + 4000)
    #expect(isNew3)
    let isNew4 = record.note(.proven, at: start + 4300)
    #expect(isNew4)
    let isNew5 = record.note(.blind, cause: "The venue closed.", at: start + 10_000)
    #expect(isNew5)
    #expect(record.spans.map(\.level) == [.proven, .resyncing, .proven, .blind])
    #expect(record.spans.map(\.since) == [0, 4000, 4300, 10_000].map { start + $0 })
    #expect(record.spans.map(\.cause) == [nil, "checksum", nil, "The venue closed."])
    let counted = try #require(record.day(at: start + 12_000))
    #expect(counted[.proven] == 9700)
    #expect(counted[.resyncing] == 300)
    #expect(counted[.blind] == 2000)
    #expect(counted.inDoubt == 2300)
    #expect(counted.resyncs == 1)
    #expect(counted.begins == midnight)
    // Reading changes nothing.
    #expect(record.day?[.blind] == 0)
  }

  @Test func `a new day counts from its midnight, with the level that held`() throws {
    var record = TruthRecord(origin: .venue)
    record.note(.live, at: midnight - 5000)
    record.note(.resyncing, at: midnight - 2000)
    let isNew6 = record.note(.resyncing, at: midnight + 700)
    #expect(isNew6, "a new day is news")
    let first = try #require(record.day)
    #expect(first.begins == midnight && first.resyncs == 0)
    #expect(first[.resyncing] == 700 && first[.live] == 0)
    record.note(.live, at: midnight + 1000)
    #expect(record.day(at: midnight + 3000)?[.live] == 2000)
    #expect(record.day(at: midnight + 3000)?[.resyncing] == 1000)
    #expect(record.spans.map(\.level) == [.live, .resyncing, .live])
  }

  @Test func `a clock that goes back takes nothing away and leaves spans in order`() throws {
    var record = TruthRecord(origin: .venue)
    record.note(.live, at: midnight + 10_000)
    record.note(.late, at: midnight + 20_000)
    record.note(.live, at: midnight + 5000)
    record.note(.late, at: midnight + 21_000)
    #expect(record.spans.map(\.since) == [10_000, 20_000, 20_000, 21_000].map { midnight + $0 })
    let counted = try #require(record.day(at: midnight + 22_000))
    #expect(counted[.live] == 11_000 && counted[.late] == 1000)
    record.note(.live, at: midnight - day)
    #expect(record.day?.begins == midnight)
  }

  @Test func `spans and causes are bounded, and the sum is the time that passed`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      var record = TruthRecord(origin: .venue)
      var now = midnight + 1
      record.note(.unwatched, at: now)
      let begin = now
      for _ in 0..<3000 {
        now += random.below(20_000)
        let level = TruthLevel.allCases[Int(random.below(Int64(TruthLevel.allCases.count)))]
        record.note(level, cause: Sentence(verbatim: String(repeating: "x", count: 500)), at: now)
      }
      #expect(record.spans.count <= TruthRecord.maximumSpans, "seed \(seed)")
      #expect(
        record.spans.allSatisfy { ($0.cause?.description.count ?? 0) <= TruthRecord.maximumCause })
      for (one, next) in zip(record.spans, record.spans.dropFirst()) {
        #expect(one.since <= next.since && one.level != next.level, "seed \(seed)")
      }
      let counted = try #require(record.day(at: now + 50))
      let sum = TruthLevel.allCases.reduce(0) { $0 + counted[$1] }
      #expect(sum == now + 50 - max(begin, counted.begins), "seed \(seed)")
    }
  }

  @Test func `only what is drawn now can be proven, and what never came is not judged`() {
    #expect(TruthLevel(.live, isProven: true) == .proven)
    #expect(TruthLevel(.live, isProven: false) == .live)
    #expect(TruthLevel(.late, isProven: true) == .late)
    #expect(TruthLevel(.stale, isProven: true) == .late)
    #expect(TruthLevel(.resyncing, isProven: true) == .resyncing)
    #expect(TruthLevel(.disconnected, isProven: true) == .blind)
    #expect(TruthLevel(.closed, isProven: false) == .closed)
    #expect(TruthLevel(.waiting, isProven: true) == nil)
  }
}

// The simulation's own record of a book's level, against handwritten strips.

import MarketModel
import MarketStreams
import Testing

@testable import MarketSimulation

@Suite struct StripAuditTests {
  /// A strip that alternates this many times in the second after `start`.
  private func flutter(_ times: Int, from start: Int64) -> [TruthSpan] {
    (0..<Int64(times)).map { number in
      TruthSpan(since: start + number * 10, level: number % 2 == 0 ? .late : .proven, cause: nil)
    }
  }

  private func problem(_ spans: [TruthSpan]) -> String? {
    var audit = StripAudit()
    for time in stride(from: Int64(0), through: 20_000, by: 100) {
      audit.note(time <= 10_000 ? .proven : nil, at: time, cadence: 600)
      if time > 10_000, let problem = audit.problem(with: spans) { return problem }
    }
    return nil
  }

  @Test func `a stretch is looked for however many changes the strip has had since`() {
    let proven = TruthSpan(since: 0, level: .proven, cause: nil)
    #expect(problem([proven] + flutter(80, from: 10_300)) == nil)
    let late = TruthSpan(since: 0, level: .late, cause: nil)
    #expect(problem([late] + flutter(80, from: 10_300)) != nil)
  }

  @Test func `times that a clock repeats when it is set back are not compared`() {
    func problem(setBack: Bool) -> String? {
      var audit = StripAudit()
      audit.note(.proven, at: 0, cadence: 600)
      audit.pass(from: 1000, to: 100_000)
      if setBack { audit.note(.late, at: 50_000, cadence: 600) }
      audit.note(.proven, at: 200_000, cadence: 600)
      return audit.problem(with: [
        TruthSpan(since: 0, level: .proven, cause: nil),
        TruthSpan(since: 1000, level: .unwatched, cause: nil),
        TruthSpan(since: 50_000, level: .late, cause: nil),
      ])
    }
    #expect(problem(setBack: true) == nil)
    #expect(problem(setBack: false) != nil)
  }
}

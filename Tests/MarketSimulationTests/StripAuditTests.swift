// The simulation's own record of a book's worth, against strips that are written by hand.

import MarketModel
import MarketStreams
import Testing

@testable import MarketSimulation

@Suite struct StripAuditTests {
  /// A strip that alternates, so many times in the second after `start`.
  private func flutter(_ times: Int, from start: Int64) -> [TruthSpan] {
    (0..<Int64(times)).map { number in
      TruthSpan(
        since: start + number * 10, level: number % 2 == 0 ? .late : .proven, cause: nil)
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
}

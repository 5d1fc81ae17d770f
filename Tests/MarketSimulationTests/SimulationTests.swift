// Worlds from seeds: every rule holds, equal seeds are equal, and each rule can be seen to fail.

import MarketSimulation
import Testing

@Suite struct SimulationTests {
  @Test(arguments: Array(UInt64(1)...8))
  func `every rule holds in every world`(seed: UInt64) {
    let report = SimulationCourse.run(SimulationOptions(seed: seed, troubleMilliseconds: 25_000))
    let script = report.script.joined(separator: "\n")
    #expect(report.finding == nil, "seed \(seed): \(report.finding?.description ?? "")\n\(script)")
    #expect(report.liveLooks > 0, "seed \(seed)")
  }

  @Test func `truth strips are compared with what they had to say`() {
    let report = SimulationCourse.run(SimulationOptions(seed: 1, troubleMilliseconds: 25_000))
    #expect(report.stripMilliseconds > 0)
  }

  @Test func `the same seed gives the same trace, another seed another one`() {
    let reports = [UInt64(7), 7, 8].map {
      SimulationCourse.run(SimulationOptions(seed: $0, troubleMilliseconds: 15_000))
    }
    #expect(reports[0].traceHash == reports[1].traceHash)
    #expect(reports[0].steps == reports[1].steps)
    #expect(reports[0].traceHash != reports[2].traceHash)
  }
}

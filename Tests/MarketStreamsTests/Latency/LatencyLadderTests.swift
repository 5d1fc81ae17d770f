// One venue's ladder: pings by number, figures by rung and span.

import MarketModel
import Testing

@testable import MarketStreams

@Suite struct LatencyLadderTests {
  private let start: Int64 = 1_790_000_000_000

  private func monotonic(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(milliseconds: milliseconds)
  }

  private func wall(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: start + milliseconds)
  }

  private func ask(_ ladder: inout LatencyLadder, at milliseconds: Int64) throws -> Int64 {
    let number = ladder.ping(at: monotonic(milliseconds))
    return try #require(number)
  }

  @Test func `only the answer to the latest ping counts, once`() throws {
    var ladder = LatencyLadder(venue: .kraken, usesPings: true, resolution: 1000)
    let old = try ask(&ladder, at: 0)
    let early = ladder.ping(at: monotonic(500))
    #expect(early == nil)
    let new = try ask(&ladder, at: 1000)
    #expect(new != old)
    func clock() -> ClockEstimate? {
      ladder.report(at: ClockReading(monotonic: monotonic(2000), wall: wall(2000))).clock
    }
    ladder.pong(old, got: wall(10), answered: wall(10), received: monotonic(1010))
    #expect(clock() == nil)
    ladder.pong(new, got: wall(1005), answered: wall(1005), received: monotonic(1010))
    let first = try #require(clock())
    #expect(first.offset == 0 && first.within < 6_000_000)
    ladder.pong(new, got: wall(9005), answered: wall(9005), received: monotonic(1011))
    #expect(clock() == first)
  }

  @Test func `a message of a delayed venue shows the delay`() throws {
    var ladder = LatencyLadder(venue: .kraken, usesPings: true, resolution: 1000)
    let number = try ask(&ladder, at: 0)
    ladder.pong(number, got: wall(1), answered: wall(1), received: monotonic(2))
    for index in 0..<100 {
      let delay: Int64 = index < 50 ? 1 : 301
      ladder.arrived(wall(100 + Int64(index)), at: monotonic(100 + Int64(index) + delay))
    }
    let report = ladder.report(at: ClockReading(monotonic: monotonic(600), wall: wall(600)))
    let figures = try #require(report.figures.first)
    #expect(figures.rung == .socket && figures.span == .lastMinute && figures.count == 100)
    #expect(figures.p50 < 2_000_000 && figures.latest == 301_000_000)
    #expect((301_000_000...311_000_000).contains(figures.p99) && figures.max == 301_000_000)
    #expect(try #require(figures.within) < 2_000_000)
  }

  @Test func `what cannot be is not measured, what is within the uncertainty is none`() {
    var ladder = LatencyLadder(venue: .isin, usesPings: false, resolution: 0)
    ladder.record(.received, -400, within: 500, at: monotonic(1))
    ladder.record(.received, -600, within: 500, at: monotonic(1))
    ladder.record(.sent, -1, at: monotonic(1))
    ladder.record(.sent, LatencyLadder.maximumNanoseconds + 1, at: monotonic(1))
    let report = ladder.report(at: ClockReading(milliseconds: 2))
    #expect(report.clock == nil)
    #expect(report.figures.map(\.rung) == [.received, .received])
    #expect(report.figures.allSatisfy { $0.count == 1 && $0.max == 0 && $0.within == 500 })
  }
}

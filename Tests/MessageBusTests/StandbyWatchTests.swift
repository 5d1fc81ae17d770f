// A standby process reports that no leader exists.

import MarketModel
import Testing

@testable import MessageBus

@Suite struct StandbyWatchTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func `three lease periods without a leader are a problem, and its pulse ends that`() {
    var watch = StandbyWatch()
    func problem(_ time: Int64) -> LeaseProblem? {
      watch.problem(isHeld: false, refusal: nil, at: at(time))
    }
    #expect(problem(0) == nil && problem(8999) == nil)
    #expect(problem(9000) == .noLeader)
    watch.sign(at: at(9100))
    #expect(problem(9100) == nil && problem(18_099) == nil)
    #expect(problem(18_100) == .noLeader)
  }

  @Test func `its own lease is a sign, and the broker's refusal a problem at once`() {
    var watch = StandbyWatch()
    #expect(watch.problem(isHeld: true, refusal: nil, at: at(60_000)) == nil)
    #expect(watch.problem(isHeld: false, refusal: nil, at: at(68_999)) == nil)
    #expect(
      watch.problem(isHeld: false, refusal: "JetStream is off", at: at(69_000))
        == .refused("JetStream is off"))
    #expect(watch.problem(isHeld: false, refusal: nil, at: at(69_000)) == .noLeader)
  }

  @Test func `a lease remembers the broker's refusal until it answers otherwise`() {
    var lease = BusLease()
    _ = lease.timer(at: at(0))
    _ = lease.answer(.failure(.refused("no")), at: at(1))
    #expect(lease.refusal == "no")
    _ = lease.timer(at: at(501))
    _ = lease.answer(.failure(.timeout), at: at(1501))
    #expect(lease.refusal == "no", "no answer changes nothing")
    _ = lease.timer(at: at(2001))
    _ = lease.answer(.failure(.wrongRevision), at: at(2002))
    #expect(lease.refusal == nil)
  }
}

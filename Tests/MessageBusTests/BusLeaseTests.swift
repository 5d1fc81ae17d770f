// No process reads without the lease, and none relies on one that may be over.

import MarketModel
import Testing

@testable import MessageBus

@Suite struct BusLeaseTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  private final class Asked {
    var lease = BusLease()
    var epoch: UInt64? { lease.epoch }
    func timer(at now: MonotonicTime) -> [BusLease.Effect] { lease.timer(at: now) }
    func answer(
      _ answer: Result<UInt64, BusError>, at now: MonotonicTime
    ) -> [BusLease.Effect] { lease.answer(answer, at: now) }
    func isHeld(at now: MonotonicTime) -> Bool { lease.isHeld(at: now) }
  }

  @Test func `the lease that is granted begins an epoch, and is renewed each second`() {
    let lease = Asked()
    #expect(lease.timer(at: at(0)) == [.hold(expecting: 0)])
    #expect(lease.timer(at: at(10)) == [], "one question at a time")
    #expect(lease.answer(.success(41), at: at(20)) == [.begin(epoch: 41)])
    #expect(lease.epoch == 41 && lease.isHeld(at: at(2499)) && !lease.isHeld(at: at(2500)))
    #expect(lease.timer(at: at(999)) == [])
    #expect(lease.timer(at: at(1000)) == [.hold(expecting: 41)])
    #expect(lease.answer(.success(42), at: at(1010)) == [])
    #expect(lease.epoch == 41, "an epoch lasts as long as the lease is ours")
    #expect(lease.isHeld(at: at(3499)))
  }

  @Test func `a lease that could not be renewed ends before another can have it`() {
    let lease = Asked()
    _ = lease.timer(at: at(0))
    _ = lease.answer(.success(1), at: at(5))
    #expect(lease.timer(at: at(1000)) == [.hold(expecting: 1)])
    #expect(lease.answer(.failure(.disconnected), at: at(1001)) == [])
    #expect(lease.timer(at: at(1501)) == [.hold(expecting: 1)])
    #expect(lease.timer(at: at(2500)).first == .end)
    #expect(lease.epoch == nil)
  }

  @Test func `a holder that finds a foreign write stops at once`() {
    let lease = Asked()
    _ = lease.timer(at: at(0))
    _ = lease.answer(.success(1), at: at(5))
    _ = lease.timer(at: at(1000))
    #expect(lease.answer(.failure(.wrongRevision), at: at(1001)) == [.end])
    #expect(lease.timer(at: at(1400)) == [])
    #expect(lease.timer(at: at(1501)) == [.hold(expecting: 0)])
  }

  @Test func `after a pause of the process nothing is held, whatever the timers missed`() {
    let lease = Asked()
    _ = lease.timer(at: at(0))
    _ = lease.answer(.success(7), at: at(5))
    #expect(!lease.isHeld(at: at(10_000)))
    #expect(lease.timer(at: at(10_000)).first == .end)
  }

  @Test func `a grant that took longer than it lasts is invalid`() {
    let lease = Asked()
    _ = lease.timer(at: at(0))
    #expect(lease.answer(.success(7), at: at(2600)) == [])
    #expect(lease.epoch == nil)
  }
}

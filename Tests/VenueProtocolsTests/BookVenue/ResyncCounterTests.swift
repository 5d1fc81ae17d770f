// How many times a book may be refetched before the connection is closed.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct ResyncCounterTests {
  private func time(_ seconds: Int64) -> MonotonicTime {
    ClockReading(milliseconds: seconds * 1000).monotonic
  }

  @Test func `the fourth resync of a book within a minute is one too many`() {
    var counter = ResyncCounter()
    let answers = [0, 20, 40, 60].map { counter.advice(1, at: time($0)) }
    #expect(answers == [.now, .now, .now, .never])
    // Then the count starts again.
    #expect(counter.advice(1, at: time(61)) == .now)
  }

  @Test func `resyncs of more than a minute ago do not count`() {
    var counter = ResyncCounter()
    let answers = [0, 20, 40, 61, 82, 103].map { counter.advice(1, at: time($0)) }
    #expect(answers == [.now, .now, .now, .now, .now, .now])
  }

  @Test func `each book is counted for itself, and one that is forgotten not at all`() {
    var counter = ResyncCounter()
    for second in [0, 10, 20] as [Int64] {
      for number in 1...2 { #expect(counter.advice(number, at: time(second)) == .now) }
    }
    counter.forget(1)
    let answers = [1, 2].map { counter.advice($0, at: time(21)) }
    #expect(answers == [.now, .never])
  }

  @Test func `resyncs in haste are a second and two seconds apart`() {
    var counter = ResyncCounter()
    #expect(counter.advice(1, at: time(0)) == .now)
    #expect(counter.advice(1, at: time(0)) == .later(time(1)))
    #expect(counter.due(at: time(0)) == [])
    #expect(counter.due(at: time(1)) == [1])
    #expect(counter.due(at: time(1)) == [], "named once")
    #expect(counter.advice(1, at: time(1)) == .later(time(3)))
    #expect(counter.advice(2, at: time(1)) == .now, "each book for itself")
    #expect(counter.advice(1, at: time(3)) == .never)
    #expect(counter.due(at: time(60)) == [], "given up")
  }

  @Test func `a book that is requested now is not requested again by a postponed request`() {
    var counter = ResyncCounter()
    #expect(counter.advice(1, at: time(0)) == .now)
    #expect(counter.advice(1, at: time(0)) == .later(time(1)))
    // No check meanwhile: the machine slept.
    #expect(counter.advice(1, at: time(20)) == .now)
    #expect(counter.due(at: time(20)) == [])
  }

  @Test func `what was postponed is forgotten with the connection and with the book`() {
    var counter = ResyncCounter()
    for number in 1...2 {
      _ = counter.advice(number, at: time(0))
      _ = counter.advice(number, at: time(0))
    }
    counter.forget(1)
    #expect(counter.due(at: time(9)) == [2])
    _ = counter.advice(2, at: time(9))
    _ = counter.advice(2, at: time(9))
    counter.forgetPostponed()
    #expect(counter.due(at: time(99)) == [])
  }
}

// How many times a book may be fetched anew before the connection is given up.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct ResyncCounterTests {
  private func time(_ seconds: Int64) -> MonotonicTime {
    ClockReading(milliseconds: seconds * 1000).monotonic
  }

  @Test func `the fourth resync of a book within a minute is one too many`() {
    var counter = ResyncCounter()
    let answers = [0, 20, 40, 60].map { counter.exceedsLimit(1, at: time($0)) }
    #expect(answers == [false, false, false, true])
    // Then the count starts again.
    let next = counter.exceedsLimit(1, at: time(61))
    #expect(!next)
  }

  @Test func `resyncs of more than a minute ago do not count`() {
    var counter = ResyncCounter()
    let answers = [0, 20, 40, 61, 82, 103].map { counter.exceedsLimit(1, at: time($0)) }
    #expect(answers == [false, false, false, false, false, false])
  }

  @Test func `each book is counted for itself, and one that is forgotten not at all`() {
    var counter = ResyncCounter()
    for second in 0..<3 {
      for number in 1...2 {
        let isTooMany = counter.exceedsLimit(number, at: time(Int64(second)))
        #expect(!isTooMany)
      }
    }
    counter.forget(1)
    let answers = [1, 2].map { counter.exceedsLimit($0, at: time(3)) }
    #expect(answers == [false, true])
  }
}

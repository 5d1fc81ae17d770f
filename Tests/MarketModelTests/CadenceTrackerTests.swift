// "Late" by a stream's own rhythm.

import MarketModel
import Testing

struct CadenceTrackerTests {
  /// Feeds messages with the given gaps, in milliseconds; returns the time of the last one.
  func feed(_ tracker: inout CadenceTracker, from start: Int64 = 0, gaps: [Int64]) -> Int64 {
    var now = start
    tracker.record(ClockReading(milliseconds: now))
    for gap in gaps {
      now += gap
      tracker.record(ClockReading(milliseconds: now))
    }
    return now
  }

  @Test func `it waits before the first message and expects three gaps after it`() {
    var tracker = CadenceTracker(expectedGapMilliseconds: 1000)
    #expect(tracker.state(at: ClockReading(milliseconds: 99_999)) == .waiting)
    tracker.record(ClockReading(milliseconds: 0))
    #expect(tracker.lateAfterMilliseconds == 3000 && tracker.staleAfterMilliseconds == 12_000)
    #expect(tracker.state(at: ClockReading(milliseconds: 3000)) == .live)
    #expect(tracker.state(at: ClockReading(milliseconds: 3001)) == .late)
    #expect(tracker.state(at: ClockReading(milliseconds: 12_000)) == .late)
    #expect(tracker.state(at: ClockReading(milliseconds: 12_001)) == .stale)
  }

  @Test func `the rhythm is known after five gaps: three times their median`() {
    var tracker = CadenceTracker(expectedGapMilliseconds: 1000)
    var last = feed(&tracker, gaps: [4000, 4000, 4000, 4000])
    #expect(!tracker.hasRhythm && tracker.lateAfterMilliseconds == 3000)
    last += 4000
    tracker.record(ClockReading(milliseconds: last))
    #expect(tracker.hasRhythm && tracker.lateAfterMilliseconds == 12_000)
  }

  @Test func `one long pause among many gaps does not change the rhythm`() {
    var tracker = CadenceTracker(expectedGapMilliseconds: 1000)
    _ = feed(
      &tracker,
      gaps: Array(repeating: 2000, count: 20) + [600_000] + Array(repeating: 2000, count: 9))
    #expect(tracker.lateAfterMilliseconds == 6000)
  }

  @Test func `a rhythm that changes is learnt within a window`() {
    var tracker = CadenceTracker(expectedGapMilliseconds: 1000)
    let last = feed(&tracker, gaps: Array(repeating: 1000, count: 40))
    #expect(tracker.lateAfterMilliseconds == 3000)
    for index in 1...40 { tracker.record(ClockReading(milliseconds: last + Int64(index) * 5000)) }
    #expect(tracker.lateAfterMilliseconds == 15_000)
  }

  @Test func `a burst never makes a pause of less than the minimum late`() {
    var tracker = CadenceTracker(expectedGapMilliseconds: 10, minimumLateMilliseconds: 1500)
    let last = feed(&tracker, gaps: Array(repeating: 1, count: 50))
    #expect(tracker.lateAfterMilliseconds == 1500)
    #expect(tracker.state(at: ClockReading(milliseconds: last + 1500)) == .live)
  }

  @Test func `a restart keeps the rhythm and forgets the gap over the break`() {
    var tracker = CadenceTracker(expectedGapMilliseconds: 1000)
    let last = feed(&tracker, gaps: Array(repeating: 2000, count: 5))
    tracker.restart()
    #expect(tracker.state(at: ClockReading(milliseconds: last)) == .waiting && tracker.last == nil)
    _ = feed(&tracker, from: last + 900_000, gaps: Array(repeating: 2000, count: 8))
    #expect(tracker.lateAfterMilliseconds == 6000)
  }

  @Test func `ages come from the monotonic clock, whatever the wall clock does`() {
    var tracker = CadenceTracker(expectedGapMilliseconds: 1000)
    let wall = Timestamp(milliseconds: 1_000_000)
    tracker.record(ClockReading(monotonic: MonotonicTime(milliseconds: 0), wall: wall))
    let jumped = ClockReading(
      monotonic: MonotonicTime(milliseconds: 10), wall: Timestamp(milliseconds: 9_000_000))
    #expect(tracker.state(at: jumped) == .live)
  }

  @Test func `extreme times never trap`() {
    var tracker = CadenceTracker(expectedGapMilliseconds: 1000)
    for nanoseconds in [Int64.min, .max, 0, -1, .max, .min, 1, .max, .min, 5] {
      let reading = ClockReading(
        monotonic: MonotonicTime(nanoseconds: nanoseconds),
        wall: Timestamp(nanoseconds: nanoseconds))
      tracker.record(reading)
      _ = tracker.state(at: ClockReading(milliseconds: 0))
    }
    #expect(tracker.lateAfterMilliseconds >= 1500)
  }
}

import MarketHistory
import MarketModel
import Testing

@Suite struct RequestPacerTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(milliseconds: milliseconds)
  }

  private func next(_ pacer: inout RequestPacer<Int>, at milliseconds: Int64) -> Int? {
    pacer.next(at: at(milliseconds))
  }

  /// When each call is sent, checked every 100 ms.
  private func times(
    _ pacer: inout RequestPacer<Int>, from start: Int64 = 0, until end: Int64
  ) -> [Int64] {
    var times: [Int64] = []
    for time in stride(from: start, through: end, by: 100) {
      while pacer.next(at: at(time)) != nil { times.append(time) }
    }
    return times
  }

  @Test("Three go at once, then one a second")
  func burst() {
    var pacer = RequestPacer<Int>()
    for call in 0..<6 { pacer.add(call) }
    #expect(times(&pacer, until: 10_000) == [0, 0, 0, 1000, 2000, 3000])
    pacer.add(7)
    #expect(pacer.milliseconds(untilNextAt: at(10_000)) == 0)
    #expect(next(&pacer, at: 10_000) == 7)
    #expect(pacer.milliseconds(untilNextAt: at(10_000)) == nil)
  }

  @Test("Calls keep their order and their place, and wait once")
  func order() {
    var pacer = RequestPacer<Int>()
    for call in [5, 3, 5, 9, 3] { pacer.add(call) }
    #expect(pacer.waiting == [5, 3, 9])
    #expect(next(&pacer, at: 0) == 5)
    pacer.finish(wasLimited: true, at: at(10))
    pacer.add(5)
    #expect(pacer.waiting == [3, 9, 5])
    pacer.remove { $0 == 9 }
    #expect(pacer.waiting == [3, 5])
  }

  @Test("Too many: a pause of 5 s, twice as long each time, up to a minute")
  func pauses() {
    var pacer = RequestPacer<Int>()
    var (time, pauses): (Int64, [Int64]) = (0, [])
    for round in 0..<6 {
      pacer.add(round)
      _ = pacer.next(at: at(time))
      pacer.finish(wasLimited: true, at: at(time))
      pacer.finish(wasLimited: true, at: at(time + 50))
      pacer.add(100)
      let pause = pacer.milliseconds(untilNextAt: at(time)) ?? 0
      #expect(next(&pacer, at: time + pause - 1) == nil)
      pauses.append(pause)
      time += pause
      #expect(next(&pacer, at: time) == 100)
      time += 5000
    }
    #expect(pauses == [5000, 10_000, 20_000, 40_000, 60_000, 60_000])
    pacer.finish(wasLimited: false, at: at(time))
    pacer.finish(wasLimited: true, at: at(time))
    pacer.add(1)
    #expect(pacer.milliseconds(untilNextAt: at(time)) == 5000, "after a success it is short again")
  }

  @Test("After a pause calls come one by one, not all at once")
  func afterPause() {
    var pacer = RequestPacer<Int>()
    pacer.finish(wasLimited: true, at: at(0))
    for call in 0..<4 { pacer.add(call) }
    let times = times(&pacer, until: 20_000)
    #expect(times.first == 5000 && times.count == 4)
    #expect(times.filter { $0 == 5000 }.count <= 3)
  }

  @Test("At most as many wait as fit, and a stopped clock lets three go")
  func bounds() {
    var pacer = RequestPacer<Int>()
    for call in 0..<RequestPacer<Int>.maximumWaiting { pacer.add(call) }
    let (more, again) = (pacer.add(-1), pacer.add(0))
    #expect(!more && again && pacer.waiting.count == RequestPacer<Int>.maximumWaiting)
    var gone = 0
    while pacer.next(at: at(5)) != nil { gone += 1 }
    #expect(gone == 3)
    #expect(next(&pacer, at: 0) == nil, "a clock that goes back gives nothing")
  }
}

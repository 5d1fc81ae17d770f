// Venues that fail, send invalid responses or have no history, clocks that jump, and disks.

import ChartModel
import MarketHistory
import MarketModel
import Testing

@Suite struct HistoryJoinFaultTests {
  private let noon = HistoryHarness.noon

  @Test("After a failure it waits 5 s, then twice as long each time, up to a minute")
  func waits() {
    var harness = HistoryHarness()
    harness.want()
    var waits: [Int64] = []
    for _ in 0..<6 {
      harness.answer(.candles(.minute), .failure(.unavailable("busy")))
      #expect(harness.join.status == .failed(.unavailable("busy")))
      let start = harness.time
      while harness.asked.isEmpty, harness.time < start + 100_000 { harness.wait(1) }
      waits.append((harness.time - start) / 1000)
    }
    #expect(waits == [5, 10, 20, 40, 60, 60])
    harness.answer(.minute, [], committed: nil)
    #expect(harness.join.status == .ready)
    harness.wait(60)
    harness.answer(.candles(.minute), .failure(.rateLimited))
    harness.wait(5)
    #expect(harness.asked == [.candles(.minute)], "5 s again after a success")
  }

  @Test("Live trades go on while the history is down")
  func liveGoesOn() {
    var harness = HistoryHarness(at: noon + 30_000)
    harness.judge(.live)
    harness.want(.day)
    for request in harness.asked { harness.answer(request, .failure(.unavailable("down"))) }
    harness.trade(1, 100, at: noon + 31_000)
    harness.wait(120)
    harness.trade(2, 105, at: noon + 150_000)
    let minutes = harness.join.candles(of: .minute)
    #expect(minutes.map(\.count) == [1, 0, 1])
    #expect(minutes.first?.missing == 30_000 && minutes.first?.source == .seen)
    #expect(minutes.last?.missing == 0)
    let day = harness.join.candles(of: .day).last
    #expect(day?.missing == 43_230_000 && day?.source == .seen, "the day began without us")
  }

  @Test("Without observers nothing is requested")
  func unwanted() {
    var harness = HistoryHarness()
    harness.want()
    harness.answer(.minute, [], committed: nil)
    harness.join.wantNoMore()
    harness.asked = []
    harness.wait(300)
    #expect(harness.asked.isEmpty)
    harness.want()
    #expect(harness.asked == [.candles(.minute)])
  }

  @Test("Minutes are requested at most once a minute")
  func polls() {
    var harness = HistoryHarness()
    harness.want()
    var asked = 0
    for _ in 0..<600 {
      if harness.asked.contains(.candles(.minute)) {
        asked += 1
        harness.answer(.minute, [], committed: nil)
      }
      harness.wait(1)
    }
    #expect(asked == 10)
  }

  @Test("An answer to another question, of the future or late changes nothing")
  func wrongAnswers() {
    var harness = HistoryHarness()
    harness.want()
    let row = HistoryHarness.row(noon - 60_000, 1, 1, 1, 1, 1, 1)
    let candles = VenueCandles(rows: [row], lastCommitted: noon - 60_000)
    harness.answer(.candles(.hour), .success(.candles(candles)))
    #expect(harness.join.candles(of: .hour).isEmpty, "nobody asked")
    harness.asked = [.candles(.minute)]
    harness.answer(
      .candles(.minute),
      .success(.trades(VenueTrades(trades: [], next: HistoryCursor("1")))))
    #expect(harness.join.status == .failed(.badAnswer("an answer to another question")))
    harness.wait(6)
    let late = HistoryHarness.row(noon + 3_600_000, 1, 1, 1, 1, 1, 1)
    harness.answer(.minute, [late], committed: noon + 3_600_000)
    guard case .failed(.badAnswer) = harness.join.status else {
      Issue.record("\(harness.join.status)")
      return
    }
    #expect(harness.join.candles(of: .minute).isEmpty)
    harness.wait(11)
    let odd = HistoryHarness.row(noon - 30_000, 1, 1, 1, 1, 1, 1)
    harness.answer(.minute, [odd], committed: noon)
    #expect(harness.join.candles(of: .minute).isEmpty)
  }

  @Test("A history that numbers its trades otherwise is not joined; the seam is marked")
  func otherNumbers() {
    var harness = HistoryHarness(at: noon + 30_000)
    harness.judge(.live)
    harness.want()
    for number in 1...5 {
      harness.trade(Int64(number), 100, 1, at: noon + 20_000 + Int64(number) * 1000)
    }
    harness.answer(.minute, [], committed: nil)
    harness.wait(1)
    harness.answerTrades(
      (1...8).map {
        HistoryHarness.trade(9000 + $0, 100, 1, at: noon + 15_000 + $0 * 1000)
      })
    #expect(harness.minute(noon)?.count == 5, "none twice")
    #expect((harness.minute(noon)?.missing ?? 0) > 0)
    harness.wait(120)
    #expect(harness.askedTrades == nil)
  }

  @Test("Numbers that begin again are new trades")
  func restart() {
    var harness = HistoryHarness(at: noon + 30_000)
    harness.judge(.live)
    harness.trade(1000, 100, at: noon + 30_000)
    harness.wait(10)
    harness.trade(1, 101, at: noon + 40_000)
    harness.trade(2, 102, at: noon + 41_000)
    #expect(harness.minute(noon)?.count == 3)
    harness.trade(2, 102, at: noon + 41_000)
    #expect(harness.minute(noon)?.count == 3)
  }

  @Test("A venue without numbers: what was seen, with what was not")
  func unnumbered() {
    var harness = HistoryHarness(at: noon + 30_000, hasVenueHistory: false)
    #expect(harness.join.status == HistoryStatus.none)
    harness.want(.day)
    #expect(harness.asked.isEmpty)
    harness.judge(.live)
    harness.trade(0, 100, 2, at: noon + 31_000)
    harness.trade(0, 100, 2, at: noon + 31_000)
    harness.wait(60)
    harness.trade(0, 103, 1, at: harness.time)
    harness.wait(60)
    let minutes = harness.join.candles(of: .minute)
    #expect(minutes.first?.words == "100 100 100 100 ×4 /2")
    #expect(minutes.first?.missing == 30_000)
    #expect(minutes.dropFirst().first?.missing == 0)
    #expect(minutes.allSatisfy { $0.source == .seen })
    harness.judge(.disconnected)
    harness.wait(20)
    harness.judge(.live)
    harness.wait(20)
    harness.trade(0, 104, 1, at: harness.time)
    #expect(harness.minute(noon + 120_000) == nil, "no trade, and not all of it was seen")
    #expect(harness.join.gaps.map(\.start) == [noon, noon + 148_000], "before it, and the cut")
  }

  @Test("The venue's candles replace those of a stream without numbers")
  func unnumberedHistory() {
    var harness = HistoryHarness(at: noon + 30_000, givesTrades: false)
    harness.judge(.live)
    harness.want()
    harness.trade(0, 100, at: noon + 31_000)
    harness.wait(90)
    harness.answer(.minute, [HistoryHarness.row(noon, 99, 101, 98, 100, 9, 7)], committed: noon)
    #expect(harness.minute(noon)?.words == "99 101 98 100 ×9 /7")
    #expect(harness.minute(noon)?.source == .venue && harness.join.mismatches.isEmpty)
    #expect(harness.askedTrades == nil)
  }

  @Test("A wall clock that jumps moves no candle")
  func clockJump() {
    var join = HistoryJoin(HistoryHarness.key, hasVenueHistory: false)
    func now(_ milliseconds: Int64, wallIsOff off: Int64 = 0) -> ClockReading {
      ClockReading(
        monotonic: MonotonicTime(milliseconds: milliseconds),
        wall: Timestamp(milliseconds: noon + milliseconds + off))
    }
    let live = Freshness(state: .live, origin: .venue, confirmedAt: nil)
    _ = join.judge(live, at: now(0))
    join.receive(HistoryHarness.trade(1, 100, at: noon + 1000), at: now(1000))
    for second in 2...40 {
      _ = join.timer(at: now(Int64(second) * 1000, wallIsOff: 86_400_000))
    }
    join.receive(HistoryHarness.trade(2, 101, at: noon + 40_500), at: now(40_600))
    #expect(join.candles(of: .minute).map(\.start) == [noon])
    #expect(join.candles(of: .minute).first?.count == 2)
  }

  @Test("A machine that slept received nothing meanwhile")
  func sleep() {
    var harness = HistoryHarness(at: noon + 30_000, hasVenueHistory: false)
    harness.judge(.live)
    harness.trade(1, 100, at: noon + 30_000)
    harness.time += 600_000
    harness.wait(70)
    #expect(harness.minute(noon + 240_000) == nil)
    #expect(harness.join.gaps.contains { $0.end - $0.start > 500_000 })
  }

  @Test("What the disk kept comes back, with its units, and gives way to what is better")
  func restored() {
    var harness = HistoryHarness(at: noon + 30_000)
    let price = Price(units: 10_000_000_000)
    func candle(_ start: Int64, missing: Int32, volume: Int64 = 5) -> Candle {
      Candle(
        start: start, open: price, high: price, low: price, close: price,
        volume: Quantity(units: volume), count: 2, missing: missing, source: .trades,
        proof: .proven)
    }
    let kept = [
      candle(noon - 180_000, missing: 0), candle(noon - 120_000, missing: 9000),
      candle(noon - 120_000, missing: 0), candle(noon - 60_001, missing: 0),
      candle(noon + 60_000_000, missing: 0),
    ]
    harness.trade(100, 100, at: noon + 30_000)
    harness.join.restore(kept, of: .minute, quantityScale: Scale(clamping: 2))
    #expect(harness.join.quantityScale == Scale(clamping: 2))
    #expect(harness.join.candles(of: .minute).map(\.volume.units) == [5, 5, 100])
    #expect(harness.join.takeClosed().isEmpty, "the disk has them")
    harness.trade(40, 90, at: noon - 170_000)
    harness.wait(1)
    #expect(harness.minute(noon - 180_000)?.count == 2, "it may hold that trade already")
    harness.want()
    harness.answer(
      .minute, [HistoryHarness.row(noon - 120_000, 100, 100, 100, 100, 3, 4)],
      committed: noon - 120_000)
    #expect(harness.minute(noon - 120_000)?.source == .venue)
    #expect(harness.minute(noon - 180_000)?.proof == .proven)
    let closed = harness.join.takeClosed().filter { $0.interval == .minute }
    #expect(closed.map(\.candle.start) == [noon - 120_000])
  }

  @Test("Closed candles go to the disk once, and again when they change")
  func closed() {
    var harness = HistoryHarness(at: noon + 270_000)
    harness.judge(.live)
    harness.trade(1, 100, at: noon + 271_000)
    harness.wait(40)
    let first = harness.join.takeClosed()
    #expect(first.map(\.interval) == [.minute, .fiveMinutes])
    #expect(first.allSatisfy { $0.candle.missing > 0 })
    #expect(harness.join.takeClosed().isEmpty)
    harness.want()
    harness.answer(
      .minute, [HistoryHarness.row(noon + 240_000, 99, 100, 99, 100, 4, 3)],
      committed: noon + 240_000)
    let second = harness.join.takeClosed()
    #expect(second.map(\.candle.count) == [3, 3])
  }

  @Test("A minute that turns out not to have been seen is taken back from the disk, too")
  func withdrawn() {
    var harness = HistoryHarness(at: noon + 30_000, hasVenueHistory: false)
    harness.judge(.live)
    harness.trade(1, 100, at: noon + 31_000)
    harness.wait(100)
    let given = harness.join.takeClosed().filter { $0.interval == .minute }
    #expect(given.map(\.candle.count) == [1, 0])
    // Nothing was received for the last 90 s, unnoticed until now.
    harness.judge(.disconnected, heard: 90_000)
    #expect(harness.minute(noon + 60_000) == nil)
    let taken = harness.join.takeClosed().filter { $0.interval == .minute }
    #expect(taken.map(\.candle.start) == [noon, noon + 60_000])
    #expect(taken.map(\.candle.missing) == [52_000, 60_000])
    var next = HistoryHarness(at: noon + 300_000)
    next.join.restore(taken.map(\.candle), of: .minute)
    #expect(next.join.candles(of: .minute).map(\.start) == [noon])
  }

  @Test("Memory is bounded, whatever comes")
  func bounds() {
    var harness = HistoryHarness(hasVenueHistory: false)
    harness.judge(.live)
    for number in 0..<40_000 {
      harness.trade(Int64(number) * 2 + 1, 100 + Int64(number % 7), at: noon + Int64(number) * 5)
    }
    #expect(harness.join.candles(of: .minute).map(\.count).reduce(0, +) == 40_000)
    #expect(harness.join.gaps.count <= 256)
    harness.time = noon + 1_000_000_000_000
    harness.wait(3)
    #expect(harness.join.candles(of: .minute).count < HistoryJoin.maximumMinutes)
  }
}

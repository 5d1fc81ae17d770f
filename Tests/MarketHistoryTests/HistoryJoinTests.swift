// The rules that join a history with live trades, one by one.

import ChartModel
import MarketHistory
import MarketModel
import Testing

@Suite struct HistoryJoinTests {
  private let noon = HistoryHarness.noon

  /// At 12:10:30 with three committed candles, the last at 12:09, and an intact stream.
  private func opened(_ more: (inout HistoryHarness) -> Void = { _ in }) -> HistoryHarness {
    var harness = HistoryHarness(at: noon + 630_000)
    harness.judge(.live)
    harness.want()
    harness.answer(
      .minute,
      [
        HistoryHarness.row(noon + 420_000, 100, 100, 100, 100, 1, 1),
        HistoryHarness.row(noon + 480_000, 100, 100, 100, 100, 0, 0),
        HistoryHarness.row(noon + 540_000, 101, 103, 99, 102, 7, 4),
        HistoryHarness.row(noon + 600_000, 102, 102, 102, 102, 2, 1),
      ], committed: noon + 540_000)
    more(&harness)
    return harness
  }

  @Test("Opening a chart asks for the candles, then for the trades of the forming minute")
  func opening() {
    var harness = HistoryHarness(at: noon + 630_000)
    #expect(harness.join.status == .loading && harness.join.revision == 0)
    harness.judge(.live)
    #expect(harness.asked.isEmpty, "nobody looks yet")
    harness.want(.hour)
    #expect(harness.asked == [.candles(.minute), .candles(.hour)])
    harness.wait(1)
    harness.answer(.minute, [], committed: nil)
    #expect(harness.join.status == .ready)
    let from = HistoryCursor(String((noon + 600_000) * 1_000_000 - 1))
    #expect(harness.askedTrades == .trades(after: from))
    harness.want(.fiveMinutes)
    #expect(harness.asked.contains(.candles(.fiveMinutes)))
    harness.want(.second)
    #expect(harness.asked.count == 3, "seconds are made of ticks elsewhere")
  }

  @Test("A day's forming candle asks for five minutes, a week's for days as well")
  func coarse() {
    var harness = HistoryHarness()
    harness.want(.day)
    #expect(harness.asked == [.candles(.minute), .candles(.fiveMinutes), .candles(.day)])
    var week = HistoryHarness()
    week.want(.week)
    #expect(week.asked == [.candles(.minute), .candles(.fiveMinutes), .candles(.day)])
    var other = HistoryHarness(intervals: [.minute, .fiveMinutes, .hour, .day])
    other.want(.fourHours)
    #expect(other.asked == [.candles(.minute), .candles(.hour)])
  }

  @Test("Only committed candles are kept; the forming one is made of trades")
  func forming() {
    var harness = opened()
    #expect(harness.join.candles(of: .minute).map(\.count) == [1, 0, 4])
    harness.wait(1)
    let first = HistoryHarness.trade(50, 104, 2, at: noon + 601_000)
    harness.trade(52, 106, 1, at: noon + 631_000)
    harness.answerTrades([first, HistoryHarness.trade(51, 103, 1, at: noon + 602_000)], next: "7")
    // The page ends before the stream's trades begin: more pages are requested until both meet.
    harness.answerTrades([HistoryHarness.trade(52, 106, 1, at: noon + 631_000)], next: "8")
    let candle = harness.minute(noon + 600_000)
    #expect(candle?.words == "104 106 103 106 ×4 /3")
    #expect(candle?.missing == 0 && candle?.source == .trades && candle?.proof == CandleProof.none)
    #expect(harness.join.gaps.isEmpty)
  }

  @Test("Trades count once, however often and in whatever order they arrive")
  func doubles() {
    var harness = opened()
    for identifier in [53, 51, 53, 52, 51, 52] {
      harness.trade(
        Int64(identifier), 100 + Int64(identifier), at: noon + Int64(identifier) * 12_000)
    }
    #expect(harness.minute(noon + 600_000)?.words == "151 153 151 153 ×3 /3")
  }

  @Test("A hole in the numbers is a gap from the trade before it to the one after")
  func hole() {
    var harness = opened()
    harness.wait(1)
    harness.answerTrades([])
    harness.trade(51, 110, at: noon + 632_000)
    #expect(harness.minute(noon + 600_000)?.missing == 0)
    harness.trade(53, 112, at: noon + 640_000)
    #expect(harness.minute(noon + 600_000)?.missing == 8000)
    harness.time = noon + 641_000
    harness.wait(1)
    #expect(harness.minute(noon + 600_000)?.missing == 8001)
    #expect(harness.minute(noon + 600_000)?.source == .seen)
    #expect(harness.join.gaps == [SeriesGap(start: noon + 632_000, end: noon + 640_001)])
    let cursor = HistoryCursor(String((noon + 632_000) * 1_000_000 - 1))
    #expect(harness.askedTrades == .trades(after: cursor), "the history may know")
    harness.answerTrades([
      HistoryHarness.trade(51, 110, at: noon + 632_000),
      HistoryHarness.trade(52, 109, at: noon + 635_000),
      HistoryHarness.trade(53, 112, at: noon + 640_000),
    ])
    #expect(harness.minute(noon + 600_000)?.words == "110 112 109 112 ×3 /3")
    #expect(harness.minute(noon + 600_000)?.missing == 0 && harness.join.gaps.isEmpty)
  }

  @Test("A gap revokes what an intact stream seemed to cover")
  func retraction() {
    var harness = opened {
      $0.wait(1); $0.answerTrades([])
    }
    harness.trade(51, 110, at: noon + 632_000)
    harness.time = noon + 640_000
    harness.judge(.disconnected)
    #expect(harness.minute(noon + 600_000)?.missing == 2000, "what was on its way is lost")
    harness.time = noon + 645_000
    harness.judge(.live)
    harness.trade(53, 112, at: noon + 645_000)
    #expect(harness.join.gaps.map(\.start) == [noon + 632_000], "52 may have been at any time")
  }

  @Test("A reconnect that missed nothing leaves no gap")
  func overlap() {
    var harness = opened {
      $0.wait(1); $0.answerTrades([])
    }
    harness.trade(51, 110, at: noon + 632_000)
    harness.time = noon + 640_000
    harness.judge(.disconnected)
    #expect(!harness.join.gaps.isEmpty || harness.minute(noon + 600_000)?.missing == 0)
    harness.time = noon + 650_000
    harness.judge(.live)
    #expect(harness.join.gaps.isEmpty == false, "nobody knows yet")
    harness.trade(52, 111, at: noon + 651_000)
    #expect(harness.join.gaps.isEmpty, "the numbers go on")
    #expect(harness.minute(noon + 600_000)?.missing == 0)
  }

  @Test("After a silent reconnect the history shows that there were no trades")
  func silence() {
    var harness = opened {
      $0.wait(1); $0.answerTrades([])
    }
    harness.trade(51, 110, at: noon + 632_000)
    harness.time = noon + 636_000
    harness.judge(.disconnected)
    harness.time = noon + 645_000
    harness.judge(.live)
    harness.wait(2)
    #expect((harness.minute(noon + 600_000)?.missing ?? 0) > 0)
    harness.answerTrades([HistoryHarness.trade(51, 110, at: noon + 632_000)], next: "9")
    #expect(harness.minute(noon + 600_000)?.missing == 0 && harness.join.gaps.isEmpty)
  }

  @Test("At most ten pages are fetched for a hole; what is left is a gap")
  func pages() {
    var harness = opened()
    harness.wait(1)
    harness.trade(5000, 110, at: noon + 631_000)
    var asked = 0
    while harness.askedTrades != nil, asked < 100 {
      asked += 1
      let trade = HistoryHarness.trade(Int64(asked), 100, at: noon + 600_000 + Int64(asked))
      harness.answerTrades([trade], next: String(asked))
    }
    #expect(asked == 10)
    #expect(harness.join.gaps.map(\.start) == [noon + 600_010])
    #expect((harness.minute(noon + 600_000)?.missing ?? 0) > 0)
  }

  @Test("A closed minute equal to the venue's is proven; another is kept, shown and counted")
  func proof() {
    for isEqual in [true, false] {
      var harness = opened {
        $0.wait(1); $0.answerTrades([])
      }
      harness.trade(51, 110, 3, at: noon + 632_000)
      harness.wait(40)
      #expect(harness.minute(noon + 600_000)?.source == .trades)
      let before = harness.join.revision
      harness.wait(30)
      harness.answer(
        .minute, [HistoryHarness.row(noon + 600_000, 110, 110, 110, 110, isEqual ? 3 : 4, 1)],
        committed: noon + 600_000)
      let candle = harness.minute(noon + 600_000)
      #expect(candle?.proof == (isEqual ? .proven : .contradicted))
      #expect(candle?.words == "110 110 110 110 ×3 /1" && candle?.source == .trades)
      #expect(harness.join.mismatches.count == (isEqual ? 0 : 1))
      #expect(harness.join.mismatches.first?.venues.volume.units == (isEqual ? nil : 4))
      #expect(harness.join.revision > before)
      // A venue's correction is accepted.
      harness.wait(61)
      harness.answer(
        .minute, [HistoryHarness.row(noon + 600_000, 110, 110, 110, 110, 3, 1)],
        committed: noon + 600_000)
      #expect(harness.minute(noon + 600_000)?.proof == .proven && harness.join.mismatches.isEmpty)
    }
  }

  @Test("A minute without trades is a candle; an unobserved one is missing")
  func emptyMinutes() {
    var harness = opened {
      $0.wait(1); $0.answerTrades([])
    }
    harness.trade(51, 110, at: noon + 632_000)
    harness.wait(120)
    #expect(harness.minute(noon + 660_000)?.words == "110 110 110 110 ×0 /0")
    #expect(harness.minute(noon + 660_000)?.source == .trades)
    harness.judge(.disconnected)
    harness.time += 300_000
    harness.judge(.live)
    harness.wait(3)
    #expect(harness.minute(noon + 900_000) == nil, "never bridged")
    #expect(harness.join.gaps.contains { $0.start <= noon + 900_000 && $0.end >= noon + 960_000 })
  }

  @Test("A silent minute shows when it ends, not at the next trade; an unobserved one never")
  func silentMinute() {
    for isHeard in [true, false] {
      var harness = opened {
        $0.wait(1); $0.answerTrades([])
      }
      harness.trade(51, 110, at: noon + 632_000)
      while harness.time < noon + 719_000 { harness.wait(1) }
      if !isHeard { harness.judge(.disconnected) }
      let before = harness.join.revision
      while harness.time < noon + 720_000 { harness.wait(1) }
      #expect(harness.time < noon + 721_000)
      #expect((harness.join.revision != before) == isHeard, "whoever draws asks again")
      #expect(harness.minute(noon + 660_000)?.words == (isHeard ? "110 110 110 110 ×0 /0" : nil))
      #expect(!isHeard || harness.minute(noon + 660_000)?.missing == 0)
      // A trade that was in flight still counts.
      guard isHeard else { continue }
      harness.trade(52, 120, at: noon + 719_990)
      harness.wait(3)
      #expect(harness.minute(noon + 660_000)?.words == "120 120 120 120 ×1 /1")
    }
  }

  @Test("The venue's candles repair what was missed")
  func repaired() {
    var harness = opened {
      $0.wait(1); $0.answerTrades([])
    }
    harness.trade(51, 110, at: noon + 632_000)
    harness.judge(.disconnected)
    harness.time = noon + 725_000
    harness.judge(.live)
    harness.wait(10)
    harness.answer(
      .minute,
      [
        HistoryHarness.row(noon + 600_000, 110, 115, 110, 115, 9, 5),
        HistoryHarness.row(noon + 660_000, 115, 115, 115, 115, 0, 0),
      ], committed: noon + 660_000)
    #expect(harness.minute(noon + 600_000)?.words == "110 115 110 115 ×9 /5")
    #expect(harness.minute(noon + 600_000)?.source == .venue)
    #expect(harness.join.mismatches.isEmpty, "ours was not whole, so it contradicts nothing")
    #expect(!harness.join.gaps.contains { $0.start < noon + 720_000 })
  }

  @Test("Coarse candles are the venue's, then folds; their missing parts are marked")
  func folds() {
    var harness = HistoryHarness(at: noon + 630_000)
    harness.judge(.live)
    harness.want(.fiveMinutes)
    let rows = (0..<10).map { minute -> VenueCandle in
      let price = 100 + Int64(minute)
      return HistoryHarness.row(
        noon + Int64(minute) * 60_000, price, price + 1, price - 1, price, 2, 3)
    }
    harness.answer(.minute, rows, committed: noon + 540_000)
    harness.answer(
      .fiveMinutes, [HistoryHarness.row(noon - 300_000, 90, 90, 90, 90, 5, 5)],
      committed: noon - 300_000)
    harness.wait(1)
    harness.answerTrades([HistoryHarness.trade(7, 120, at: noon + 601_000)], next: "1")
    harness.answerTrades([], next: "1")
    let candles = harness.join.candles(of: .fiveMinutes)
    #expect(candles.map(\.start) == [-300_000, 0, 300_000, 600_000].map { noon + $0 })
    #expect(candles.dropFirst().first?.words == "100 105 99 104 ×10 /15")
    #expect(candles.last?.words == "120 120 120 120 ×1 /1" && candles.last?.missing == 0)
    let hour = harness.join.candles(of: .hour)
    #expect(hour.count == 1 && hour.first?.words == "100 120 99 120 ×21 /31")
    #expect(hour.first?.missing == 0, "noon is the start of the hour")
    let day = harness.join.candles(of: .day).first
    #expect(day?.missing == 42_900_000, "but not of the day")
    #expect(day?.source == .seen)
  }

  @Test("Empty spans do not stretch the coarse candle that follows them")
  func emptyFold() {
    var harness = HistoryHarness(at: noon + 330_000)
    harness.want()
    harness.answer(
      .minute,
      [
        HistoryHarness.row(noon - 60_000, 100, 100, 100, 100, 1, 1),
        HistoryHarness.row(noon, 100, 100, 100, 100, 0, 0),
        HistoryHarness.row(noon + 60_000, 110, 112, 109, 111, 5, 2),
        HistoryHarness.row(noon + 120_000, 111, 111, 111, 111, 0, 0),
        HistoryHarness.row(noon + 180_000, 113, 113, 113, 113, 1, 1),
        HistoryHarness.row(noon + 240_000, 113, 113, 113, 113, 0, 0),
      ], committed: noon + 240_000)
    let candle = harness.join.candles(of: .fiveMinutes).first { $0.start == noon }
    #expect(candle?.words == "110 113 109 113 ×6 /3" && candle?.missing == 0)
  }
}

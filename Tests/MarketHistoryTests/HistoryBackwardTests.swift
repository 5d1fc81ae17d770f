// Histories whose pages run backwards by number, and live trades that join several fills.

import ChartModel
import MarketHistory
import MarketModel
import Testing

@Suite struct HistoryBackwardTests {
  private let noon = HistoryHarness.noon

  /// At 12:10:31 with the candle of 12:09 committed, and an intact stream for 31 seconds.
  private func opened() -> HistoryHarness {
    var harness = HistoryHarness(at: noon + 600_000, pagesBackwards: true)
    harness.judge(.live)
    harness.want()
    harness.wait(30)
    harness.answer(
      .minute, [HistoryHarness.row(noon + 540_000, 101, 103, 99, 102, 7, 4)],
      committed: noon + 540_000)
    return harness
  }

  /// At 12:10:31, with trade 50 at 12:10:10 and all before it back to the minute's start.
  private func covered() -> HistoryHarness {
    var harness = opened()
    harness.trade(50, 100, at: noon + 610_000)
    harness.wait(1)
    harness.answerTrades([trade(49, 100, at: 599_000)])
    return harness
  }

  /// At 12:10:31, with no candle, and a first trade half a second ago.
  private func joined(by identifier: Int64, at price: Int64) -> HistoryHarness {
    var harness = HistoryHarness(at: noon + 630_000, pagesBackwards: true)
    harness.judge(.live)
    harness.want()
    harness.answer(.minute, [], committed: nil)
    harness.trade(identifier, price, at: noon + 630_500)
    harness.wait(1)
    return harness
  }

  private func trade(
    _ identifier: Int64, _ price: Int64, _ quantity: Int64 = 1, at milliseconds: Int64
  ) -> VenueTrade {
    HistoryHarness.trade(identifier, price, quantity, at: noon + milliseconds)
  }

  /// A live trade of several fills.
  private func fills(
    _ numbers: ClosedRange<Int64>, _ price: Int64, _ quantity: Int64, at milliseconds: Int64
  ) -> VenueTrade {
    VenueTrade(
      identifier: numbers.upperBound, covered: Int64(numbers.count),
      time: Timestamp(milliseconds: noon + milliseconds),
      price: FixedDecimal(units: price, scale: .whole),
      quantity: FixedDecimal(units: quantity, scale: .whole))
  }

  @Test func `the newest page is requested before the first trade, and covers the open minute`() {
    var harness = HistoryHarness(at: noon + 630_000, pagesBackwards: true)
    harness.judge(.live)
    harness.want()
    harness.answer(.minute, [], committed: nil)
    harness.wait(1)
    #expect(harness.askedTrades == .tradesBefore(nil))
    harness.answerTrades([
      trade(50, 99, at: 599_000), trade(51, 104, at: 601_000), trade(52, 103, at: 602_000),
    ])
    #expect(harness.askedTrades == nil)
    let candle = harness.minute(noon + 600_000)
    #expect(candle?.words == "104 104 103 103 ×2 /2")
    #expect(candle?.missing == 0 && candle?.source == .trades)
  }

  @Test func `a history without an end is requested for a bounded number of pages`() {
    var harness = joined(by: 100_000, at: 100)
    var pages: Int64 = 0
    while harness.askedTrades != nil, pages < 1000 {
      pages += 1
      harness.answerTrades([trade(100_000 - pages, 100, at: 605_000)])
    }
    #expect(pages == 30)
    #expect((harness.minute(noon + 600_000)?.missing ?? 0) > 0)
  }

  @Test func `pages are requested until they reach the start of the open minute`() {
    var harness = joined(by: 60, at: 105)
    #expect(harness.askedTrades == .tradesBefore(60))
    harness.answerTrades([trade(58, 103, at: 610_000), trade(59, 104, at: 611_000)])
    #expect(harness.askedTrades == .tradesBefore(58))
    #expect((harness.minute(noon + 600_000)?.missing ?? 0) > 0)
    harness.answerTrades([trade(56, 101, at: 590_000), trade(57, 102, at: 605_000)])
    #expect(harness.askedTrades == nil)
    #expect(harness.minute(noon + 600_000)?.words == "102 105 102 105 ×4 /4")
    #expect(harness.minute(noon + 600_000)?.missing == 0)
  }

  @Test func `a hole is filled from its end, and its minute is proven`() {
    var harness = covered()
    harness.trade(53, 103, at: noon + 632_000)
    #expect((harness.minute(noon + 600_000)?.missing ?? 0) > 0)
    harness.wait(2)
    #expect(harness.askedTrades == .tradesBefore(53))
    harness.answerTrades([trade(52, 102, at: 625_000)])
    #expect(harness.askedTrades == .tradesBefore(52))
    harness.answerTrades([trade(50, 100, at: 610_000), trade(51, 99, at: 615_000)])
    #expect(harness.askedTrades == nil && harness.join.gaps.isEmpty)
    #expect(harness.minute(noon + 600_000)?.words == "100 103 99 103 ×4 /4")
    harness.wait(70)
    harness.answer(
      .minute, [HistoryHarness.row(noon + 600_000, 100, 103, 99, 103, 4, 4)],
      committed: noon + 600_000)
    #expect(harness.minute(noon + 600_000)?.proof == .proven)
  }

  @Test func `an outage is filled back to the trade before it`() {
    var harness = covered()
    harness.judge(.disconnected)
    harness.wait(120)
    harness.judge(.live)
    harness.trade(400, 110, at: harness.time)
    harness.wait(1)
    let request = harness.asked.last { if case .tradesBefore = $0 { true } else { false } }
    #expect(request == .tradesBefore(400))
    var number: Int64 = 400
    while case .tradesBefore(let before?)? = harness.askedTrades {
      #expect(before == number)
      let lowest = max(50, number - 100)
      harness.answerTrades(
        (lowest..<number).map {
          $0 == 50 ? trade(50, 100, at: 610_000) : trade($0, 105, at: 610_000 + ($0 - 50) * 400)
        })
      number = lowest
    }
    #expect(number == 50)
    #expect(harness.join.gaps.isEmpty)
  }

  @Test func `after a silent reconnect the newest page shows that there were no trades`() {
    var harness = covered()
    harness.time = noon + 636_000
    harness.judge(.disconnected)
    harness.time = noon + 645_000
    harness.judge(.live)
    harness.wait(2)
    #expect((harness.minute(noon + 600_000)?.missing ?? 0) > 0)
    #expect(harness.askedTrades == .tradesBefore(nil))
    harness.answerTrades([trade(49, 100, at: 599_000), trade(50, 100, at: 610_000)])
    #expect(harness.minute(noon + 600_000)?.missing == 0 && harness.join.gaps.isEmpty)
    #expect(harness.askedTrades == nil)
  }

  // MARK: Several fills

  @Test func `a live trade counts its fills, and leaves no hole before it`() {
    var harness = covered()
    harness.join.receive(fills(51...53, 102, 6, at: 631_000), at: harness.now)
    harness.trade(54, 101, at: noon + 632_000)
    #expect(harness.minute(noon + 600_000)?.words == "100 102 100 101 ×8 /5")
    #expect(harness.minute(noon + 600_000)?.missing == 0)
    harness.join.receive(fills(51...53, 102, 6, at: 631_000), at: harness.now)
    #expect(harness.minute(noon + 600_000)?.count == 5, "once")
  }

  @Test func `a page with some of a trade's fills adds none twice, and contradicts nothing`() {
    var harness = covered()
    harness.join.receive(fills(55...57, 102, 6, at: 631_500), at: harness.now)
    harness.wait(2)
    #expect(harness.askedTrades == .tradesBefore(55))
    harness.answerTrades((51...54).map { trade($0, 101, at: 620_000 + $0) })
    harness.judge(.disconnected)
    harness.wait(5)
    harness.judge(.live)
    harness.wait(2)
    #expect(harness.askedTrades == .tradesBefore(nil))
    harness.answerTrades(
      (53...54).map { trade($0, 101, at: 620_000 + $0) }
        + (55...57).map { trade($0, 102, 2, at: 631_500) })
    #expect(harness.minute(noon + 600_000)?.words == "100 102 100 102 ×11 /8")
    #expect(harness.join.gaps.isEmpty)
  }

  @Test func `a live trade that the history has in part is fetched, not counted twice`() {
    var harness = HistoryHarness(at: noon + 630_000, pagesBackwards: true)
    harness.judge(.live)
    harness.want()
    harness.answer(.minute, [], committed: nil)
    harness.wait(1)
    harness.answerTrades([trade(50, 99, at: 599_000), trade(51, 102, 2, at: 631_000)])
    harness.join.receive(fills(51...53, 102, 6, at: 631_000), at: harness.now)
    #expect(harness.minute(noon + 600_000)?.words == "102 102 102 102 ×2 /1")
    harness.trade(54, 103, at: noon + 632_000)
    #expect((harness.minute(noon + 600_000)?.missing ?? 0) > 0)
    harness.wait(2)
    #expect(harness.askedTrades == .tradesBefore(54))
    harness.answerTrades((51...53).map { trade($0, 102, 2, at: 631_000) })
    #expect(harness.minute(noon + 600_000)?.words == "102 103 102 103 ×7 /4")
    #expect(harness.minute(noon + 600_000)?.missing == 0)
  }

  // MARK: Hostile pages

  @Test func `an empty page proves nothing, and is not requested again and again`() {
    var harness = covered()
    harness.trade(53, 103, at: noon + 632_000)
    harness.wait(2)
    // Once for the hole, once for the open minute.
    for _ in 0..<2 { harness.answerTrades([]) }
    harness.wait(20)
    #expect(harness.askedTrades == nil)
    #expect(harness.join.gaps.first?.start == noon + 610_000)
    #expect((harness.minute(noon + 600_000)?.missing ?? 0) > 0)
  }

  @Test func `a number that the history lacks stays a hole, and is not requested for ever`() {
    var harness = covered()
    harness.trade(60, 103, at: noon + 632_000)
    harness.wait(2)
    var asked = 0
    while harness.askedTrades != nil, asked < 100 {
      asked += 1
      // 55 is missing.
      harness.answerTrades(
        [49, 50, 51, 52, 53, 54, 56, 57, 58, 59].map {
          trade($0, 100, at: $0 == 49 ? 599_000 : 610_000 + ($0 - 50) * 2000)
        })
      harness.wait(1)
    }
    #expect(asked <= 3)
    #expect((harness.minute(noon + 600_000)?.missing ?? 0) > 0)
    #expect(harness.minute(noon + 600_000)?.count == 10)
  }

  @Test func `a page of the future, or with a trade that can't be, is refused and requested again`()
  {
    for odd in [trade(51, 100, at: 900_000), trade(0, 100, at: 620_000)] {
      var harness = covered()
      harness.trade(53, 103, at: noon + 632_000)
      harness.wait(2)
      harness.answerTrades([odd, trade(52, 100, at: 625_000)])
      guard case .failed(.badAnswer) = harness.join.status else {
        Issue.record("\(harness.join.status)")
        continue
      }
      #expect(harness.minute(noon + 600_000)?.count == 2 && harness.askedTrades == nil)
      harness.wait(5)
      #expect(harness.askedTrades == .tradesBefore(53))
    }
  }

  @Test func `numbers of another count are not joined`() {
    var harness = covered()
    harness.trade(53, 103, at: noon + 632_000)
    harness.wait(2)
    harness.answerTrades([trade(50, 200, at: 610_000), trade(51, 99, at: 615_000)])
    #expect(harness.minute(noon + 600_000)?.count == 2)
    harness.wait(60)
    #expect(harness.askedTrades == nil)
  }

  @Test func `a page is requested again after a rate limit, never after an unknown instrument`() {
    var harness = covered()
    harness.trade(53, 103, at: noon + 632_000)
    harness.wait(2)
    harness.answer(.tradesBefore(53), .failure(.rateLimited))
    harness.wait(4)
    #expect(harness.askedTrades == nil)
    harness.wait(1)
    #expect(harness.askedTrades == .tradesBefore(53))
    harness.answer(.tradesBefore(53), .failure(.unknownInstrument))
    harness.wait(60)
    #expect(harness.askedTrades == nil)
  }
}

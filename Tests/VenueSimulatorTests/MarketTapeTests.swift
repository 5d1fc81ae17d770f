// An instrument's tape: its calculated history, its agents' trades, and the transitions between.

import MarketModel
import OrderMatching
import Testing

@testable import VenueSimulator

struct MarketTapeTests {
  private static let start = VenueDriver<SimulatedKraken>.start

  private func pair(_ symbol: String) throws -> Int {
    try #require(KrakenPair.deep.firstIndex { $0.symbol == symbol })
  }

  private func fold(_ trades: [TapeTrade]) -> TapeCandle {
    var sum = TapeCandle.none
    for trade in trades { sum.add(TapeCandle(trade)) }
    return sum
  }

  /// All but the average, which the formula only estimates.
  private func figures(_ candle: TapeCandle) -> [Int64] {
    [
      candle.open, candle.high, candle.low, candle.close, candle.lots, candle.lastLots,
      candle.count,
    ]
  }

  private func minute(_ time: Timestamp) -> Int64 {
    MarketTape.minute(MarketTape.microseconds(time))
  }

  @Test(arguments: KrakenPair.deep.map(\.symbol))
  func `a minute's candle is its trades, over many seeds`(symbol: String) throws {
    let index = try pair(symbol)
    for seed in 1...12 as ClosedRange<UInt64> {
      let market = SimulatedMarket(seed: seed, start: Self.start, [KrakenPair.deep[index].listing])
      let tape = market.tape(of: 0, first: 10_000_001)
      let now = minute(Self.start)
      for minute in [tape.listing, tape.listing + 77_777] + Array((now - 60)..<now) {
        let trades = tape.trades(of: minute)
        let candle = tape.candle(minute)
        let case_ = "seed \(seed), \(symbol), minute \(minute)"
        #expect(figures(fold(trades)) == figures(candle), "\(case_)")
        #expect(candle.low * 1000 <= candle.average && candle.average <= candle.high * 1000)
        #expect(trades.allSatisfy { $0.lots > 0 && $0.ticks > 0 }, "\(case_)")
        #expect(trades.allSatisfy { MarketTape.minute($0.microseconds) == minute }, "\(case_)")
        #expect(
          zip(trades, trades.dropFirst()).allSatisfy {
            $0.identifier + 1 == $1.identifier && $0.nanoseconds < $1.nanoseconds
          }, "\(case_)")
      }
    }
  }

  @Test func `numbers rise by one from the past to the agents, and the price does not jump`() throws
  {
    for (index, known) in KrakenPair.deep.enumerated() {
      for seed in 1...6 as ClosedRange<UInt64> {
        let venue = SimulatedKraken(seed: seed, start: Self.start)
        let tape = venue.tapes[index]
        let trades = tape.latest(1000)
        #expect(trades.count == 1000)
        #expect(
          zip(trades, trades.dropFirst()).allSatisfy {
            $0.identifier + 1 == $1.identifier && $0.nanoseconds < $1.nanoseconds
          }, "seed \(seed), \(known.symbol)")
        let first = 10_000_000 * Int64(index + 1) + 1
        #expect((trades.first?.identifier ?? 0) < first, "the past is in it")
        // A quiet pair's agents may not have traded yet.
        guard let joint = trades.firstIndex(where: { $0.identifier == first }) else { continue }
        let jump = abs(trades[joint].ticks - trades[joint - 1].ticks)
        let now = minute(Self.start)
        let widest = ((now - 600)..<now).map { tape.candle($0) }.map { $0.high - $0.low }.max()
        let span = try #require(widest)
        #expect(jump <= max(4, span), "seed \(seed), \(known.symbol): \(jump) of \(span)")
        // Numbers stay positive back to the listing.
        #expect((tape.trades(after: 0, limit: 1).first?.identifier ?? 0) > 0, "\(known.symbol)")
      }
    }
  }

  @Test func `a coarse candle is the fold of its minutes, empty ones with the previous price`() {
    for seed in 1...3 as ClosedRange<UInt64> {
      var tape = SimulatedMarket(
        seed: seed, start: Self.start, [KrakenPair.deep[5].listing]
      ).tape(of: 0, first: 60_000_001)
      let now = minute(Self.start)
      let minutes = tape.candles(minutes: 1, count: 721, at: now)
      #expect(minutes.count == 721)
      #expect(minutes.contains { $0.candle.count == 0 }, "a quiet pair has empty minutes")
      for (before, row) in zip(minutes, minutes.dropFirst()) where row.candle.count == 0 {
        #expect(row.candle.open == before.candle.close && row.candle.lots == 0, "seed \(seed)")
      }
      for length in [5, 60, 240] as [Int64] {
        for row in tape.candles(minutes: length, count: 3, at: now) {
          var sum = TapeCandle.none
          for minute in row.start..<min(row.start + length, now + 1) {
            sum.add(tape.candle(minute))
          }
          let expected = sum.count > 0 ? sum : .empty(at: row.candle.close)
          #expect(figures(expected) == figures(row.candle), "seed \(seed), \(length) min")
        }
      }
      #expect(tape.candles(minutes: 240, count: 721, at: now).count > 540, "ninety days are there")
    }
  }

  @Test func `a pause is filled by the formula, and numbers go on`() throws {
    for seed in 1...2 as ClosedRange<UInt64> {
      for pause in [3500, 65_000, 200_000, 86_400_000] as [Int64] {
        var driver = VenueDriver(SimulatedKraken(seed: seed, start: Self.start))
        driver.run(milliseconds: 20_000)
        let before = try #require(driver.venue.tapes[0].last)
        let later = Timestamp(milliseconds: driver.now.milliseconds + pause)
        _ = driver.venue.advance(to: later)
        let end = Timestamp(milliseconds: later.milliseconds + 5000)
        while let next = driver.venue.nextEvent, next <= end {
          _ = driver.venue.advance(to: next)
        }
        let tape = driver.venue.tapes[0]
        let trades = tape.trades(after: before.nanoseconds, limit: 5000)
        let case_ = "seed \(seed), \(pause) ms"
        #expect(trades.first?.identifier == before.identifier + 1, "\(case_)")
        #expect(
          zip(trades, trades.dropFirst()).allSatisfy {
            $0.identifier + 1 == $1.identifier && $0.nanoseconds < $1.nanoseconds
          }, "\(case_)")
        if pause < 1_000_000 {
          #expect(trades.last == tape.last, "\(case_)")
        }
        for minute in (minute(Self.start) - 1)...min(minute(later), minute(Self.start) + 6) {
          #expect(
            figures(fold(tape.trades(of: minute))) == figures(tape.candle(minute)), "\(case_)")
        }
        let latest = tape.latest(50)
        #expect(latest.last == tape.last && latest.count == 50)
        #expect(latest.last?.identifier == latest.first.map { $0.identifier + 49 })
      }
    }
  }

  @Test func `what agents traded becomes minutes and hours, and no sum is lost`() {
    let listing = KrakenPair.deep[0].listing
    let opening = Timestamp(milliseconds: 1_626_998_400_000)
    var tape = MarketTape(
      listing, value: listing.value(seed: 1), seed: 1, start: opening, opening: opening, first: 1)
    let trade = MarketTrade(price: Price(units: 640_000), quantity: Quantity(units: 3), side: .buy)
    let first = minute(opening)
    let days: Int64 = 20
    for minute in 0..<(days * 1440) {
      let time = Timestamp(milliseconds: opening.milliseconds + minute * 60_000 + 30_000)
      _ = tape.record([trade, trade], at: time)
    }
    let end = first + days * 1440
    let all = tape.candle(from: first, to: end, at: end)
    #expect(all.count == days * 2880 && all.lots == days * 8640)
    #expect(tape.candle(first + 5).count == 0, "this minute exists only as a part of its hour")
    #expect(tape.candle(end - Int64(MarketTape.keptMinutes)).count == 2)
    let oldest = tape.trades(after: opening.nanoseconds, limit: 1).first
    #expect((oldest?.identifier ?? 0) > 1, "the first trades are not kept")
    #expect(tape.lastIdentifier - (oldest?.identifier ?? 0) >= Int64(MarketTape.keptTrades) - 1)
  }

  @Test func `the same seed gives the same past, another one another`() {
    func past(_ seed: UInt64) -> [TapeTrade] {
      SimulatedKraken(seed: seed, start: Self.start).tapes[1].latest(300)
    }
    #expect(past(5) == past(5))
    #expect(past(5) != past(6))
  }
}

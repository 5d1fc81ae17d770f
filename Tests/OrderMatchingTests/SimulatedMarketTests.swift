// The simulated market must be the same for the same seed, and must look like a market.

import MarketModel
import OrderMatching
import Testing

struct SimulatedMarketTests {
  @Test func `equal seeds give equal markets, other seeds others`() {
    var (one, same, other) = (
      SimulatedMarket(seed: 7), SimulatedMarket(seed: 7), SimulatedMarket(seed: 8)
    )
    for _ in 0..<60 {
      one.advance(milliseconds: 1000)
      same.advance(milliseconds: 1000)
      other.advance(milliseconds: 1000)
      #expect(one.snapshot == same.snapshot)
      #expect(one.tape == same.tape)
    }
    #expect(one.stateHash == same.stateHash)
    #expect(one.stateHash != other.stateHash)
  }

  @Test func `it does not matter how time is cut`() {
    var (whole, pieces) = (SimulatedMarket(seed: 3), SimulatedMarket(seed: 3))
    whole.advance(milliseconds: 37 * 400)
    for _ in 0..<400 { pieces.advance(milliseconds: 37) }
    #expect(whole.snapshot == pieces.snapshot)
    #expect(whole.stateHash == pieces.stateHash)
    #expect(whole.snapshot.elapsedMilliseconds == 14_800)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `both engines carry the same market`(seed: UInt64) {
    var fast = SimulatedMarket(seed: seed)
    var plain = SimulatedMarket(on: PlainMatchingEngine.self, seed: seed)
    for second in 0..<60 {
      fast.advance(milliseconds: 1000)
      plain.advance(milliseconds: 1000)
      #expect(fast.snapshot == plain.snapshot, "seed \(seed), second \(second)")
      #expect(fast.stateHash == plain.stateHash, "seed \(seed), second \(second)")
    }
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func `the market looks like a market`(seed: UInt64) {
    var market = SimulatedMarket(seed: seed)
    var figures = MarketFigures()
    for _ in 0..<2000 {
      let before = market.snapshot.last
      market.advance(milliseconds: 1000)
      figures.add(market.snapshot, change: market.snapshot.last.units - before.units)
      #expect(market.tape.last.map(\.price) ?? before == market.snapshot.last, "seed \(seed)")
    }
    #expect(figures.crossed == 0, "seed \(seed)")
    #expect(figures.quotedShare > 0.99, "seed \(seed)")
    #expect((1...4).contains(figures.spread(0.5)), "seed \(seed): \(figures.spread(0.5))")
    #expect((2...12).contains(figures.spread(0.95)), "seed \(seed): \(figures.spread(0.95))")
    #expect((6...10).contains(figures.deviation), "seed \(seed): \(figures.deviation)")
    #expect(figures.kurtosis > 4, "seed \(seed): \(figures.kurtosis)")
    #expect(figures.usualSizeShare > 0.75, "seed \(seed): \(figures.usualSizeShare)")
    #expect(figures.movedShare > 0.9, "seed \(seed): \(figures.movedShare)")
  }

  @Test func `a market is quoted from its first moment`() {
    let snapshot = SimulatedMarket(seed: 1, startPrice: Price(units: 4500)).snapshot
    #expect(snapshot.last == Price(units: 4500))
    #expect(snapshot.elapsedMilliseconds == 0)
    #expect(snapshot.bestBid != nil)
    #expect(snapshot.bestAsk != nil)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, 99, 4_000_001, Int64.max])
  func `no start price or volatility breaks it`(number: Int64) {
    var market = SimulatedMarket(seed: 1, startPrice: Price(units: number), volatility: number)
    market.advance(milliseconds: 20_000)
    let snapshot = market.snapshot
    #expect(snapshot.last.units > 0)
    if let bid = snapshot.bestBid, let ask = snapshot.bestAsk {
      #expect(bid.price.units > 0 && bid.price < ask.price)
    }
  }

  @Test func `time that stands still or runs back changes nothing`() {
    var market = SimulatedMarket(seed: 5)
    market.advance(milliseconds: 1000)
    let (before, hash) = (market.snapshot, market.stateHash)
    for milliseconds in [0, -1, .min] as [Int64] { market.advance(milliseconds: milliseconds) }
    #expect(market.snapshot == before)
    #expect(market.stateHash == hash)
    #expect(market.tape.isEmpty)
  }
}

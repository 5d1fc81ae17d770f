// The simulated market is the same for the same seed, and has a market's statistics.

import MarketModel
import OrderMatching
import Testing

struct AgentMarketTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let profile: MarketProfile
    var start: Int64 = 4500
    var volatility: Int64 = 1_600_000

    static let stock = Kind(testDescription: "a stock", profile: .quoted(stepMilliseconds: 50))
    static let coin = Kind(
      testDescription: "a coin",
      profile: .deep(
        DepthProfile(levels: .init(bids: 380, asks: 320), gapPercent: 200, lotsPerHundred: 700)),
      start: 64_000, volatility: 40_000)
  }

  private func market<Engine: MatchingEngine>(
    on engine: Engine.Type, _ kind: Kind, seed: UInt64
  ) -> AgentMarket<Engine> {
    let path = PricePath(seed: seed, volatility: kind.volatility)
    let value = FundamentalValue(start: Price(units: kind.start), path: path)
    return AgentMarket(on: engine, kind.profile, value, seed: seed)
  }

  private func market(_ kind: Kind, seed: UInt64) -> AgentMarket<FastMatchingEngine> {
    market(on: FastMatchingEngine.self, kind, seed: seed)
  }

  @Test(arguments: [Kind.stock, .coin])
  func `equal seeds give equal markets, other seeds others`(kind: Kind) {
    var (one, same, other) = (market(kind, seed: 7), market(kind, seed: 7), market(kind, seed: 8))
    for second in 1...60 as ClosedRange<Int64> {
      #expect(one.advance(to: second * 1_000_000) == same.advance(to: second * 1_000_000))
      other.advance(to: second * 1_000_000)
    }
    #expect(one.stateHash == same.stateHash)
    #expect(one.stateHash != other.stateHash)
  }

  @Test(arguments: [Kind.stock, .coin])
  func `it does not matter how time is cut`(kind: Kind) {
    var (whole, pieces) = (market(kind, seed: 3), market(kind, seed: 3))
    let all = whole.advance(to: 14_800_000)
    var parts: [AgentEvent] = []
    for piece in 1...400 as ClosedRange<Int64> { parts += pieces.advance(to: piece * 37_000) }
    #expect(all == parts && !all.isEmpty)
    #expect(whole.stateHash == pieces.stateHash)
    #expect(whole.due == pieces.due)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>, [Kind.stock, .coin])
  func `both engines carry the same market`(seed: UInt64, kind: Kind) {
    var fast = market(kind, seed: seed)
    var plain = market(on: PlainMatchingEngine.self, kind, seed: seed)
    for second in 1...30 as ClosedRange<Int64> {
      #expect(fast.advance(to: second * 1_000_000) == plain.advance(to: second * 1_000_000))
      #expect(fast.stateHash == plain.stateHash, "seed \(seed), second \(second)")
    }
  }

  @Test(arguments: [Kind.stock, .coin])
  func `events describe every change of the book, and a sweep removes what it prints`(kind: Kind) {
    var market = market(kind, seed: 5)
    var book = ToldBook(market)
    var sweeps = 0
    for second in 1...120 as ClosedRange<Int64> {
      for event in market.advance(to: second * 1_000_000) {
        book.apply(event)
        if Set(event.trades.map(\.price)).count > 1 { sweeps += 1 }
      }
      #expect(book == ToldBook(market), "second \(second)")
    }
    #expect(book.faults.isEmpty, "\(book.faults.prefix(3))")
    #expect(sweeps > 0)
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func `the market looks like a market`(seed: UInt64) {
    var market = market(.stock, seed: seed)
    var figures = MarketFigures()
    for second in 1...2000 as ClosedRange<Int64> {
      let before = market.last
      let events = market.advance(to: second * 1_000_000)
      figures.add(market, change: market.last.units - before.units)
      #expect(events.last { !$0.trades.isEmpty }?.trades.last?.price ?? before == market.last)
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
    let market = market(.stock, seed: 1)
    #expect(market.last == Price(units: 4500))
    #expect(market.best(.buy) != nil && market.best(.sell) != nil)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, 99, 4_000_001, Int64.max])
  func `no start price, volatility or opening breaks it`(number: Int64) {
    for profile in [
      MarketProfile.quoted(stepMilliseconds: number),
      .deep(
        DepthProfile(
          levels: .init(bids: Int(clamping: max(-5, min(number, 9))), asks: 5), reach: number,
          gapPercent: number, lotsPerHundred: number)),
    ] {
      let path = PricePath(seed: 1, volatility: number)
      let value = FundamentalValue(start: Price(units: number), path: path, dividedBy: path)
      let opening = number.clamped(within: 1_000_000_000_000_000)
      var market = AgentMarket(
        on: FastMatchingEngine.self, profile, value, seed: 1, opening: opening)
      for _ in 0..<400 { _ = market.step() }
      #expect(market.last.units > 0)
      if let bid = market.best(.buy), let ask = market.best(.sell) {
        #expect(bid.price.units > 0 && bid.price < ask.price)
      }
    }
  }

  @Test func `time that stops or runs back changes nothing`() {
    var market = market(.stock, seed: 5)
    market.advance(to: 1_000_000)
    let hash = market.stateHash
    for time in [1_000_000, 999_999, 0, -1, .min] as [Int64] {
      #expect(market.advance(to: time).isEmpty)
    }
    #expect(market.stateHash == hash)
  }
}

struct PricePathTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `a path wanders by its volatility and never away, in the past as well`(seed: UInt64) {
    let path = PricePath(seed: seed, volatility: 100_000)
    #expect(path.offset(at: 0) == 0)
    var squares = 0.0
    for second in -2000..<2000 as Range<Int64> {
      let change = path.offset(at: (second + 1) * 1_000_000) - path.offset(at: second * 1_000_000)
      squares += Double(change) * Double(change)
    }
    #expect((70_000...130_000).contains((squares / 4000).squareRoot()), "seed \(seed)")
    for hour in -4380..<4380 as Range<Int64> {
      let offset = path.offset(at: hour * 3_600_000_000)
      #expect(abs(offset) < 250_000_000, "a quarter of the price, seed \(seed), hour \(hour)")
    }
  }

  @Test func `a path has no jumps between its periods`() {
    let path = PricePath(seed: 3, volatility: 100_000)
    for millisecond in -5000..<5000 as Range<Int64> {
      let step = path.offset(at: (millisecond + 1) * 1000) - path.offset(at: millisecond * 1000)
      #expect(abs(step) < 100_000)
    }
  }
}

struct PathWalkTests {
  /// Times as a market, a chart and a history request them.
  private func times(_ random: inout SplitMix64) -> [Int64] {
    let start = random.below(8_000_000_000_000_000) - 4_000_000_000_000_000
    let step: Int64 = [1, 997, 250_000, 60_000_000, -60_000_000, 86_400_000_000][
      Int(random.below(6))]
    return (0..<300).map { start + $0 * step }
      + (0..<50).map { _ in (random.below(3) - 1) * start }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a walk gives what the path gives, whichever way it goes`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let path = PricePath(seed: seed, volatility: random.below(10_000_000))
    let other = PricePath(seed: seed + 1, volatility: 40_000)
    let value = FundamentalValue(
      start: Price(units: 64_000), path: path, dividedBy: seed % 2 == 0 ? other : nil)
    var walk = PathWalk(path)
    var valueWalk = ValueWalk(value)
    for _ in 0..<6 {
      for time in times(&random) {
        #expect(walk.offset(at: time) == path.offset(at: time))
        #expect(valueWalk.thousandths(at: time) == value.thousandths(at: time))
      }
    }
  }

  @Test func `a path is what it was when the past was first made of it`() {
    let path = PricePath(seed: 7, volatility: 40_000)
    let offsets = [-86_400_000_000, -61_000_001, -1, 0, 1, 250_000, 90_000_000_007].map {
      path.offset(at: $0)
    }
    #expect(offsets == [-11367058, -244264, -30242, 0, 0, -401, 7838214])
  }
}

/// A book built from events alone.
private struct ToldBook: Equatable {
  private var levels: [Side: [Price: Quantity]] = [:]
  private(set) var faults: [String] = []

  init(_ market: AgentMarket<FastMatchingEngine>) {
    for side in [Side.buy, .sell] {
      for level in market.levels(side, limit: .max) {
        levels[side, default: [:]][level.price] = level.quantity
      }
    }
  }

  static func == (left: ToldBook, right: ToldBook) -> Bool { left.levels == right.levels }

  mutating func apply(_ event: AgentEvent) {
    var eaten: [Price: Int64] = [:]
    for trade in event.trades { eaten[trade.price, default: 0] += trade.quantity.units }
    for change in event.changes {
      let known = levels[change.side]?[change.price] ?? .zero
      if known != change.before { faults.append("\(change) but there were \(known)") }
      levels[change.side, default: [:]][change.price] =
        change.after == .zero ? nil : change.after
      if let taker = event.trades.first?.side, change.side != taker {
        let gone = change.before.units - change.after.units
        if eaten.removeValue(forKey: change.price) != gone {
          faults.append("\(gone) gone at \(change.price)")
        }
      }
    }
    if !eaten.isEmpty { faults.append("prints without a level: \(eaten)") }
    let bid = levels[.buy]?.keys.max(), ask = levels[.sell]?.keys.min()
    if let bid, let ask, bid >= ask { faults.append("crossed at \(bid)") }
  }
}

extension Int64 {
  fileprivate func clamped(within bound: Int64) -> Int64 {
    Swift.max(-bound, Swift.min(self, bound))
  }
}

// The market as it stands at the start: the captured shape, then a minute of trading nobody sees.

import MarketModel

extension BitMEXMarket {
  /// Virtual trading before the start, so that the book is lived in and there are trades to show.
  static let warmUpMilliseconds: Int64 = 60_000

  /// Opens a market whose first visible step is at or after `start`.
  ///
  /// O(levels log levels).
  init(
    _ instrument: BitMEXInstrument, generation: BitMEXGeneration, seed: UInt64, start: Timestamp
  ) {
    var random = SplitMix64(seed: SeedText.seed(seed, "bitmex " + instrument.symbol))
    let opening = start.adding(milliseconds: -BitMEXMarket.warmUpMilliseconds)
    var ids = OpeningIDs(instrument, generation)
    let middle = instrument.startTicks
    let sides = [true, false].map { isAsk in
      BitMEXBookSide(
        isAsk: isAsk,
        levels: BitMEXMarket.openingTicks(instrument, isAsk: isAsk).enumerated().map {
          BitMEXLevel(
            ticks: $1, size: BitMEXMarket.openingSize($0, instrument, &random),
            id: ids.next($1, &random),
            changedMilliseconds: opening.milliseconds - random.below(36_000_000))
        })
    }
    let first = BitMEXTrade(
      milliseconds: opening.milliseconds, isBuy: true, size: 10 * instrument.lot, ticks: middle,
      direction: .zeroMinus, match: (random.next(), random.next()))
    self.init(
      instrument: instrument, asks: sides[0], bids: sides[1], trades: [first], due: opening,
      range: (middle, middle), generation: generation, random: random, nextID: ids.highest,
      fair: middle * 1_000_000 + 500_000, milliseconds: opening.milliseconds)
    while due < start { _ = step() }
  }

  /// Prices of one side, best first: the quantiles of the captured book, no price twice.
  private static func openingTicks(_ instrument: BitMEXInstrument, isAsk: Bool) -> [Int64] {
    let count = isAsk ? instrument.levels.asks : instrument.levels.bids
    let table = isAsk ? BitMEXShape.askDistance : BitMEXShape.bidDistance
    var ticks: [Int64] = []
    var former: Int64 = -1
    for index in 0..<count {
      let share = Int64(index) * 1_000_000 / Int64(count - 1)
      let wanted = table.value(at: share) * instrument.startTicks / 64_360
      former = max(former + 1, wanted)
      let price = isAsk ? instrument.startTicks + 1 + former : instrument.startTicks - former
      guard price > 0 else { break }
      ticks.append(price)
    }
    return ticks
  }

  private static func openingSize(
    _ rank: Int, _ instrument: BitMEXInstrument, _ random: inout SplitMix64
  ) -> Int64 {
    let size = (rank < 60 ? BitMEXShape.nearSize : BitMEXShape.farSize).draw(&random)
    return max(1, size / 100) * instrument.lot
  }
}

/// Ids of the levels that stand at the start.
///
/// The new generation's are handed out in steps that wrap around, so that their order says nothing
/// about prices.
private struct OpeningIDs {
  private static let base: Int64 = 62_400_000_000
  private static let count: Int64 = 16_384
  private static let stride: Int64 = 6_113

  private let instrument: BitMEXInstrument
  private let generation: BitMEXGeneration
  private let base: Int64
  private var position: Int64 = 0

  /// Above every id handed out.
  var highest: Int64 { base + OpeningIDs.count * 32 }

  init(_ instrument: BitMEXInstrument, _ generation: BitMEXGeneration) {
    self.instrument = instrument
    self.generation = generation
    base = OpeningIDs.base + instrument.legacyIndex * 1_000_000_000
  }

  /// The next id; at most 16,384 of them, all different (the stride is odd, the count a power of
  /// 2).
  mutating func next(_ ticks: Int64, _ random: inout SplitMix64) -> Int64 {
    guard generation == .modern else { return instrument.legacyID(ticks) }
    position = (position + OpeningIDs.stride) % OpeningIDs.count
    return base + position * 32 + random.below(32)
  }
}

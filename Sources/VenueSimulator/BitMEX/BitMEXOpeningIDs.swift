// Ids of levels: where they start.

import MarketModel

/// Ids of the levels that stand at the start.
///
/// The new generation's are handed out in steps that wrap around, so that their order says nothing
/// about prices.
struct BitMEXOpeningIDs {
  private static let base: Int64 = 62_400_000_000
  private static let count: Int64 = 16_384
  private static let stride: Int64 = 6_113

  private let instrument: BitMEXInstrument
  private let generation: BitMEXGeneration
  private let base: Int64
  private var position: Int64 = 0

  /// Above every id handed out.
  var highest: Int64 { base + BitMEXOpeningIDs.count * 32 }

  init(_ instrument: BitMEXInstrument, _ generation: BitMEXGeneration) {
    self.instrument = instrument
    self.generation = generation
    base = BitMEXOpeningIDs.base + instrument.legacyIndex * 1_000_000_000
  }

  /// The next id; at most 16,384 of them, all different (the stride is odd, the count a power of
  /// 2).
  mutating func next(_ ticks: Int64, _ random: inout SplitMix64) -> Int64 {
    guard generation == .modern else { return instrument.legacyID(ticks) }
    position = (position + BitMEXOpeningIDs.stride) % BitMEXOpeningIDs.count
    return base + position * 32 + random.below(32)
  }
}

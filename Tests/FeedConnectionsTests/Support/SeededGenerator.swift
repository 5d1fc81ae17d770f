import MarketModel

/// SplitMix64 from a test's seed, which the failure message contains.
struct SeededGenerator: RandomNumberGenerator {
  private var source: SplitMix64

  init(_ seed: UInt64) { source = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { source.next() }
}

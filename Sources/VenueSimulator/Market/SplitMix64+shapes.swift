// Chance in the shapes that the markets need, from integers only: the same on every platform.

import MarketModel

extension SplitMix64 {
  /// True `parts` times out of `whole`; `whole` must be positive.
  mutating func chance(_ parts: Int64, of whole: Int64) -> Bool { below(whole) < parts }

  /// An integer of the range, all equally likely.
  ///
  /// The range must hold fewer than 2^63 numbers.
  mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }
}

/// Seeds for parts of a simulation that must not disturb one another.
enum SeedText {
  /// A seed from a venue's seed and a name: equal inputs give equal seeds on every platform
  /// (FNV-1a).
  static func seed(_ seed: UInt64, _ name: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    var mixer = SplitMix64(seed: hash)
    return mixer.next()
  }
}

// Random distributions from integers only, the same on every platform.

import MarketModel

extension SplitMix64 {
  /// True `parts` times out of `whole`; `whole` must be positive.
  mutating func chance(_ parts: Int64, of whole: Int64) -> Bool { below(whole) < parts }

  /// A uniform integer of the range, which must hold fewer than 2^63 numbers.
  mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Nearly normal with mean 0 and this deviation, at most 2^40: the sum of four uniform numbers.
  mutating func bell(_ deviation: Int64) -> Int64 {
    let bits = next()
    let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + bits >> 48
    return (Int64(sum) - 131_070) * deviation / 37_837
  }

  /// 0, 1, 2, … each half as likely as the one before.
  mutating func halvings(atMost limit: Int64) -> Int64 {
    min(Int64(next().trailingZeroBitCount), limit)
  }
}

enum SeedText {
  /// A seed from a venue's seed and a name, equal on every platform (FNV-1a).
  static func seed(_ seed: UInt64, _ name: String) -> UInt64 {
    var hash = FNV1a(seed: seed)
    for byte in name.utf8 { hash.combine(byte: byte) }
    var mixer = SplitMix64(seed: hash.value)
    return mixer.next()
  }
}

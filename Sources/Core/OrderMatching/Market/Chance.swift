// Distributions from integers alone, so that a market is equal on every platform.

import MarketModel

extension SplitMix64 {
  mutating func uniform(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  mutating func once(in count: Int64) -> Bool { below(count) == 0 }

  mutating func side() -> Side { below(2) == 0 ? .buy : .sell }

  /// Nearly normal with mean 0 and this deviation (at most 2^40), never beyond 3.5 deviations.
  mutating func bell(_ deviation: Int64) -> Int64 {
    let bits = next()
    let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + bits >> 48
    return (Int64(sum) - 131_070) * deviation / 37_837
  }

  /// 0, 1, 2, … each half as likely as the previous, at most 63.
  mutating func halving() -> Int64 { Int64(next().trailingZeroBitCount & 63) }
}

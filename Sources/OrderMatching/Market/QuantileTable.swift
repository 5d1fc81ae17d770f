// Distributions measured in captures are known by their quantiles. Drawing from the quantiles gives
// the measured shape without logarithms, so without a maths library.

import MarketModel

/// A distribution of integers given by its quantiles, straight lines between them.
struct QuantileTable: Sendable {
  private let shares: [Int64]
  private let values: [Int64]

  /// Makes a table from (share in thousandths, value) pairs; shares must rise from 0 to 1000.
  init(_ points: [(share: Int64, value: Int64)]) {
    shares = points.map(\.share)
    values = points.map(\.value)
  }

  /// A number with this distribution.
  ///
  /// Values must be below 2^43.
  func draw(_ random: inout SplitMix64) -> Int64 {
    value(at: random.below(1_000_000))
  }

  /// The quantile at a share in millionths, 0 to 1,000,000.
  func value(at millionths: Int64) -> Int64 {
    var index = 1
    while index < shares.count - 1, shares[index] * 1000 <= millionths { index += 1 }
    guard index < shares.count else { return values.last ?? 0 }
    let low = shares[index - 1] * 1000
    let width = max(1, shares[index] * 1000 - low)
    let inside = min(max(0, millionths - low), width)
    return values[index - 1] + (values[index] - values[index - 1]) * inside / width
  }
}

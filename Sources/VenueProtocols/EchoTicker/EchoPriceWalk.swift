// Where the price tracker's prices come from: the app itself makes them, and an echo server sends
// them back.

import MarketModel

/// A seeded random walk of prices in cents.
public struct EchoPriceWalk: Sendable, Equatable {
  /// No price falls below this.
  public static let minimumCents: Int64 = 100
  /// No price rises above this.
  public static let maximumCents: Int64 = 999_900
  /// The largest step of one tick, in hundredths of a percent of the price.
  public static let maximumStepBasisPoints: Int64 = 150

  private var generator: SplitMix64

  /// Starts a walk; equal seeds give equal prices.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// A believable first price, 5.00 to 900.00; cheap ones are more frequent than dear ones.
  public mutating func firstPriceCents() -> Int64 {
    let largest = generator.below(89_501)
    return 500 + min(largest, generator.below(89_501))
  }

  /// The price after `cents`, which is cut to the walk's bounds first: at most 1.5 % away, at least
  /// one cent possible, sometimes the same.
  public mutating func price(after cents: Int64) -> Int64 {
    let price = min(max(cents, EchoPriceWalk.minimumCents), EchoPriceWalk.maximumCents)
    let largest = max(1, price * EchoPriceWalk.maximumStepBasisPoints / 10_000)
    let moved = price + generator.below(2 * largest + 1) - largest
    return min(max(moved, EchoPriceWalk.minimumCents), EchoPriceWalk.maximumCents)
  }

  /// 64 bits that name a connection, so that echoes of an earlier one can be told apart.
  mutating func nonce() -> UInt64 { generator.next() }
}

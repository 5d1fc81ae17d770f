/// The agents of a market.
public enum MarketProfile: Sendable, Hashable {
  /// Market makers quote around the value; value and noise traders take.
  ///
  /// The spread is 1 to 5 ticks, with some twenty levels a side and mostly 10 to 60 lots at the
  /// touch; agents act once per `stepMilliseconds`, 1 to 10,000.
  case quoted(stepMilliseconds: Int64)
  /// A crowd of resting orders, thousands of levels deep, in the shape of a captured book.
  case deep(DepthProfile)
}

/// A deep book's shape relative to XBTUSD of July 2021: ticks of 0.5 at 32,180, $1 contracts.
public struct DepthProfile: Sendable, Hashable {
  /// The approximate number of levels, at least 2 a side.
  public let levels: Levels
  /// The share of the captured book's levels to reach, in thousandths, 1 to 1000.
  public let reach: Int64
  /// Gaps between steps in percent of the captured ones, 1 to 100,000.
  public let gapPercent: Int64
  /// Lots per 100 captured contracts, 1 to 80,000; above 1, sizes are not round.
  public let lotsPerHundred: Int64
  /// Takers in percent of the captured ones, 1 to 100.
  public let takerPercent: Int64

  /// Levels of both sides.
  public struct Levels: Sendable, Hashable {
    /// Bid levels.
    public let bids: Int
    /// Ask levels.
    public let asks: Int

    /// Creates a pair, at least 2 each.
    public init(bids: Int, asks: Int) { (self.bids, self.asks) = (max(2, bids), max(2, asks)) }
  }

  /// Creates a shape; values are clamped to their ranges.
  public init(
    levels: Levels, reach: Int64 = 1000, gapPercent: Int64, lotsPerHundred: Int64 = 1,
    takerPercent: Int64 = 100
  ) {
    self.levels = levels
    self.reach = reach.clamped(to: 1...1000)
    self.gapPercent = gapPercent.clamped(to: 1...100_000)
    self.lotsPerHundred = lotsPerHundred.clamped(to: 1...80_000)
    self.takerPercent = takerPercent.clamped(to: 1...100)
  }
}

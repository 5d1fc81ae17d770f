// What kind of market an instrument has: which agents trade in it, how often and how much.

/// Who makes a market.
public enum MarketProfile: Sendable, Hashable {
  /// Market makers quote around the value, value and noise traders take: a spread of 1 to 5 ticks,
  /// some twenty levels a side, mostly 10 to 60 lots at the touch.
  ///
  /// Everybody has a chance to act once in `stepMilliseconds`, 1 to 10,000.
  case quoted(stepMilliseconds: Int64)
  /// A crowd of patient orders, thousands of levels deep, in the shape of a captured book.
  case deep(DepthProfile)
}

/// A deep book's shape against the captured one: XBTUSD of July 2021, in ticks of 0.5 at 32,180,
/// sizes in contracts of a dollar.
public struct DepthProfile: Sendable, Hashable {
  /// Levels that the crowd keeps about, at least 2 a side.
  public let levels: Levels
  /// How far into the captured book it reaches, in thousandths of its levels, 1 to 1000.
  public let reach: Int64
  /// Gaps between steps in percent of the captured ones.
  public let gapPercent: Int64
  /// Lots in 100 captured contracts; above 1 sizes are ragged.
  public let lotsPerHundred: Int64
  /// Takers in percent of the captured ones, 1 to 100.
  public let takerPercent: Int64

  /// Levels of both sides.
  public struct Levels: Sendable, Hashable {
    /// Levels to sell to.
    public let bids: Int
    /// Levels to buy from.
    public let asks: Int

    /// Makes a pair; less than 2 become 2.
    public init(bids: Int, asks: Int) { (self.bids, self.asks) = (max(2, bids), max(2, asks)) }
  }

  /// Makes a shape; numbers outside their ranges are moved into them.
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

// What an instrument "is worth": a wandering that the agents see, more or less, and the tape
// follows. It is a function of time alone, so every market of one thing follows the same value,
// however late it opens, and the value of any past moment can be had at once.

public import MarketModel

/// How far a price has wandered, by time: noise of eleven periods, from a quarter of a second to
/// three days, each slower one wider.
///
/// A second's change has the deviation ``volatility``; a longer time's grows with its root up to
/// the bound, and no further: a path wanders, but not away.
public struct PricePath: Sendable {
  /// The period of the quickest noise, in microseconds; each further one is four times as long.
  private static let quickest: Int64 = 250_000
  private static let periods = 11
  /// No period moves the price by more than this deviation: 2 %.
  private static let bound: Int64 = 20_000_000

  private let seed: UInt64
  private let volatility: Int64
  private let origin: Int64

  /// Makes a path that begins at nothing.
  ///
  /// - Parameters:
  ///   - seed: Equal seeds give equal paths.
  ///   - volatility: The deviation of a second's change, in 10^-9 of the price, 0 to 10^7.
  public init(seed: UInt64, volatility: Int64) {
    self.seed = seed
    self.volatility = volatility.clamped(to: 0...10_000_000)
    origin = PricePath.sum(seed, self.volatility, 0)
  }

  /// The distance from the price at 0, in 10^-9 of it, at a time in microseconds, also a past one.
  public func offset(at microseconds: Int64) -> Int64 {
    PricePath.sum(seed, volatility, microseconds) - origin
  }

  private static func sum(_ seed: UInt64, _ volatility: Int64, _ microseconds: Int64) -> Int64 {
    var sum: Int64 = 0
    var length = quickest
    var deviation = volatility / 4
    for period in 0..<periods {
      let cell = microseconds >= 0 ? microseconds / length : (microseconds + 1) / length - 1
      let inside = microseconds - cell * length
      let (left, right) = (
        knot(seed, period, cell, deviation), knot(seed, period, cell + 1, deviation)
      )
      // Thousandths of the cell: the product stays far inside 64 bits.
      sum += left + (right - left) * (inside * 1000 / length) / 1000
      length *= 4
      deviation = min(deviation * 2, bound)
    }
    return sum
  }

  /// The noise at a cell's border: mostly small, one in eight three times as large, which is what
  /// gives returns their fat tails.
  private static func knot(
    _ seed: UInt64, _ period: Int, _ cell: Int64, _ deviation: Int64
  ) -> Int64 {
    let mixed =
      UInt64(bitPattern: cell) &* 0x9e6c_63d0_876a_68ee &+ UInt64(period) &* 0xd1b5_4a32_d192_ed03
    var random = SplitMix64(seed: seed ^ mixed)
    let isLarge = random.once(in: 8)
    return random.bell(isLarge ? deviation * 3 : deviation / 2)
  }
}

/// The value of one instrument, in its ticks.
public struct FundamentalValue: Sendable {
  private let start: Int64
  private let path: PricePath
  private let divisor: PricePath?

  /// Makes a value.
  ///
  /// - Parameters:
  ///   - start: The value at 0; moved to 100 or 10,000,000 ticks when it is outside them.
  ///   - path: Where it goes from there.
  ///   - divisor: For a price in something that moves as well: that one's path.
  public init(start: Price, path: PricePath, dividedBy divisor: PricePath? = nil) {
    self.start = start.units.clamped(to: 100...10_000_000)
    self.path = path
    self.divisor = divisor
  }

  /// The value at 0, in whole ticks.
  public var startTicks: Int64 { start }

  /// The value at a time in microseconds, in thousandths of a tick.
  public func thousandths(at microseconds: Int64) -> Int64 {
    let one: Int64 = 1_000_000_000
    let share = (one + path.offset(at: microseconds)).clamped(to: one * 4 / 10...one * 22 / 10)
    let value = start * share / (one / 1000)
    guard let divisor else { return value }
    let other = (one + divisor.offset(at: microseconds)).clamped(to: one * 4 / 10...one * 22 / 10)
    return value * 1_000_000 / (other / 1000)
  }

  /// The value at a time in microseconds, in whole ticks.
  public func ticks(at microseconds: Int64) -> Int64 {
    (thousandths(at: microseconds) + 500) / 1000
  }
}

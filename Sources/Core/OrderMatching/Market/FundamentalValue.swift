public import MarketModel

/// A random price path by time: noise of eleven periods, 0.25 s to three days, each slower one
/// wider.
///
/// It is a function of time alone, so all markets of an asset follow it. A second's change has the
/// deviation ``volatility``; a longer time's grows with its square root up to a bound.
public struct PricePath: Sendable {
  /// The shortest period, in microseconds; each further one is four times as long.
  private static let quickest: Int64 = 250_000
  fileprivate static let periods = 11
  /// The largest deviation of one period: 2 %.
  private static let bound: Int64 = 20_000_000

  private let seed: UInt64
  private let volatility: Int64
  private var origin: Int64

  /// Creates a path that starts at 0.
  ///
  /// `volatility` is the deviation of a second's change, in 10^-9 of the price, 0 to 10^7.
  public init(seed: UInt64, volatility: Int64) {
    self.seed = seed
    self.volatility = volatility.clamped(to: 0...10_000_000)
    origin = 0
    origin = sum(at: 0, borders)
  }

  /// The change since time 0, in 10^-9 of the price, at a time in microseconds, also negative.
  public func offset(at microseconds: Int64) -> Int64 { sum(at: microseconds, borders) }

  /// The sum of all periods' noise less that at 0; `borders` returns the noise at a cell's borders.
  fileprivate func sum(
    at microseconds: Int64,
    _ borders: (_ period: Int, _ cell: Int64, _ deviation: Int64) -> NoiseCell
  ) -> Int64 {
    var sum: Int64 = 0
    var length = PricePath.quickest
    var deviation = volatility / 4
    for period in 0..<PricePath.periods {
      let cell = microseconds >= 0 ? microseconds / length : (microseconds + 1) / length - 1
      let inside = microseconds - cell * length
      let noise = borders(period, cell, deviation)
      // Thousandths of the cell keep the product well inside 64 bits.
      sum += noise.left + (noise.right - noise.left) * (inside * 1000 / length) / 1000
      length *= 4
      deviation = min(deviation * 2, PricePath.bound)
    }
    return sum - origin
  }

  private func borders(_ period: Int, _ cell: Int64, _ deviation: Int64) -> NoiseCell {
    NoiseCell(cell, left: knot(period, cell, deviation), right: knot(period, cell + 1, deviation))
  }

  /// Mostly small, one in eight three times as large, which gives returns their fat tails.
  fileprivate func knot(_ period: Int, _ cell: Int64, _ deviation: Int64) -> Int64 {
    let mixed =
      UInt64(bitPattern: cell) &* 0x9e6c_63d0_876a_68ee &+ UInt64(period) &* 0xd1b5_4a32_d192_ed03
    var random = SplitMix64(seed: seed ^ mixed)
    let isLarge = random.once(in: 8)
    return random.bell(isLarge ? deviation * 3 : deviation / 2)
  }
}

private struct NoiseCell: Sendable {
  let number: Int64
  let left: Int64
  let right: Int64

  init(_ number: Int64, left: Int64, right: Int64) {
    (self.number, self.left, self.right) = (number, left, right)
  }
}

/// Evaluates a path at successive times, with cached noise.
public struct PathWalk: Sendable {
  private let path: PricePath
  private var cells: [NoiseCell] = []

  /// Creates a walk along a path.
  public init(_ path: PricePath) { self.path = path }

  /// The path's offset at a time; see ``PricePath/offset(at:)``.
  public mutating func offset(at microseconds: Int64) -> Int64 {
    var known = cells
    cells = []
    defer { cells = known }
    return path.sum(at: microseconds) { period, cell, deviation in
      guard period < known.count else {
        let new = NoiseCell(
          cell, left: path.knot(period, cell, deviation),
          right: path.knot(period, cell + 1, deviation))
        known.append(new)
        return new
      }
      let old = known[period]
      if old.number == cell { return old }
      let new = NoiseCell(
        cell, left: old.number == cell - 1 ? old.right : path.knot(period, cell, deviation),
        right: old.number == cell + 1 ? old.left : path.knot(period, cell + 1, deviation))
      known[period] = new
      return new
    }
  }
}

/// The fundamental value of one instrument, in its ticks.
public struct FundamentalValue: Sendable {
  private let start: Int64
  fileprivate let path: PricePath
  fileprivate let divisor: PricePath?

  /// Creates a value that starts at 100...10,000,000 ticks (clamped) and follows `path`.
  ///
  /// `divisor` is the quote asset's path, if that moves as well.
  public init(start: Price, path: PricePath, dividedBy divisor: PricePath? = nil) {
    self.start = start.units.clamped(to: 100...10_000_000)
    self.path = path
    self.divisor = divisor
  }

  /// The value at 0, in whole ticks.
  public var startTicks: Int64 { start }

  /// The value at a time in microseconds, in thousandths of a tick.
  public func thousandths(at microseconds: Int64) -> Int64 {
    thousandths(path.offset(at: microseconds), divisor?.offset(at: microseconds))
  }

  /// The value at a time in microseconds, in whole ticks.
  public func ticks(at microseconds: Int64) -> Int64 { rounded(thousandths(at: microseconds)) }

  fileprivate func thousandths(_ offset: Int64, _ divisorOffset: Int64?) -> Int64 {
    let one: Int64 = 1_000_000_000
    let share = (one + offset).clamped(to: one * 4 / 10...one * 22 / 10)
    let value = start * share / (one / 1000)
    guard let divisorOffset else { return value }
    let other = (one + divisorOffset).clamped(to: one * 4 / 10...one * 22 / 10)
    return value * 1_000_000 / (other / 1000)
  }

  fileprivate func rounded(_ thousandths: Int64) -> Int64 { (thousandths + 500) / 1000 }
}

/// Evaluates a value at successive times.
public struct ValueWalk: Sendable {
  private let value: FundamentalValue
  private var path: PathWalk
  private var divisor: PathWalk?

  /// Creates a walk along a value.
  public init(_ value: FundamentalValue) {
    self.value = value
    path = PathWalk(value.path)
    divisor = value.divisor.map(PathWalk.init)
  }

  /// The value at a time in microseconds, in thousandths of a tick.
  public mutating func thousandths(at microseconds: Int64) -> Int64 {
    value.thousandths(path.offset(at: microseconds), divisor?.offset(at: microseconds))
  }

  /// The value at a time in microseconds, in whole ticks.
  public mutating func ticks(at microseconds: Int64) -> Int64 {
    value.rounded(thousandths(at: microseconds))
  }
}

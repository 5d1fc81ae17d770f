// What the stock "is worth": a slow wandering that the agents see, more or less, and the tape
// follows. Restless and calm stretches alternate, which is what gives returns their fat tails.

import MarketModel

/// A value that wanders around its start, in thousandths of a tick.
struct FundamentalValue: Sendable {
  private let start: Int64
  /// The deviation of one second's change when the market is neither calm nor restless.
  private let deviationPerSecond: Int64
  private(set) var thousandths: Int64
  /// Restlessness, 1000 is ordinary.
  private(set) var restlessness: Int64 = 1000

  init(start: Price, volatility: Int64) {
    self.start = start.units * 1000
    thousandths = self.start
    deviationPerSecond = volatility * 1000
  }

  /// The nearest whole tick.
  var ticks: Int64 { (thousandths + 500) / 1000 }

  /// Moves on by one step of 50 milliseconds.
  mutating func step(_ random: inout SplitMix64) {
    restlessness += (850 - restlessness) / 64
    if random.once(in: 400) { restlessness = random.uniform(1500...4500) }
    // 4,472 thousandths of a deviation make up 20 steps: the square root of 20.
    let deviation = deviationPerSecond * restlessness / 1000 * 1000 / 4472
    thousandths += random.bell(deviation)
    if random.once(in: 1200) { thousandths += random.bell(2 * deviationPerSecond) }
    // Pulled home with a time constant of about three minutes: it wanders, but not away.
    thousandths -= (thousandths - start) / 3600
    thousandths = max(start / 4, min(thousandths, start * 4))
  }
}

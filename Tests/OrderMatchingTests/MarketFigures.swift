import MarketModel
import OrderMatching

struct MarketFigures {
  private(set) var crossed = 0
  private var quoted = 0
  private var changes: [Int64] = []
  private var spreads: [Int64] = []
  private var sizes: [Int64] = []

  mutating func add<Engine>(_ market: AgentMarket<Engine>, change: Int64) {
    changes.append(change)
    guard let bid = market.best(.buy), let ask = market.best(.sell) else { return }
    quoted += 1
    if bid.price >= ask.price { crossed += 1 }
    spreads.append(ask.price.units - bid.price.units)
    sizes += [bid.quantity.units, ask.quantity.units]
  }

  /// The share of moments with quotes on both sides.
  var quotedShare: Double { Double(quoted) / Double(changes.count) }

  /// The spread that this share of moments did not exceed, in ticks.
  func spread(_ share: Double) -> Int64 { spreads.sorted()[Int(share * Double(spreads.count - 1))] }

  /// The share of sizes at the touch from 10 to 60 lots.
  var usualSizeShare: Double {
    Double(sizes.count { (10...60).contains($0) }) / Double(sizes.count)
  }

  /// The share of seconds in which the last price moved.
  var movedShare: Double { Double(changes.count { $0 != 0 }) / Double(changes.count) }

  /// The standard deviation of a second's change, in ticks.
  var deviation: Double { moment(2).squareRoot() }

  /// 3 for a normal distribution; more means fatter tails.
  var kurtosis: Double { moment(4) / (moment(2) * moment(2)) }

  private func moment(_ power: Int) -> Double {
    let mean = Double(changes.reduce(0, +)) / Double(changes.count)
    let sum = changes.reduce(0.0) { sum, change in
      sum + (0..<power).reduce(1.0) { product, _ in product * (Double(change) - mean) }
    }
    return sum / Double(changes.count)
  }
}

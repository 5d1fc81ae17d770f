// Usage: swift run -c release SimulatedMarketBenchmark [--markets N] [--seconds N]
// Runs quoted markets and deep books, and prints how many simulated seconds a core processes in one
// second.

import Foundation
import MarketModel
import Measuring
import OrderMatching

func run(_ name: String, _ profile: MarketProfile, start: Int64, volatility: Int64) {
  let count = option("--markets", 200)
  let seconds = Int64(option("--seconds", 60))
  let opening = processorSeconds()
  var markets = (0..<count).map { index in
    let seed = UInt64(index)
    let path = PricePath(seed: seed, volatility: volatility)
    return AgentMarket(
      on: FastMatchingEngine.self, profile,
      FundamentalValue(start: Price(units: start), path: path), seed: seed, keepsEvents: false)
  }
  let began = processorSeconds()
  for second in 1...max(1, seconds) {
    for index in markets.indices { markets[index].advance(to: second * 1_000_000) }
  }
  let used = processorSeconds() - began
  let real = Double(seconds) / used
  let hash = markets.reduce(UInt64(0)) { $0 ^ $1.stateHash }
  print(
    "\(name): \(count) markets open in \(Int((began - opening) * 1000)) ms, then",
    "\(Int(real)) simulated seconds a second,",
    "\(Int(used / Double(seconds) / Double(count) * 1e9)) ns a market and second; hash \(hash)")
}

run("stocks, steps of 250 ms", .quoted(stepMilliseconds: 250), start: 18_920, volatility: 100_000)
run("a lively stock, 50 ms", .quoted(stepMilliseconds: 50), start: 4500, volatility: 1_600_000)
run(
  "coins, 2,400 levels",
  .deep(
    DepthProfile(
      levels: .init(bids: 1200, asks: 1200), reach: 300, gapPercent: 160, lotsPerHundred: 7800)),
  start: 14_218, volatility: 90_000)

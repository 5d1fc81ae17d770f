// The cost of taking a book's rows, against sums of small whole numbers.

import MarketModel
import Testing
import VenueCatalogue

@testable import AppState

@Suite struct RunningCostTests {
  @Test func `a spot pair costs its sizes times their prices, in the quote currency`() {
    var cost = RunningCost(.base, priceScale: Scale(clamping: 1), quantityScale: Scale(clamping: 8))
    cost.add(Quantity(units: 50_000_000), at: Price(units: 641_891))
    #expect(cost.cost?.description == "32094.5500")
    cost.add(Quantity(units: 100_000_000), at: Price(units: 641_900))
    #expect(cost.cost?.description == "96284.5500")
    let one = Scale(clamping: 1)
    #expect(cost.average(decimals: one, roundingUp: true)?.description == "64189.7")
    #expect(cost.average(decimals: one, roundingUp: false)?.description == "64189.7")
  }

  @Test func `an inverse contract costs its size in the base currency, at the harmonic average`() {
    var cost = RunningCost(.inverse, priceScale: Scale(clamping: 8), quantityScale: .whole)
    cost.add(Quantity(units: 30_000), at: Price(units: 3_000_000_000_000))
    #expect(cost.cost?.description == "1.0000")
    cost.add(Quantity(units: 20_000), at: Price(units: 2_000_000_000_000))
    #expect(cost.cost?.description == "2.0000")
    #expect(cost.average(decimals: .whole, roundingUp: true)?.description == "25000")
  }

  @Test func `a quanto contract has an average price and no cost`() {
    var cost = RunningCost(.quanto, priceScale: Scale(clamping: 1), quantityScale: .whole)
    cost.add(Quantity(units: 1), at: Price(units: 100))
    cost.add(Quantity(units: 2), at: Price(units: 101))
    #expect(cost.cost == nil)
    #expect(cost.average(decimals: .whole, roundingUp: true)?.description == "11")
    #expect(cost.average(decimals: .whole, roundingUp: false)?.description == "10")
  }

  @Test func `what is absurd makes no number, and never a trap`() {
    for contract in [ContractKind.base, .inverse, .quanto] {
      for price: Int64 in [.min, -1, 0, 1, .max] {
        for size: Int64 in [.min, 0, 1, .max] {
          var cost = RunningCost(contract, priceScale: .whole, quantityScale: .whole)
          for _ in 0..<20 { cost.add(Quantity(units: size), at: Price(units: price)) }
          if price <= 0 || size <= 0 {
            #expect(cost.cost == nil)
            #expect(cost.average(decimals: .whole, roundingUp: true) == nil)
          }
          _ = cost.average(decimals: Scale(clamping: 18), roundingUp: false)
        }
      }
    }
  }

  @Test(arguments: UInt64(1)...40)
  func `the average is rounded against the taker and lies between the prices`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var cost = RunningCost(.base, priceScale: Scale(clamping: 2), quantityScale: Scale(clamping: 2))
    var (notional, total): (Int64, Int64) = (0, 0)
    var prices: [Int64] = []
    for _ in 0..<(1 + random.below(20)) {
      let (price, size) = (1 + random.below(1_000_000), 1 + random.below(1_000_000))
      cost.add(Quantity(units: size), at: Price(units: price))
      notional += price * size
      total += size
      prices.append(price)
      let up = cost.average(decimals: Scale(clamping: 2), roundingUp: true)?.units ?? 0
      let down = cost.average(decimals: Scale(clamping: 2), roundingUp: false)?.units ?? 0
      #expect(down == notional / total, "seed \(seed)")
      #expect(up == (notional + total - 1) / total, "seed \(seed)")
      #expect(prices.min() ?? 0 <= up && down <= prices.max() ?? 0, "seed \(seed)")
      #expect(cost.cost?.units == notional, "seed \(seed)")
    }
  }
}

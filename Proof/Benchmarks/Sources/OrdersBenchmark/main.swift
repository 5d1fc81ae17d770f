// Usage: swift run -c release OrdersBenchmark [--orders N] [--markets N] [--rate N] [--seconds N]
// The cost of open paper orders without the disk: trades of which one in ten meets open orders,
// alone and ten in a commit, then books, and the overview that the order service makes at most ten
// times a second.

import Foundation
import MarketModel
import Measuring
import PaperTrading

let (orders, markets) = (option("--orders", 10_000), option("--markets", 200))
let (rate, seconds) = (option("--rate", 1000), option("--seconds", 10))
let symbols = (0..<markets).compactMap { Symbol("kraken:M\($0)/USD") }
let stock = Symbol("TROAD") ?? symbols[0]
var trader = PaperTrader(rules: TradingRules(oneStock: stock))
var milliseconds: Int64 = 1_790_000_000_000
var events = 0

@MainActor func handle(_ inputs: [TradingInput]) {
  let now = ClockReading(
    monotonic: MonotonicTime(nanoseconds: milliseconds * 1_000_000),
    wall: Timestamp(milliseconds: milliseconds))
  _ = trader.handle(inputs, at: now) { events += $0.count }
}

/// A book of 20 levels a side, a hundredth apart, around 100.
func book(_ symbol: Symbol, _ number: Int) -> TradingInput {
  func rows(_ best: Int64, _ step: Int64) -> [BookRow] {
    (Int64(0)..<20).map {
      let size = Quantity(units: 100_000 + Int64(number % 7))
      return BookRow(price: Price(units: best + $0 * step), size: size, accumulated: size)
    }
  }
  return .feed(
    .book(
      BookView(
        symbol: symbol, status: .synced, freshness: .waiting(.venue), bids: rows(10_000, -1),
        asks: rows(10_001, 1), bidLevels: 20, askLevels: 20, priceScale: Scale(clamping: 2),
        quantityScale: Scale(clamping: 4), priceDecimals: Scale(clamping: 2),
        sequence: UInt64(number), resyncs: 0), currency: "USD"), of: symbol)
}

@MainActor func trade(_ symbol: Symbol, _ number: Int, at price: Int64) -> TradingInput {
  .feed(
    .trade(
      Trade(
        price: Price(units: price), size: Quantity(units: 1), side: .sell,
        time: Timestamp(milliseconds: milliseconds), arrival: UInt64(number),
        identifier: Int64(number)),
      priceScale: Scale(clamping: 2), quantityScale: Scale(clamping: 4)), of: symbol)
}

for symbol in symbols { handle([book(symbol, 1)]) }
for number in 0..<orders {
  guard let name = ClientOrderIdentifier("order-\(number)") else { continue }
  let depth = Int64(number / markets % 40)
  let request = OrderRequest(
    clientIdentifier: name, symbol: symbols[number % markets], side: .buy,
    kind: .limit(Price(units: 9999 - depth)), quantity: Quantity(units: 1000))
  handle([.place(request)])
}
let open = trader.history.openCount
guard open == orders else { fatalError("\(open) of \(orders) orders are open") }

/// Runs `rate` inputs a second, `size` in a commit, and prints what they cost of a core.
@MainActor func measure(_ name: String, in size: Int, _ input: (Int) -> TradingInput) {
  events = 0
  var used = 0.0
  for second in 0..<seconds {
    milliseconds += 1000
    let inputs = (0..<rate).map { input(second * rate + $0) }
    let before = processorSeconds()
    for start in stride(from: 0, to: rate, by: size) {
      handle(Array(inputs[start..<min(start + size, rate)]))
    }
    used += processorSeconds() - before
  }
  print(
    "\(name): \(Int(used / Double(rate * seconds) * 1e9)) ns each, \(events) events,",
    String(format: "%.2f %% of a core at %d a second", used / Double(seconds) * 100, rate))
}

var printed = 0
@MainActor func nextTrade(_ number: Int) -> TradingInput {
  printed += 1
  return trade(symbols[number % markets], printed, at: number % 10 == 0 ? 9999 : 10_000)
}

print("\(open) open orders in \(markets) markets")
measure("trades", in: 1, nextTrade)
measure("trades, ten in a commit", in: 10, nextTrade)
measure("books", in: 1) { book(symbols[$0 % markets], 2 + $0 / markets) }
let before = processorSeconds()
for _ in 0..<10 { _ = trader.overview(storage: nil, failure: nil, skippedTicks: 0) }
print("overview: \(Int((processorSeconds() - before) / 10 * 1e6)) µs")

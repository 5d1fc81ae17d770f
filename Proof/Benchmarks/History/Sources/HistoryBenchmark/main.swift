// Fills a history as a server does: every minute a candle of every instrument.
//
//     HistoryBenchmark [INSTRUMENTS] [DAYS]

import ChartModel
import Foundation
import HistoryStore
import MarketModel

let arguments = CommandLine.arguments.dropFirst().compactMap(Int64.init)
let instrumentCount = arguments.first ?? 1
let days = arguments.dropFirst().first ?? 365
let instruments = (0..<instrumentCount).compactMap { Symbol("X\($0)/USD") }
  .map { InstrumentKey(.kraken, $0) }

let folder = FileManager.default.temporaryDirectory.path + "/livetape-history-benchmark-\(UUID())"
let start: Int64 = 1_735_689_600_000
let end = start + days * 86_400_000
let store = HistoryStore(folder: folder, now: { Timestamp(milliseconds: end) })

/// A minute like Kraken's BTC/USD: a tick of 0.1 at eight digits, and an odd volume.
func minute(_ start: Int64, _ random: inout SplitMix64) -> Candle {
  let tick: Int64 = 10_000_000
  let low = 10_500_000_000_000 + random.below(20_000) * tick
  let range = 1 + random.below(900)
  return Candle(
    start: start, open: Price(units: low + random.below(range) * tick),
    high: Price(units: low + range * tick), low: Price(units: low),
    close: Price(units: low + random.below(range) * tick),
    volume: Quantity(units: random.below(2_000_000_000)), count: Int32(random.below(400)),
    source: .venue)
}

func timed<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
  let clock = ContinuousClock()
  let begin = clock.now
  let result = try body()
  print(name, begin.duration(to: clock.now))
  return result
}

var random = SplitMix64(seed: 1)
timed("writing") {
  for time in stride(from: start, to: end, by: 60_000) {
    store.record(
      instruments.map {
        CandleRecord(
          $0, .minute, priceScale: Scale(clamping: 8), quantityScale: Scale(clamping: 8),
          minute(time, &random))
      })
    // Recording never waits, but a benchmark is faster than a market.
    if time / 60_000 % max(1, 20_000 / instrumentCount) == 0 { store.flush() }
  }
  store.flush()
}
let status = store.status
let rows = days * 1440 * instrumentCount
print("\(rows) candles, \(status.droppedCount) dropped, failure: \(status.failure as Any)")
for (name, before) in [("latest 1,000", nil), ("1,000 before the middle", (start + end) / 2)] {
  let found = try timed(name) {
    try store.candles(instruments[0], .minute, before: before, limit: 1000).candles.count
  }
  precondition(found == min(1000, Int(days * 1440)))
}
_ = try timed("all of one instrument") {
  try store.candles(instruments[0], .minute, limit: .max).candles.count
}
store.close()
let size = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int64 ?? 0
print("\(size) bytes, \(size / rows) a candle, \(size / rows * 525_600) a year of an instrument")
try FileManager.default.removeItem(atPath: folder)
